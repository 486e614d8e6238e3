import type { Kysely } from 'kysely'
import { enqueueDeletions } from '../../database/deletion/removals-table.ts'
import { filterOrphanedDocuments, listMemoryIds } from '../../database/memories/inventory.ts'
import { listWrongRows } from '../../database/row-checksums.ts'
import type { Tables } from '../../database/schema.ts'
import type { DatabaseCheck } from '../../database/store.ts'
import type { Blobs } from '../../objects/blobs.ts'
import type { Log } from '../../observability/log.ts'
import { memoryFolder, readObjectKey } from '../document-objects.ts'
import type { MemoryFiles } from '../memory-files.ts'
import type { DeletionOutbox } from './deletion-outbox.ts'

/**
 * The last resort behind all that names what a crash leaves: memory file and objects of each memory
 * are held to the rows, and what no row names goes. Whatever is written is named by a row before it
 * is there, so the data is listed first and the rows are asked after: an add under way is never
 * taken for forgotten.
 *
 * A database of which an index or a row is damaged, or one of before the data, names too few. So
 * before anything goes the whole database is checked, and much that looks forgotten is left to a
 * person.
 */
/**
 * Every memory is compared once in this time. Ours: it reads which documents a file has chunks of,
 * some 10 bytes a chunk.
 */
const CYCLE_MS = 24 * 60 * 60_000
/**
 * No further memory is begun in a round that took so long, which leaves a service of one core nine
 * tenths of it.
 */
const ROUND_MS = 5000

/**
 * More documents of a memory than this are not removed without being asked for. Ours: far more than
 * a crash leaves.
 */
const MAX_DOCUMENTS = 1000

/** What is compared. */
type ForgottenDeps = {
  db: Kysely<Tables>
  /** Checks the whole database. */
  checkDatabase(): Promise<DatabaseCheck>
  blobs: Pick<Blobs, 'list'>
  memoryFile: Pick<MemoryFiles, 'count'>
  removals: Pick<DeletionOutbox, 'carryOut'>
  log: Pick<Log, 'warn'>
  now: () => Date
}

/**
 * A sweep that compares some memories at each call, all of them once a day; the first call does
 * nothing, since a start has enough to do.
 */
export function createForgottenSweep(deps: ForgottenDeps): () => Promise<void> {
  let after = ''
  let isFirst = true
  let cycleMs = Number.NEGATIVE_INFINITY

  async function compareNext(): Promise<boolean> {
    const [memoryId] = await listMemoryIds(deps.db, after, 1)
    after = memoryId ?? ''
    if (memoryId === undefined) return false
    await compareMemory(deps, memoryId).catch((err: unknown) => {
      deps.log.warn({ err, memoryId }, 'left for the next day: a memory file could not be held to its rows')
    })
    return true
  }

  return async () => {
    const startedMs = performance.now()
    const isDue = after !== '' || startedMs - cycleMs >= CYCLE_MS
    const wasFirst = isFirst
    isFirst = false
    if (wasFirst || !isDue) return
    if (after === '') cycleMs = startedMs
    while ((await compareNext()) && performance.now() - startedMs < ROUND_MS);
  }
}

async function compareMemory(deps: ForgottenDeps, memoryId: string): Promise<void> {
  const { db, blobs, memoryFile, log } = deps
  const ids = new Set((await memoryFile.count(memoryId)).keys())
  for (const key of await blobs.list(memoryFolder(memoryId))) {
    const object = readObjectKey(key)
    if (object !== null) ids.add(object.documentId)
  }
  const forgotten = await filterOrphanedDocuments(db, [...ids])
  if (forgotten.length === 0) return
  const facts = { memoryId, documents: forgotten.length }
  if (forgotten.length > Math.min(MAX_DOCUMENTS, ids.size - forgotten.length)) {
    log.warn(
      facts,
      'Left as they are: chunks or objects of more documents that no row names than should be. ' +
        'If this is the right database, recollect doctor --fix removes them.',
    )
    return
  }
  if (!(await isWhole(deps))) {
    log.warn(
      facts,
      'Left as they are: chunks or objects of documents that no row names, in a database that is damaged. ' +
        'Look with recollect doctor --storage.',
    )
    return
  }
  log.warn(facts, 'chunks or objects of documents that no row names are removed')
  await removeForgotten(deps, memoryId, forgotten)
}

/** Whether pages, indexes, references and rows of the database are what they were written as. */
async function isWhole({ db, checkDatabase }: ForgottenDeps): Promise<boolean> {
  if ((await checkDatabase()).problems.length > 0) return false
  for await (const _ of listWrongRows(db)) return false
  return true
}

/** What removing needs. */
type ForgottenRemoval = { db: Kysely<Tables>; removals: Pick<DeletionOutbox, 'carryOut'>; now: () => Date }

/**
 * Removes what there is of those of the documents that no row names. To be called when no process
 * can write more of them under a row. Rejects when the database is down; what else fails is left
 * for the sweep.
 */
export async function removeForgotten(
  { db, removals, now }: ForgottenRemoval,
  memoryId: string,
  documentIds: readonly string[],
): Promise<void> {
  const noted = await db.transaction().execute(async (transaction) => {
    const forgotten = await filterOrphanedDocuments(transaction, documentIds)
    const at = now()
    return enqueueDeletions(
      transaction,
      forgotten.map((documentId) => ({ kind: 'document', memoryId, documentId, now: at }) as const),
    )
  })
  await removals.carryOut(noted)
}
