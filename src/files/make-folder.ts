import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it that are missing, private to the owner; gives the topmost that it made, `null` when all were there. Rejects with what
 * the file system says of the one that cannot be made: Node's own recursive `mkdir` names another reason on a read-only disk, and tries for ever
 * in a folder that takes none, such as `/proc`.
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

/** Its path when it was made, `null` when it was there. */
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
