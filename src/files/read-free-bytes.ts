import { statfs } from 'node:fs/promises'

/** Bytes that this user may still write on the disk of a path that exists. Rejects with the file system's error. */
export async function readFreeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}
