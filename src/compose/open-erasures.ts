import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { MemoryFile } from '../memory-file/memory-file.ts'
import { carryOnErasures } from '../service/deletion/erasure.ts'
import { forgetWords } from '../service/idempotency/forget-words.ts'
import { createHousekeeping, type Housekeeping } from '../service/scheduling/housekeeping.ts'
import { listErasedMemories } from '../store/deletion/erasures.ts'
import type { Tables } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import type { Node } from './join-nodes.ts'
import type { Storage } from './open-storage.ts'

/** Each step of an erasure waits for this at most: four steps are to fit into what is left of 15 minutes. */
const PAUSE_MS = 15_000

/** What is tended. */
export type ErasureSurroundings = {
  db: Kysely<Tables>
  store: Store
  node: Node
  storage: Pick<Storage, 'memoryFile'>
  memoryFile: Pick<MemoryFile, 'rewriteRemoved' | 'dropVersionsBefore'>
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
  const tasks = role === 'api' ? own : { erasures: () => node.tasks.run('erasures', erase), ...own }
  return createHousekeeping({ tasks, pauseMs: PAUSE_MS, log })
}
