/**
 * What is done while the disk is short of room, beside what erasures do: memory files hold old versions for readers, and the database pages that hold nothing. Where adds are refused
 * all of this is room. What is held for deletions is not given up for it: it would be gone when one comes.
 */

import type { Store } from '../../database/store.ts'
import { memoryOfFile } from '../../memory-file/file-name.ts'
import type { MemoryFile } from '../../memory-file/memory-file.ts'
import type { Blobs } from '../../objects/blobs.ts'
import type { Log } from '../../observability/log.ts'

/** What making room needs. */
export type RoomParts = {
  blobs: Pick<Blobs, 'isShortOfRoom'>
  /** The memory files by their names, all that there are. */
  files: Pick<MemoryFile, 'reclaim'>
  listFiles(): Promise<string[]>
  store: Pick<Store, 'givePagesBack'>
  log: Pick<Log, 'warn'>
}

/** Makes what room there is to make where the disk is short of it, going on after what fails; to be called every few seconds. */
export async function makeRoom({ blobs, files, listFiles, store, log }: RoomParts): Promise<void> {
  if (!(await blobs.isShortOfRoom())) return
  for (const name of await listFiles()) {
    if (memoryOfFile(name) === null) continue
    await files
      .reclaim(name)
      .catch((err: unknown) =>
        log.warn({ err, memoryFile: name }, 'left for the next round: a file gives no room back'),
      )
  }
  await store.givePagesBack()
}
