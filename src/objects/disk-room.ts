import { statfs } from 'node:fs/promises'
import { ApiError } from '../errors.ts'
import { DISK_RESERVE_BYTES } from '../limits.ts'

/** Rejects with `insufficient_storage` where the disk of a folder has no room for so many bytes beside what stays free for deleting. */
export async function requireDiskRoom(directory: string, bytes: number): Promise<void> {
  if (!hasRoom(await readFreeBytes(directory), bytes)) throw new ApiError('insufficient_storage')
}

/** The room of a folder's disk. */
export type DiskRoom = {
  /** See {@link requireDiskRoom}. */
  require(bytes: number): Promise<void>
  /** True where twice what stays free is not, where somebody was refused who needs little, and for some time behind. */
  isShort(): Promise<boolean>
}

/** Whoever deletes to make room deletes more than one, and whoever was refused tries again: both within this. Ours. */
const SHORTAGE_MS = 5 * 60_000
/** Who needs more and is refused may be asking for too much: that says nothing of a disk on which others have room. Ours. */
const LITTLE_BYTES = 64 * 1024 * 1024

/** That of the disk of this folder; `freeBytes` tells what is free of it. */
export function createDiskRoom(directory: string, freeBytes = () => readFreeBytes(directory)): DiskRoom {
  let shortAt = -Infinity
  function note(free: number): void {
    if (free < 2 * DISK_RESERVE_BYTES) shortAt = performance.now()
  }

  return {
    async require(bytes) {
      const free = await freeBytes()
      note(free)
      if (hasRoom(free, bytes)) return
      if (bytes <= LITTLE_BYTES) shortAt = performance.now()
      throw new ApiError('insufficient_storage')
    },
    async isShort() {
      note(await freeBytes())
      return performance.now() - shortAt < SHORTAGE_MS
    },
  }
}

function hasRoom(free: number, bytes: number): boolean {
  return free >= DISK_RESERVE_BYTES + bytes
}

async function readFreeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}
