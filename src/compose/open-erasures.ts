import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import { listPurgedMemories } from '../database/deletion/erasures-table.ts'
import type { Tables } from '../database/schema.ts'
import type { Store } from '../database/store.ts'
import { createHousekeeping, type Housekeeping } from '../jobs/housekeeping.ts'
import type { MemoryFile } from '../memory-file/memory-file.ts'
import type { Blobs } from '../objects/blobs.ts'
import type { Log } from '../observability/log.ts'
import { freeDiskSpace, processPurges } from '../services/deletion/purge.ts'
import { redactStoredResponses } from '../services/nodes/redact-responses.ts'
import type { Node } from './join-nodes.ts'
import type { Storage } from './open-storage.ts'

/** Maximum wait for each step of an erasure: four steps must fit into the rest of 15 minutes. */
const PAUSE_MS = 15_000
/** Interval of the check for free disk space, which costs one system call. */
const LOOK_MS = 2000

/** Dependencies of the erasures. */
export type ErasureDeps = {
  db: Kysely<Tables>
  store: Store
  node: Node
  storage: Pick<Storage, 'memoryFile'>
  blobs: Pick<Blobs, 'isShortOfRoom' | 'releaseBallast'>
  memoryFile: Pick<MemoryFile, 'purgeDeletedRows' | 'deleteVersionsBefore' | 'reclaimSpace'>
  /** The memory files by file name. */
  files: Pick<MemoryFile, 'reclaimSpace'>
  pagePictures: { evictExpired(): void }
  log: Log
  now: () => Date
}

/**
 * Purges the bytes of deleted documents: once for all processes in shared stores, and in each
 * process in its own.
 */
export function openErasures({ role }: Config, deps: ErasureDeps): Housekeeping {
  const { db, store, node, storage, pagePictures, log } = deps
  const erase = () => processPurges({ ...deps, forgetWords: (memoryId) => redactStoredResponses(db, memoryId) })
  const copies = async () => {
    for (const memoryId of await listPurgedMemories(db)) await storage.memoryFile.evictDeleted(memoryId)
  }
  const own = { copies, log: store.truncateLog, pictures: async () => pagePictures.evictExpired() }
  if (role === 'api') return createHousekeeping({ tasks: own, pauseMs: PAUSE_MS, log })
  const room = () => freeDiskSpace({ ...deps, listFiles: storage.memoryFile.list })
  const tasks = { erasures: () => node.tasks.run('erasures', erase), room: () => node.tasks.run('room', room), ...own }
  return watchingRoom(deps, createHousekeeping({ tasks, pauseMs: PAUSE_MS, log }))
}

/** Starts a round when the disk becomes short of space; later rounds follow by the timer. */
function watchingRoom({ blobs, log }: ErasureDeps, rounds: Housekeeping): Housekeeping {
  let wasShort = false
  const look = async () => {
    const isShort = await blobs.isShortOfRoom()
    const isNew = isShort && !wasShort
    wasShort = isShort
    if (isNew) await rounds.run()
  }
  const watch = createHousekeeping({ tasks: { look }, pauseMs: LOOK_MS, log })
  return {
    run: rounds.run,
    start() {
      rounds.start()
      watch.start()
    },
    async stop() {
      await watch.stop()
      await rounds.stop()
    },
  }
}
