import { linkSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes of all files under a folder, or of a file; 0 when there is none. Files that go meanwhile do not count. */
export function sizeOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return 0
  if (!stat.isDirectory()) return stat.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

/** Bytes of a data folder, but for what it holds back for deletions on a full disk: 8 MB, however much is in it. */
export function sizeOfData(dataDir: string): number {
  return sizeOf(dataDir) - sizeOf(join(dataDir, 'objects', 'reserve'))
}

/** A second folder of the same files, which take no space of their own: for files that are never changed in place. */
export function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkFolder(source, target)
    else linkSync(source, target)
  }
}
