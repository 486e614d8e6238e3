import { linkSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Bytes of a file or of all files under a folder; 0 for a missing path. Files removed meanwhile do
 * not count.
 */
export function sizeOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return 0
  if (!stat.isDirectory()) return stat.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

/** Bytes of a data folder without the 8 MB reserve for deletions on a full disk. */
export function sizeOfData(dataDir: string): number {
  return sizeOf(dataDir) - sizeOf(join(dataDir, 'objects', 'reserve'))
}

/**
 * A second folder with hard links to the files, without extra space; only for files that never
 * change in place.
 */
export function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkFolder(source, target)
    else linkSync(source, target)
  }
}
