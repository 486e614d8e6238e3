import { statfs } from 'node:fs/promises'

/**
 * Returns the bytes that the current user may still write on the disk of an existing path. Rejects
 * with the file system's error.
 */
export async function readFreeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}
