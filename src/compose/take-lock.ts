import { dirname } from 'node:path'
import { lockData } from '../database/sqlite/data-lock.ts'
import { isOutOfRoom } from '../errors.ts'
import type { DataFolder } from '../files/data-folder.ts'
import { readFreeBytes } from '../files/read-free-bytes.ts'
import { createDiskReserve } from '../objects/disk-space.ts'

/** What a start writes, at most, beside migrations that write tables anew, which ask for their room themselves: the database's log and shared memory, this process among the nodes. Seen: 0.2 MB. */
const START_BYTES = 2 * 1024 * 1024

/**
 * Takes a data folder for this process; the function it returns gives it back. On a full disk with the room that is held for deletions: a service that
 * does not start deletes nothing. Rejects as `lockData` does.
 */
export async function takeLock({ lock, objects }: DataFolder): Promise<() => void> {
  const reserve = createDiskReserve(objects)
  const unlock = await lockOrMakeRoom(lock, reserve.release)
  if ((await readFreeBytes(dirname(lock))) < START_BYTES) await reserve.release()
  return unlock
}

async function lockOrMakeRoom(lock: string, makeRoom: () => Promise<void>): Promise<() => void> {
  try {
    return lockData(lock)
  } catch (error) {
    // Where another process has it, that is found before any room is needed.
    if (!isOutOfRoom(error)) throw error
  }
  await makeRoom()
  return lockData(lock)
}
