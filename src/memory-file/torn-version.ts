import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isWhole, type Manifest, readManifest } from './manifest/read-manifest.ts'
import { manifestFile, openVersionFolder, type VersionFiles } from './version-files.ts'

/** A table is made, then its index of words; only then rows are written, and acknowledged. */
const VERSIONS_WITHOUT_ROWS = 2

/**
 * Sets the newest version of a memory file aside when it was not written whole, and tells whether it did. Lance links a manifest into place
 * only when it and all it names are complete, so no running process leaves such a version; but it flushes nothing, so the loss of power
 * can, for what was not yet acknowledged. With the manifest out of the way Lance opens the version before, which was flushed whole, since
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
    const areWhole = await Promise.all(
      fresh.map(([path, bytes]) => hasBytes(join(folder, `${name}.lance`, path), bytes)),
    )
    if (!areWhole.includes(false)) return false
  }
  const path = join(folder, `${name}.lance`, '_versions', manifestFile(newest))
  await rename(path, `${path}.torn`)
  return true
}

async function readIfWhole(versions: VersionFiles, name: string, version: number): Promise<Manifest | null> {
  const file = await versions.read(name, version)
  return isWhole(file) ? readManifest(file) : null
}

/** True for a file of so many bytes, of one at least where they are not known; and where there is none, since whoever names a file in a manifest made it before. */
async function hasBytes(path: string, bytes: number | null): Promise<boolean> {
  try {
    const { size } = await stat(path)
    return bytes === null ? size > 0 : size === bytes
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw error
  }
}
