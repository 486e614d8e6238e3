import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and its missing parents, private to the owner. Returns the topmost folder
 * created, or `null` if all existed.
 *
 * Rejects with the file system's error for the folder that failed. Node's recursive `mkdir` reports
 * a different error on a read-only disk, and never returns in a folder such as `/proc`.
 */
export async function makeFolder(path: string): Promise<string | null> {
  const above = dirname(path)
  try {
    return await makeOne(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw error
  }
  const topmost = await makeFolder(above)
  const made = await makeOne(path)
  return topmost ?? made
}

/** Returns the path if created, `null` if the folder existed. */
async function makeOne(path: string): Promise<string | null> {
  try {
    await mkdir(path, { mode: 0o700 })
    return path
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST' && (await stat(path)).isDirectory()
    if (!isThere) throw error
    return null
  }
}
