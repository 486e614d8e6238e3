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
 * Last resort for data left by crashes: compares the memory file and the objects of each memory
 * with the rows, and deletes orphans. Rows are always written before data. The sweep lists data
 * first and rows second, so an add in progress is never taken for an orphan.
 *
 * A damaged or older database may lack rows of valid data. Therefore the whole database is checked
 * before any deletion, and large numbers of orphans are left to the operator.
 */
/**
 * Every memory is compared once in this time. Our choice: reading the document ids of a file costs
 * about 10 bytes per chunk.
 */
const CYCLE_MS = 24 * 60 * 60_000
/**
 * After this time a round starts no further memory; a service on one core keeps nine tenths of its
 * time.
 */
const ROUND_MS = 5000

/**
 * More orphans in a memory are never deleted automatically. Our choice: far more than a crash
 * leaves.
 */
const MAX_DOCUMENTS = 1000

type OrphanSweepDeps = {
  db: Kysely<Tables>
  checkDatabase(): Promise<DatabaseCheck>
  blobs: Pick<Blobs, 'list'>
  memoryFile: Pick<MemoryFiles, 'count'>
  removals: Pick<DeletionOutbox, 'process'>
  log: Pick<Log, 'warn'>
  now: () => Date
}

/**
 * Creates a sweep that compares some memories per call, and all once a day. The first call does
 * nothing, to keep starts fast.
 */
export function createOrphanSweep(deps: OrphanSweepDeps): () => Promise<void> {
  let after = ''
  let isFirst = true
  let cycleMs = Number.NEGATIVE_INFINITY

  async function compareNext(): Promise<boolean> {
    const [memoryId] = await listMemoryIds(deps.db, after, 1)
    after = memoryId ?? ''
    if (memoryId === undefined) return false
    await sweepMemory(deps, memoryId).catch((err: unknown) => {
      deps.log.warn({ err, memoryId }, 'orphan check deferred: a memory could not be compared with its rows')
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

async function sweepMemory(deps: OrphanSweepDeps, memoryId: string): Promise<void> {
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
      'Kept: unusually many chunks or objects without a database row. ' +
        'If this is the right database, delete them with recollect doctor --fix.',
    )
    return
  }
  if (!(await isDatabaseIntact(deps))) {
    log.warn(
      facts,
      'Kept: chunks or objects without a database row, as the database is damaged. ' +
        'Check the database with recollect doctor --storage.',
    )
    return
  }
  log.warn(facts, 'deleting chunks or objects without a database row')
  await removeOrphans(deps, memoryId, forgotten)
}

/** Checks pages, indexes, references and row checksums of the database. */
async function isDatabaseIntact({ db, checkDatabase }: OrphanSweepDeps): Promise<boolean> {
  if ((await checkDatabase()).problems.length > 0) return false
  for await (const _ of listWrongRows(db)) return false
  return true
}

type OrphanRemovalDeps = { db: Kysely<Tables>; removals: Pick<DeletionOutbox, 'process'>; now: () => Date }

/**
 * Deletes the data of documents without rows. Call only when no process can still write these
 * documents. Rejects when the database is unavailable; other failures are left for the sweep.
 */
export async function removeOrphans(
  { db, removals, now }: OrphanRemovalDeps,
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
  await removals.process(noted)
}
