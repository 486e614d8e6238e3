import { type FileHandle, open } from 'node:fs/promises'

/** The letters every whole Arrow file ends with. */
const ARROW_FOOT = 'ARROW1'

/**
 * True for an open file that is not as long as a version says: of other than `bytes`; where that is not told (`null`, of deletion files), of none, or an Arrow file
 * without its foot.
 */
export async function isShort(file: FileHandle, path: string, bytes: number | null): Promise<boolean> {
  const { size } = await file.stat()
  if (bytes !== null) return size !== bytes
  if (!path.endsWith('.arrow')) return size === 0
  const { buffer, bytesRead } = await file.read(
    Buffer.alloc(ARROW_FOOT.length),
    0,
    ARROW_FOOT.length,
    Math.max(0, size - ARROW_FOOT.length),
  )
  return buffer.toString('latin1', 0, bytesRead) !== ARROW_FOOT
}

/** The same by path; false where there is none, since whoever names a file in a manifest made it before. */
export async function isShortAt(path: string, bytes: number | null): Promise<boolean> {
  try {
    await using file = await open(path, 'r')
    return await isShort(file, path, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
