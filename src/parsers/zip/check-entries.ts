import { passwordProtected, unreadable } from '../unreadable.ts'
import type { ZipEntry } from './read-directory.ts'

/** Bytes of a local header before the name. */
const LOCAL_HEADER_BYTES = 30

/**
 * Throws `unprocessable_document` for entries that lie outside of the file, that share bytes (the trick of zip bombs
 * without nesting), or that are encrypted.
 */
export function checkEntries(entries: readonly ZipEntry[], fileBytes: number): void {
  if (entries.some((entry) => entry.isEncrypted)) throw passwordProtected()
  const inOrder = [...entries].sort((a, b) => a.offset - b.offset)
  let end = 0
  for (const { offset, packedBytes, name } of inOrder) {
    if (offset < end) throw unreadable('The file is damaged: its parts overlap.')
    end = offset + LOCAL_HEADER_BYTES + Buffer.byteLength(name) + packedBytes
    if (!(end <= fileBytes)) throw unreadable('The file is damaged: it ends in the middle of a part.')
  }
}
