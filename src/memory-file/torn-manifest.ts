import { open, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'

/** The last four bytes of every whole Lance file. */
const MAGIC = 'LANC'

/**
 * Sets a newest manifest aside that was not written whole, and tells whether it did. Lance links a manifest into place
 * only when it is complete, so no running process leaves such a file; but it does not flush it, so the loss of power
 * can, for a commit that was not yet acknowledged. Lance then opens the dataset no more; with the file
 * out of the way it opens the version before. Names count down from 2^64, so the newest sorts first.
 */
export async function setAsideTornManifest(datasetFolder: string): Promise<boolean> {
  const versions = join(datasetFolder, '_versions')
  const manifests = (await readdir(versions)).filter((name) => /^\d{20}\.manifest$/.test(name)).sort()
  const [newest, before] = manifests
  if (newest === undefined || before === undefined) return false
  if ((await readEnd(join(versions, newest))) === MAGIC) return false
  await rename(join(versions, newest), join(versions, `${newest}.torn`))
  return true
}

async function readEnd(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const buffer = Buffer.alloc(Math.min(MAGIC.length, size))
    await file.read(buffer, 0, buffer.length, size - buffer.length)
    return buffer.toString('latin1')
  } finally {
    await file.close()
  }
}
