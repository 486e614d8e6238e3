import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { withTimeout } from '../../concurrency/wait.ts'
import { deleteResponses } from '../../database/account/idempotency-table.ts'
import { enqueuePurge } from '../../database/deletion/erasures-table.ts'
import { redactFilenamesOfMemory } from '../../database/deletion/jobs-of-deleted-data.ts'
import {
  deleteDocumentRowsOfMemory,
  deletePendingDeletions,
  fileOfPendingDeletion,
  type ListedDeletion,
  listAllPendingDeletions,
  listPendingDeletions,
  listPendingDeletionsOfJob,
} from '../../database/deletion/removals-table.ts'
import { deleteTags } from '../../database/memories/document-tags-table.ts'
import { currentFileOf, getFilesOfMemory } from '../../database/memories/memories-table.ts'
import { deleteChangesOfFile } from '../../database/memories/reembedding-table.ts'
import type { PendingDeletion, Tables } from '../../database/schema.ts'
import { batches } from '../../database/statements.ts'
import type { MemoryFile } from '../../memory-file/memory-file.ts'
import type { Blobs } from '../../objects/blobs.ts'
import { failpoint } from '../../observability/failpoints.ts'
import type { Log } from '../../observability/log.ts'
import { documentFolder, memoryFolder, OF_UPLOAD } from '../document-objects.ts'
import type { MemoryFiles } from '../memory-files.ts'
import { withBallastReleased } from './with-ballast.ts'

/**
 * What a deletion leaves behind. The transaction that deletes a document or memory also writes a
 * row of `removals`; here the chunks in the memory file, the objects in the object store and the
 * tags in the list by tags follow, then the row goes. Each step may be repeated, so a removal that
 * fails, or that the process did not live to finish, is carried out by the next sweep.
 *
 * A job may be writing the document that is deleted, and write on for a moment. So an attempt at a
 * job is named by a row (`database/jobs/job-leases-table.ts`), and the removal of a document of
 * that job is carried out again until it was carried out once with no such row left: the attempt is
 * over, or its process is dead.
 */
/** Removals carried out together: documents of one memory share a commit of its memory file. */
const REMOVALS_A_STEP = 200
/**
 * A deleted memory is removed again by every sweep until this has passed: work that was under way
 * when it was deleted may have written to it afterwards. Such work notices within seconds; this is
 * far more.
 */
const MEMORY_WATCHED_MS = 10 * 60_000

/** Carries out what deletions leave behind. */
export type DeletionOutbox = {
  /**
   * Commits a deletion with the removals of what it leaves. On a full disk it has the room that is
   * held back for deletions, as what carries them out has.
   */
  commit<Value>(deletion: (transaction: Transaction<Tables>) => Promise<Value>): Promise<Value>
  /** Carries out these removals. Never rejects: what fails is logged and left for the sweep. */
  carryOut(ids: readonly string[]): Promise<void>
  /** The same of those of documents of a job that is over: they waited for it. */
  carryOutOfJob(jobId: string): Promise<void>
  /**
   * Carries out all removals there are, going on after those that fail. Rejects when they cannot be
   * listed.
   */
  sweep(): Promise<void>
}

/** What removals are built of. */
type RemovalsDeps = {
  db: Kysely<Tables>
  blobs: Pick<Blobs, 'purge' | 'releaseBallast'>
  memoryFile: Pick<MemoryFiles, 'deleteDocuments' | 'drop'> & { byName: Pick<MemoryFile, 'drop'> }
  log: Log
  now: () => Date
}

/** Makes the one that carries removals out. */
export function createDeletionOutbox(deps: RemovalsDeps): DeletionOutbox {
  async function carryOut(listIds: () => readonly string[] | Promise<readonly string[]>): Promise<void> {
    try {
      for (const ids of batches(await listIds(), REMOVALS_A_STEP)) {
        for (const removals of byMemory(await listPendingDeletions(deps.db, ids))) await carryOutMemory(deps, removals)
      }
    } catch (err) {
      deps.log.warn({ err }, 'left for the sweep: removals that could not be read')
    }
  }

  return {
    commit: (deletion) => withBallastReleased(deps.blobs, () => deps.db.transaction().execute(deletion)),
    carryOut: (ids) => carryOut(() => ids),
    carryOutOfJob: (jobId) => carryOut(() => listPendingDeletionsOfJob(deps.db, jobId)),

    async sweep() {
      let removals: ListedDeletion[] = []
      do {
        removals = await listAllPendingDeletions(deps.db, { after: removals.at(-1)?.id ?? '', limit: REMOVALS_A_STEP })
        for (const ofMemory of byMemory(removals)) await carryOutMemory(deps, ofMemory)
      } while (removals.length === REMOVALS_A_STEP)
    },
  }
}

type RemovalsOfMemory = { memoryId: string; removals: readonly ListedDeletion[] }

function byMemory(removals: readonly ListedDeletion[]): RemovalsOfMemory[] {
  const groups = Map.groupBy(removals, (removal) => removal.memory_id)
  return [...groups].map(([memoryId, ofMemory]) => ({ memoryId, removals: ofMemory }))
}

/** Carries out removals of one memory; where that fails, they stay for the sweep. */
async function carryOutMemory(deps: RemovalsDeps, { memoryId, removals }: RemovalsOfMemory): Promise<void> {
  const memory = removals.find(({ kind }) => kind === 'memory')
  try {
    await withBallastReleased(deps.blobs, async () => {
      if (memory === undefined) await removeDocuments(deps, memoryId, removals)
      else await removeMemory(deps, memoryId)
      const gone = await removeFiles(deps, removals.filter(isOfFile))
      const watchedSince = new Date(deps.now().getTime() - MEMORY_WATCHED_MS).toISOString()
      const done = removals.filter(
        (removal) => !isOfFile(removal) && !removal.isHeld && (removal !== memory || memory.created_at < watchedSince),
      )
      await deletePendingDeletions(
        deps.db,
        [...done, ...gone].map(({ id }) => id),
      )
      failpoint('deletion:over')
    })
  } catch (err) {
    deps.log.warn({ err, memoryId, removals: removals.length }, 'left for the sweep: what a deletion leaves behind')
  }
}

function isOfFile({ kind }: PendingDeletion): boolean {
  return kind === 'file' || kind === 'unfinished'
}

async function removeDocuments(
  { db, memoryFile, blobs, now }: RemovalsDeps,
  memoryId: string,
  removals: readonly ListedDeletion[],
): Promise<void> {
  const ofDocuments = removals.filter(({ kind }) => kind === 'document')
  const idsOf = (some: readonly ListedDeletion[]) => some.flatMap(({ document_id }) => document_id ?? [])
  // The objects first: on a full disk they make the room that the memory file needs to forget its
  // rows.
  const prefixes = removals.flatMap(({ kind, document_id }) => {
    if (document_id === null) return []
    const folder = documentFolder(memoryId, document_id)
    return kind === 'upload' ? OF_UPLOAD.map((name) => folder + name) : [folder]
  })
  await blobs.purge(...prefixes)
  failpoint('deletion:objects-gone')
  if (ofDocuments.length === 0) return
  await deleteTags(db, idsOf(ofDocuments))
  const settled = idsOf(ofDocuments.filter(({ isHeld }) => !isHeld))
  if (settled.length > 0) await memoryFile.deleteDocuments(memoryId, settled)
  const wasWritten = await removeStanding(memoryFile, memoryId, idsOf(ofDocuments.filter(({ isHeld }) => isHeld)))
  failpoint('deletion:chunks-removed')
  if (settled.length === 0 && !wasWritten) return
  const [deletedAt = ''] = removals.map(({ created_at }) => created_at).sort()
  await enqueuePurge(db, { memoryId, deletedAt, now: now() })
}

/**
 * Removes chunks of documents of which there may be none, as every minute while a job is under way:
 * then nothing is written. True where there were some.
 */
async function removeStanding(
  memoryFile: Pick<MemoryFiles, 'deleteDocuments'>,
  memoryId: string,
  documentIds: readonly string[],
): Promise<boolean> {
  if (documentIds.length === 0) return false
  let areThere = false
  const confirm = async () => {
    areThere = true
    return true
  }
  await memoryFile.deleteDocuments(memoryId, documentIds, { confirm })
  return areThere
}

async function removeMemory({ db, memoryFile, blobs }: RemovalsDeps, memoryId: string): Promise<void> {
  await memoryFile.drop(memoryId)
  await blobs.purge(memoryFolder(memoryId))
  // Rows go a few at a time: all of a large memory at once would hold everyone up for seconds.
  while (await deleteDocumentRowsOfMemory(db, memoryId)) await nextTurn()
  await deleteResponses(db, memoryId)
  await redactFilenamesOfMemory(db, memoryId)
}

/**
 * How long a file that was replaced is left to those who began to search it before. Ours: a search
 * takes seconds.
 */
const LEFT_TO_READERS_MS = 5 * 60_000
/**
 * Until then every sweep removes it again: an add that was under way may write to the file it began
 * with, and finds itself refused at its commit. No request lasts longer.
 */
const WATCHED_MS = 15 * 60_000

/**
 * Removes memory files that are not in use, as far as it is time; gives the removals that are over.
 */
async function removeFiles(deps: RemovalsDeps, removals: readonly PendingDeletion[]): Promise<PendingDeletion[]> {
  const over: PendingDeletion[] = []
  for (const removal of removals) if (await removeFile(deps, removal)) over.push(removal)
  return over
}

async function removeFile({ db, memoryFile, now }: RemovalsDeps, removal: PendingDeletion): Promise<boolean> {
  const { kind, memory_id: memoryId, created_at: createdAt } = removal
  const file = fileOfPendingDeletion(removal)
  const memory = await getFilesOfMemory(db, memoryId)
  // It never is; but what is lost here is lost for good.
  if (memory !== null && [currentFileOf(memory), memory.next_file].includes(file)) return true
  const ageMs = now().getTime() - Date.parse(createdAt)
  if (kind === 'file' && memory !== null && ageMs < LEFT_TO_READERS_MS) return false
  await memoryFile.byName.drop(file)
  failpoint('reembed:file-removed')
  await deleteChangesOfFile(db, file)
  return ageMs >= WATCHED_MS
}

/**
 * How long an answer waits for what follows the commit to be removed. Our choice: enough for all
 * but huge memories.
 */
const MOST_MS = 5000

/**
 * Waits for work that follows a commit, and that a sweep does where it is not done, but not for
 * long: what was committed has to be answered before the time of the request is up. It goes on
 * after the answer. Rejects as the work does meanwhile.
 */
export function waitAtMost(work: Promise<unknown>): Promise<unknown> {
  return withTimeout(work, MOST_MS, undefined)
}
