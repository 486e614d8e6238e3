import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import { listErasedMemories } from '../database/deletion/erasures-table.ts'
import type { Tables } from '../database/schema.ts'
import type { Store } from '../database/store.ts'
import { createHousekeeping, type Housekeeping } from '../jobs/housekeeping.ts'
import type { MemoryFile } from '../memory-file/memory-file.ts'
import type { Blobs } from '../objects/blobs.ts'
import type { Log } from '../observability/log.ts'
import { carryOnErasures, makeRoom } from '../services/deletion/purge.ts'
import { forgetWords } from '../services/nodes/redact-answers.ts'
import type { Node } from './join-nodes.ts'
import type { Storage } from './open-storage.ts'

/** Each step of an erasure waits for this at most: four steps are to fit into what is left of 15 minutes. */
const PAUSE_MS = 15_000
/** How soon it is seen that the disk is short of room: a look costs one call of the system. */
const LOOK_MS = 2000

/** What is tended. */
export type ErasureSurroundings = {
  db: Kysely<Tables>
  store: Store
  node: Node
  storage: Pick<Storage, 'memoryFile'>
  blobs: Pick<Blobs, 'isShortOfRoom' | 'releaseReserve'>
  memoryFile: Pick<MemoryFile, 'rewriteRemoved' | 'dropVersionsBefore' | 'reclaim'>
  /** The same by their names. */
  files: Pick<MemoryFile, 'reclaim'>
  pagePictures: { forgetOld(): void }
  log: Log
  now: () => Date
}

/** What takes the bytes of deleted documents away: once for all processes where they share them, and in each what it keeps itself. */
export function openErasures({ role }: Config, surroundings: ErasureSurroundings): Housekeeping {
  const { db, store, node, storage, pagePictures, log } = surroundings
  const erase = () => carryOnErasures({ ...surroundings, forgetWords: (memoryId) => forgetWords(db, memoryId) })
  const copies = async () => {
    for (const memoryId of await listErasedMemories(db)) await storage.memoryFile.forgetGone(memoryId)
  }
  const own = { copies, log: store.cutLog, pictures: async () => pagePictures.forgetOld() }
  if (role === 'api') return createHousekeeping({ tasks: own, pauseMs: PAUSE_MS, log })
  const room = () => makeRoom({ ...surroundings, listFiles: storage.memoryFile.list })
  const tasks = { erasures: () => node.tasks.run('erasures', erase), room: () => node.tasks.run('room', room), ...own }
  return watchingRoom(surroundings, createHousekeeping({ tasks, pauseMs: PAUSE_MS, log }))
}

/** Begins a round at once when the disk comes to be short of room; the next come by themselves. */
function watchingRoom({ blobs, log }: ErasureSurroundings, rounds: Housekeeping): Housekeeping {
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
