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
 * Deletion outbox: deletes the data of deleted documents and memories.
 *
 * The transaction that deletes a document or memory also inserts a row into `removals`. The outbox
 * then deletes the chunks in the memory file, the objects and the tags, and finally the row. Every
 * step is idempotent, so the next sweep repeats a removal that failed or was interrupted by a
 * crash.
 *
 * A running job may still write the deleted document for a moment. Therefore each attempt of a job
 * has a row (`database/jobs/job-leases-table.ts`). The removal of such a document is repeated until
 * a run finds no such row. Then the attempt is over, or its process is dead.
 */
/** Removals processed together: documents of one memory share a commit of the memory file. */
const REMOVALS_PER_BATCH = 200
/**
 * Every sweep deletes the data of a deleted memory again for this time, since running work may
 * still have written. Such work notices the deletion within seconds.
 */
const MEMORY_WATCH_MS = 10 * 60_000

/** Deletes the data of deleted documents and memories. */
export type DeletionOutbox = {
  /**
   * Commits a deletion together with its removals. On a full disk, the reserved space is released
   * first.
   */
  commit<Value>(deletion: (transaction: Transaction<Tables>) => Promise<Value>): Promise<Value>
  /** Processes these removals. Never rejects: failures are logged and left for the sweep. */
  process(ids: readonly string[]): Promise<void>
  /** Processes removals of documents that waited for the end of this job. */
  processOfJob(jobId: string): Promise<void>
  /**
   * Processes all removals and continues after failures. Rejects when the removals cannot be
   * listed.
   */
  sweep(): Promise<void>
}

type OutboxDeps = {
  db: Kysely<Tables>
  blobs: Pick<Blobs, 'purge' | 'releaseBallast'>
  memoryFile: Pick<MemoryFiles, 'deleteDocuments' | 'drop'> & { byName: Pick<MemoryFile, 'drop'> }
  log: Log
  now: () => Date
}

/** Creates the outbox of a process; all state is in the database. */
export function createDeletionOutbox(deps: OutboxDeps): DeletionOutbox {
  async function processListed(listIds: () => readonly string[] | Promise<readonly string[]>): Promise<void> {
    try {
      for (const ids of batches(await listIds(), REMOVALS_PER_BATCH)) {
        for (const removals of groupByMemory(await listPendingDeletions(deps.db, ids)))
          await processMemory(deps, removals)
      }
    } catch (err) {
      deps.log.warn({ err }, 'cleanup deferred: removals could not be read')
    }
  }

  return {
    commit: (deletion) => withBallastReleased(deps.blobs, () => deps.db.transaction().execute(deletion)),
    process: (ids) => processListed(() => ids),
    processOfJob: (jobId) => processListed(() => listPendingDeletionsOfJob(deps.db, jobId)),

    async sweep() {
      let removals: ListedDeletion[] = []
      do {
        removals = await listAllPendingDeletions(deps.db, {
          after: removals.at(-1)?.id ?? '',
          limit: REMOVALS_PER_BATCH,
        })
        for (const ofMemory of groupByMemory(removals)) await processMemory(deps, ofMemory)
      } while (removals.length === REMOVALS_PER_BATCH)
    },
  }
}

type RemovalsOfMemory = { memoryId: string; removals: readonly ListedDeletion[] }

function groupByMemory(removals: readonly ListedDeletion[]): RemovalsOfMemory[] {
  const groups = Map.groupBy(removals, (removal) => removal.memory_id)
  return [...groups].map(([memoryId, ofMemory]) => ({ memoryId, removals: ofMemory }))
}

/** Processes the removals of one memory; on failure, the removals stay for the sweep. */
async function processMemory(deps: OutboxDeps, { memoryId, removals }: RemovalsOfMemory): Promise<void> {
  const memory = removals.find(({ kind }) => kind === 'memory')
  try {
    await withBallastReleased(deps.blobs, async () => {
      if (memory === undefined) await deleteDocuments(deps, memoryId, removals)
      else await deleteMemory(deps, memoryId)
      const gone = await deleteFiles(deps, removals.filter(isFileRemoval))
      const watchedSince = new Date(deps.now().getTime() - MEMORY_WATCH_MS).toISOString()
      const done = removals.filter(
        (removal) =>
          !isFileRemoval(removal) && !removal.isHeld && (removal !== memory || memory.created_at < watchedSince),
      )
      await deletePendingDeletions(
        deps.db,
        [...done, ...gone].map(({ id }) => id),
      )
      failpoint('deletion:over')
    })
  } catch (err) {
    deps.log.warn({ err, memoryId, removals: removals.length }, 'cleanup deferred: data of a deletion remains')
  }
}

function isFileRemoval({ kind }: PendingDeletion): boolean {
  return kind === 'file' || kind === 'unfinished'
}

async function deleteDocuments(
  { db, memoryFile, blobs, now }: OutboxDeps,
  memoryId: string,
  removals: readonly ListedDeletion[],
): Promise<void> {
  const ofDocuments = removals.filter(({ kind }) => kind === 'document')
  const idsOf = (some: readonly ListedDeletion[]) => some.flatMap(({ document_id }) => document_id ?? [])
  // Objects go first: on a full disk, this frees the space that the memory file needs for deleting
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
  const wasWritten = await deleteChunksIfAny(memoryFile, memoryId, idsOf(ofDocuments.filter(({ isHeld }) => isHeld)))
  failpoint('deletion:chunks-removed')
  if (settled.length === 0 && !wasWritten) return
  const [deletedAt = ''] = removals.map(({ created_at }) => created_at).sort()
  await enqueuePurge(db, { memoryId, deletedAt, now: now() })
}

/**
 * Deletes chunks that may not exist, as every minute while a job runs; without chunks, nothing is
 * written. Returns whether chunks existed.
 */
async function deleteChunksIfAny(
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

async function deleteMemory({ db, memoryFile, blobs }: OutboxDeps, memoryId: string): Promise<void> {
  await memoryFile.drop(memoryId)
  await blobs.purge(memoryFolder(memoryId))
  // Deletes rows in small batches: a single statement for a large memory would block all requests
  // for seconds.
  while (await deleteDocumentRowsOfMemory(db, memoryId)) await nextTurn()
  await deleteResponses(db, memoryId)
  await redactFilenamesOfMemory(db, memoryId)
}

/**
 * Grace period for searches that started on a replaced file. Our choice: a search takes seconds.
 */
const READER_GRACE_MS = 5 * 60_000
/**
 * Every sweep deletes the file again until then: an add that started earlier may write to the old
 * file before its commit is refused. No request lasts longer.
 */
const FILE_WATCH_MS = 15 * 60_000

/** Deletes unused memory files after their grace period; returns the finished removals. */
async function deleteFiles(deps: OutboxDeps, removals: readonly PendingDeletion[]): Promise<PendingDeletion[]> {
  const over: PendingDeletion[] = []
  for (const removal of removals) if (await deleteFile(deps, removal)) over.push(removal)
  return over
}

async function deleteFile({ db, memoryFile, now }: OutboxDeps, removal: PendingDeletion): Promise<boolean> {
  const { kind, memory_id: memoryId, created_at: createdAt } = removal
  const file = fileOfPendingDeletion(removal)
  const memory = await getFilesOfMemory(db, memoryId)
  // Safeguard: this case never occurs, but a mistake here would be irreversible.
  if (memory !== null && [currentFileOf(memory), memory.next_file].includes(file)) return true
  const ageMs = now().getTime() - Date.parse(createdAt)
  if (kind === 'file' && memory !== null && ageMs < READER_GRACE_MS) return false
  await memoryFile.byName.drop(file)
  failpoint('reembed:file-removed')
  await deleteChangesOfFile(db, file)
  return ageMs >= FILE_WATCH_MS
}

/**
 * Time that a response waits for the cleanup after the commit. Our choice: enough for all but huge
 * memories.
 */
const MAX_WAIT_MS = 5000

/**
 * Waits for cleanup after a commit, but at most 5 s: the response must be sent before the request
 * times out. The work continues afterwards, and a sweep repeats failures. Rejects as the work does
 * meanwhile.
 */
export function waitAtMost(work: Promise<unknown>): Promise<unknown> {
  return withTimeout(work, MAX_WAIT_MS, undefined)
}
