import { open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Files flushed at a time; more would fill Node's four file threads for others. */
const AT_ONCE = 3

/** What is known to be on the disk, by memory file folder. Made by {@link syncFiles} calls, handed from one to the next. */
export type SyncedFiles = Set<string>

/**
 * Flushes every file under `folder` that is not in `synced`, and the folders that hold them, then adds them to `synced`.
 * Lance calls no fsync: without this an acknowledged chunk can be lost with the power (its files are written
 * once and never changed, so each is flushed once). Files that vanish meanwhile were cleaned up and are skipped.
 */
export async function syncFiles(folder: string, synced: SyncedFiles): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const fresh = files.filter((file) => !synced.has(file) && isKept(file))
  const changed = fresh.length > 0 ? [...new Set([folder, ...fresh.map((file) => dirname(file))])] : []
  const toFlush = [...fresh, ...changed]
  for (let i = 0; i < toFlush.length; i += AT_ONCE) await Promise.all(toFlush.slice(i, i + AT_ONCE).map(flush))
  for (const file of fresh) synced.add(file)
  const present = new Set(files)
  for (const file of synced) if (!present.has(file)) synced.delete(file)
}

/**
 * Lance's temporary files are renamed or dropped; the version hint is rewritten with each commit and only saves a
 * listing; a transaction file is of use to commits running beside it alone.
 */
function isKept(file: string): boolean {
  return !/[\\/](\.tmp[^\\/]*|_transactions[\\/][^\\/]*)$|#\d+$|latest_version_hint\.json$/.test(file)
}

async function flush(path: string): Promise<void> {
  let handle: Awaited<ReturnType<typeof open>>
  try {
    handle = await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
