import { statfs } from 'node:fs/promises'
import { ApiError } from '../errors.ts'

/**
 * Left free by adding, for deletions, jobs' states and counts: on a disk that is full to the last byte only deletions have room, once
 * (`disk-reserve.ts`). Our choice: ten thousands of such commits, and little of any disk.
 */
const RESERVED_BYTES = 8 * 1024 * 1024

/** Rejects with `insufficient_storage` where the disk of a folder has no room for so many bytes beside what stays free for deleting. */
export async function requireDiskRoom(directory: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory)
  if (bavail * bsize < RESERVED_BYTES + bytes) throw new ApiError('insufficient_storage')
}
