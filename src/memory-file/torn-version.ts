import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { isShortAt } from './is-short.ts'
import { isWhole, type Manifest, readManifest } from './manifest/read-manifest.ts'
import { manifestFile, openVersionFolder, type VersionFiles } from './version-files.ts'

/** A table is made, then its index of words; only then rows are written, and acknowledged. */
const VERSIONS_WITHOUT_ROWS = 2

/**
 * Sets the newest version of a memory file aside when it was not written whole, and tells whether it did. Lance links a manifest into place
 * only when it is complete; but it flushes nothing, so the loss of power can leave such a version of what was not yet acknowledged, and a disk
 * without room can (`sync-files.ts`). With the manifest out of the way Lance opens the version before, which was flushed whole, since
 * upkeep leaves it until more is (`TableCare`). Files that were there before the version do not count: what is damaged of those was acknowledged, and an
 * older version would lack more.
 */
export async function setAsideTornVersion(folder: string, name: string): Promise<boolean> {
  const versions = openVersionFolder(folder)
  const [newest, before] = await versions.list(name)
  if (newest === undefined || (before === undefined && newest > VERSIONS_WITHOUT_ROWS)) return false
  const manifest = await readIfWhole(versions, name, newest)
  if (manifest !== null) {
    const known = before === undefined ? null : await readIfWhole(versions, name, before)
    const fresh = [...manifest.files].filter(([path]) => !known?.files.has(path))
    const areShort = fresh.map(([path, bytes]) => isShortAt(join(folder, `${name}.lance`, path), bytes))
    if (!(await Promise.all(areShort)).includes(true)) return false
  }
  await setAside(folder, name, newest)
  return true
}

/** Sets every version aside that is newer than this one, the newest first: none of them was acknowledged, since one names a file that found no room. */
export async function setAsideBehind(folder: string, name: string, version: number): Promise<void> {
  for (const newer of await openVersionFolder(folder).list(name))
    if (newer > version) await setAside(folder, name, newer)
}

async function setAside(folder: string, name: string, version: number): Promise<void> {
  const path = join(folder, `${name}.lance`, '_versions', manifestFile(version))
  await rename(path, `${path}.torn`)
}

async function readIfWhole(versions: VersionFiles, name: string, version: number): Promise<Manifest | null> {
  const file = await versions.read(name, version)
  return isWhole(file) ? readManifest(file) : null
}
