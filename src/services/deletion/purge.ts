import type { Kysely } from 'kysely'
import {
  deletePurgeTask,
  enqueuePurge,
  listPurgeTasks,
  needsCompaction,
  recordCompaction,
  recordPurge,
} from '../../database/deletion/erasures-table.ts'
import { getFilesOfMemory } from '../../database/memories/memories-table.ts'
import type { PurgeTask, Tables } from '../../database/schema.ts'
import type { Store } from '../../database/store.ts'
import { isOutOfRoom } from '../../errors.ts'
import { memoryOfFile } from '../../memory-file/file-name.ts'
import type { MemoryFile } from '../../memory-file/memory-file.ts'
import type { Blobs } from '../../objects/blobs.ts'
import type { Log } from '../../observability/log.ts'
import { withBallastReleased } from './with-ballast.ts'

/**
 * Purges the bytes of deleted chunks.
 *
 * Deleted chunks are not found by searches, but their bytes remain in data files until the next
 * rewrite. In old versions, bytes remain until no reader needs the version. Deletions are batched
 * for some minutes, since a rewrite costs the same for one chunk as for all. All steps together
 * take less than the promised 15 minutes. On a full disk, no step waits.
 */
/** Purges per round; the rest follows in the next round. */
const PURGES_PER_ROUND = 1000
/** Delay for batching deletions before the memory file is rewritten. */
const REWRITE_DELAY_MS = 150_000
/**
 * Readers keep a version for ten minutes; older versions than the rewritten one can be dropped
 * then.
 */
const VERSION_RETENTION_MS = 10 * 60_000
/**
 * If old versions still exist after this time, version numbers belong to another file or a clock
 * was changed: the purge restarts.
 */
const RESTART_AFTER_MS = 15 * 60_000
/** Other processes check their cached responses at least twice within this time. */
const RECORD_RETENTION_MS = 90_000

type PurgeDeps = {
  db: Kysely<Tables>
  memoryFile: Pick<MemoryFile, 'purgeDeletedRows' | 'deleteVersionsBefore' | 'reclaimSpace'>
  blobs: Pick<Blobs, 'isShortOfRoom' | 'releaseBallast'>
  /** Redacts cached responses and logs of the memory. */
  forgetWords(memoryId: string): Promise<void>
  log: Pick<Log, 'warn'>
  now: () => Date
}

/**
 * Processes all due purges and continues after failures; call every few seconds. Rejects when the
 * purges cannot be listed.
 */
export async function processPurges(deps: PurgeDeps): Promise<void> {
  for (const erasure of await listPurgeTasks(deps.db, PURGES_PER_ROUND)) {
    try {
      await processPurge(deps, erasure)
    } catch (err) {
      deps.log.warn({ err, memoryId: erasure.memory_id }, 'purge deferred: deleted data remains in a memory file')
    }
  }
}

async function processPurge(deps: PurgeDeps, erasure: PurgeTask): Promise<void> {
  const { db, now } = deps
  const { erased_at } = erasure
  if (erased_at !== null) {
    if (now().getTime() - Date.parse(erased_at) >= RECORD_RETENTION_MS) await deletePurgeTask(db, erasure)
  } else if (await deps.blobs.isShortOfRoom()) await withBallastReleased(deps.blobs, () => purgeNow(deps, erasure))
  else {
    try {
      await purgeInStages(deps, erasure)
    } catch (error) {
      if (!isOutOfRoom(error)) throw error
      await withBallastReleased(deps.blobs, () => purgeNow(deps, erasure))
    }
  }
}

async function purgeInStages(deps: PurgeDeps, erasure: PurgeTask): Promise<void> {
  const { db, memoryFile, now } = deps
  const { memory_id: memoryId, version, first_at, last_at } = erasure
  const since = (at: string) => now().getTime() - Date.parse(at)
  if (needsCompaction(erasure)) {
    if (since(first_at) >= REWRITE_DELAY_MS) await rewriteFile(deps, erasure)
  } else if (since(last_at) >= VERSION_RETENTION_MS) {
    if (await memoryFile.deleteVersionsBefore(memoryId, version)) await recordPurge(db, erasure, now())
    else if (since(last_at) >= RESTART_AFTER_MS) await restartPurge(deps, erasure)
  }
}

async function rewriteFile({ db, memoryFile, now, ...deps }: PurgeDeps, erasure: PurgeTask): Promise<void> {
  const begunAt = now()
  await deps.forgetWords(erasure.memory_id)
  const version = await memoryFile.purgeDeletedRows(erasure.memory_id)
  if (version === 0) await deletePurgeTask(db, erasure)
  else if (version !== null) await recordCompaction(db, erasure, { version, begunAt, now: now() })
  await recordForNextFile({ db, now }, erasure, begunAt)
}

/** Runs all steps immediately within the free space: purging makes room for writers. */
async function purgeNow({ db, memoryFile, now, ...deps }: PurgeDeps, erasure: PurgeTask): Promise<void> {
  const begunAt = now()
  const { memory_id: memoryId } = erasure
  if (needsCompaction(erasure)) await deps.forgetWords(memoryId)
  const version = await memoryFile.reclaimSpace(memoryId)
  if (version === null) return
  if (version === 0) return deletePurgeTask(db, erasure)
  if (!needsCompaction(erasure)) return recordPurge(db, erasure, now())
  await recordCompaction(db, erasure, { version, begunAt, now: now() })
  await recordPurge(db, { ...erasure, version }, now())
  await recordForNextFile({ db, now }, erasure, begunAt)
}

/** The shadow file of a re-embedding has the same rows marked as deleted. */
async function recordForNextFile({ db, now }: Pick<PurgeDeps, 'db' | 'now'>, erasure: PurgeTask, begunAt: Date) {
  const files = await getFilesOfMemory(db, erasure.memory_id)
  if (files !== null && files.next_file !== null)
    await enqueuePurge(db, { memoryId: erasure.memory_id, deletedAt: begunAt.toISOString(), now: now() })
}

async function restartPurge({ db, now }: PurgeDeps, erasure: PurgeTask): Promise<void> {
  await enqueuePurge(db, { memoryId: erasure.memory_id, deletedAt: erasure.first_at, now: now() })
  await deletePurgeTask(db, erasure)
}

/**
 * Frees disk space, beyond purging: memory files hold old versions for readers, and the database
 * holds free pages. Both are used when writes are refused. The space reserved for deletions is not
 * released here: a later deletion needs the reserve.
 */
type FreeSpaceDeps = {
  blobs: Pick<Blobs, 'isShortOfRoom'>
  /** All memory files, by name. */
  files: Pick<MemoryFile, 'reclaimSpace'>
  listFiles(): Promise<string[]>
  store: Pick<Store, 'releaseFreePages'>
  log: Pick<Log, 'warn'>
}

/**
 * Frees space while the disk is short of space, and continues after failures; call every few
 * seconds.
 */
export async function freeDiskSpace({ blobs, files, listFiles, store, log }: FreeSpaceDeps): Promise<void> {
  if (!(await blobs.isShortOfRoom())) return
  for (const name of await listFiles()) {
    if (memoryOfFile(name) === null) continue
    await files
      .reclaimSpace(name)
      .catch((err: unknown) => log.warn({ err, memoryFile: name }, 'space of a memory file could not be reclaimed'))
  }
  await store.releaseFreePages()
}
