import { open, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../files/make-folder.ts'
import { hasCode, isMissing } from './disk-errors.ts'

/** Makes a folder and those above it, private to the owner, and durable: the folder that holds the first new one is synced. */
export async function makeDurableFolder(path: string): Promise<void> {
  const firstMade = await makeFolder(path)
  if (firstMade === null) return
  for (let folder = path; folder.length >= firstMade.length; folder = dirname(folder)) await syncFolder(dirname(folder))
}

/** Makes the names in a folder durable. A folder that is gone has none. */
export async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path, 'r')
    await folder.sync()
  } catch (error) {
    // Windows lets no folder be opened; its file systems keep names without being asked.
    if (!isMissing(error) && !hasCode(error, 'EISDIR', 'EPERM')) throw error
  }
}

/** Removes folders and those above them as long as they are empty, up to but not `root`; then makes that durable. */
export async function pruneFolders(paths: readonly string[], root: string): Promise<void> {
  const gone = new Set<string>()
  const kept = new Set<string>()
  for (const path of paths) {
    let folder = path.replace(/[/\\]$/, '')
    while (folder.length > root.length && (gone.has(folder) || (await removeEmpty(folder)))) {
      gone.add(folder)
      folder = dirname(folder)
    }
    kept.add(folder)
  }
  // One that held something may be empty after the next path.
  for (const folder of kept) if (!gone.has(folder)) await syncFolder(folder)
}

/** False when the folder holds something. */
async function removeEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder)
    return true
  } catch (error) {
    if (isMissing(error)) return true
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST')) return false
    throw error
  }
}
