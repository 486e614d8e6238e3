import type { ByteSource } from '../../byte-source.ts'

/** Stream names of a compound file are UTF-16; this one holds an Office file behind a password (MS-OFFCRYPTO, 1.3.2). */
const MARK = Buffer.from('EncryptedPackage', 'utf16le')
const COMPOUND_FILE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])
const PIECE_BYTES = 1024 * 1024

/** True for a Word, PowerPoint or Excel file that is encrypted with a password, which is a compound file, not a zip archive. */
export async function isEncryptedPackage(source: ByteSource): Promise<boolean> {
  if (!(await source.read(0, 4)).equals(COMPOUND_FILE)) return false
  for (let at = 0; at < source.bytes; at += PIECE_BYTES) {
    if ((await source.read(at, PIECE_BYTES + MARK.length)).includes(MARK)) return true
  }
  return false
}
