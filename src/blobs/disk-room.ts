import { statfs } from 'node:fs/promises'
import { ApiError } from '../errors.ts'
import { DISK_RESERVE_BYTES } from '../limits.ts'

/** Rejects with `insufficient_storage` where the disk of a folder has no room for so many bytes beside what stays free for deleting. */
export async function requireDiskRoom(directory: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory)
  if (bavail * bsize < DISK_RESERVE_BYTES + bytes) throw new ApiError('insufficient_storage')
}

/** The room of a folder's disk. */
export type DiskRoom = {
  /** See {@link requireDiskRoom}. */
  require(bytes: number): Promise<void>
  /** True where twice what stays free is not, where somebody was refused, and for some time behind. */
  isShort(): Promise<boolean>
}

/** Whoever deletes to make room deletes more than one, and whoever was refused tries again: both within this. Ours. */
const SHORTAGE_MS = 5 * 60_000

/** That of the disk of this folder. */
export function createDiskRoom(directory: string): DiskRoom {
  let shortAt = -Infinity
  return {
    async require(bytes) {
      try {
        await requireDiskRoom(directory, bytes)
      } catch (error) {
        shortAt = performance.now()
        throw error
      }
    },
    async isShort() {
      const { bavail, bsize } = await statfs(directory)
      if (bavail * bsize < 2 * DISK_RESERVE_BYTES) shortAt = performance.now()
      return performance.now() - shortAt < SHORTAGE_MS
    },
  }
}
