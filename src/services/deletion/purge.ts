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
 * What a removal leaves in a memory's file. Removed chunks are found no more, but their bytes
 * stand: in the files until these are written anew, and in old versions as long as readers may need
 * them. Deletions gather for some minutes, since writing anew costs as much for one chunk as for
 * all of a file. The time of all steps together is under the 15 minutes that are promised. Where
 * the disk is short of room none of it waits.
 */
/** Looked at in one round; the rest comes in the next. */
const ERASURES_A_ROUND = 1000
/** How long deletions of a memory gather before its file is written anew. */
const GATHER_MS = 150_000
/** Readers keep a version for ten minutes; those before the rewritten one are then old enough. */
const VERSIONS_KEPT_MS = 10 * 60_000
/**
 * Where old versions still stand after this, their numbers mean another file, or a clock was set:
 * it is begun again.
 */
const BEGIN_AGAIN_MS = 15 * 60_000
/** Other processes look at what they keep of the file twice within this. */
const LINGER_MS = 90_000

/** What an erasure needs. */
type ErasureDeps = {
  db: Kysely<Tables>
  memoryFile: Pick<MemoryFile, 'purgeDeletedRows' | 'deleteVersionsBefore' | 'reclaimSpace'>
  blobs: Pick<Blobs, 'isShortOfRoom' | 'releaseBallast'>
  /** Does the same for what is kept of the memory elsewhere. */
  forgetWords(memoryId: string): Promise<void>
  log: Pick<Log, 'warn'>
  now: () => Date
}

/**
 * Carries on every erasure that is due, going on after those that fail; to be called every few
 * seconds. Rejects when they cannot be listed.
 */
export async function carryOnErasures(deps: ErasureDeps): Promise<void> {
  for (const erasure of await listPurgeTasks(deps.db, ERASURES_A_ROUND)) {
    try {
      await carryOn(deps, erasure)
    } catch (err) {
      deps.log.warn({ err, memoryId: erasure.memory_id }, 'left for the next round: what was deleted stands in a file')
    }
  }
}

async function carryOn(deps: ErasureDeps, erasure: PurgeTask): Promise<void> {
  const { db, now } = deps
  const { erased_at } = erasure
  if (erased_at !== null) {
    if (now().getTime() - Date.parse(erased_at) >= LINGER_MS) await deletePurgeTask(db, erasure)
  } else if (await deps.blobs.isShortOfRoom()) await withBallastReleased(deps.blobs, () => reclaim(deps, erasure))
  else {
    try {
      await takeTime(deps, erasure)
    } catch (error) {
      if (!isOutOfRoom(error)) throw error
      await withBallastReleased(deps.blobs, () => reclaim(deps, erasure))
    }
  }
}

async function takeTime(deps: ErasureDeps, erasure: PurgeTask): Promise<void> {
  const { db, memoryFile, now } = deps
  const { memory_id: memoryId, version, first_at, last_at } = erasure
  const since = (at: string) => now().getTime() - Date.parse(at)
  if (needsCompaction(erasure)) {
    if (since(first_at) >= GATHER_MS) await rewrite(deps, erasure)
  } else if (since(last_at) >= VERSIONS_KEPT_MS) {
    if (await memoryFile.deleteVersionsBefore(memoryId, version)) await recordPurge(db, erasure, now())
    else if (since(last_at) >= BEGIN_AGAIN_MS) await beginAgain(deps, erasure)
  }
}

async function rewrite({ db, memoryFile, now, ...deps }: ErasureDeps, erasure: PurgeTask): Promise<void> {
  const begunAt = now()
  await deps.forgetWords(erasure.memory_id)
  const version = await memoryFile.purgeDeletedRows(erasure.memory_id)
  if (version === 0) await deletePurgeTask(db, erasure)
  else if (version !== null) await recordCompaction(db, erasure, { version, begunAt, now: now() })
  await noteNextFile({ db, now }, erasure, begunAt)
}

/**
 * All of it at once, within the room there is: what is deleted makes the room that others wait for.
 */
async function reclaim({ db, memoryFile, now, ...deps }: ErasureDeps, erasure: PurgeTask): Promise<void> {
  const begunAt = now()
  const { memory_id: memoryId } = erasure
  if (needsCompaction(erasure)) await deps.forgetWords(memoryId)
  const version = await memoryFile.reclaimSpace(memoryId)
  if (version === null) return
  if (version === 0) return deletePurgeTask(db, erasure)
  if (!needsCompaction(erasure)) return recordPurge(db, erasure, now())
  await recordCompaction(db, erasure, { version, begunAt, now: now() })
  await recordPurge(db, { ...erasure, version }, now())
  await noteNextFile({ db, now }, erasure, begunAt)
}

/** What takes the file's place has the same rows marked. */
async function noteNextFile({ db, now }: Pick<ErasureDeps, 'db' | 'now'>, erasure: PurgeTask, begunAt: Date) {
  const files = await getFilesOfMemory(db, erasure.memory_id)
  if (files !== null && files.next_file !== null)
    await enqueuePurge(db, { memoryId: erasure.memory_id, deletedAt: begunAt.toISOString(), now: now() })
}

async function beginAgain({ db, now }: ErasureDeps, erasure: PurgeTask): Promise<void> {
  await enqueuePurge(db, { memoryId: erasure.memory_id, deletedAt: erasure.first_at, now: now() })
  await deletePurgeTask(db, erasure)
}

/**
 * What is done while the disk is short of room, beside what erasures do: memory files hold old
 * versions for readers, and the database pages that hold nothing. Where adds are refused all of
 * this is room. What is held for deletions is not given up for it: it would be gone when one comes.
 */
/** What making room needs. */
type RoomDeps = {
  blobs: Pick<Blobs, 'isShortOfRoom'>
  /** The memory files by their names, all that there are. */
  files: Pick<MemoryFile, 'reclaimSpace'>
  listFiles(): Promise<string[]>
  store: Pick<Store, 'releaseFreePages'>
  log: Pick<Log, 'warn'>
}

/**
 * Makes what room there is to make where the disk is short of it, going on after what fails; to be
 * called every few seconds.
 */
export async function makeRoom({ blobs, files, listFiles, store, log }: RoomDeps): Promise<void> {
  if (!(await blobs.isShortOfRoom())) return
  for (const name of await listFiles()) {
    if (memoryOfFile(name) === null) continue
    await files
      .reclaimSpace(name)
      .catch((err: unknown) =>
        log.warn({ err, memoryFile: name }, 'left for the next round: a file gives no room back'),
      )
  }
  await store.releaseFreePages()
}
