/**
 * What the first bytes of a file say it is. Marks of two or three letters also begin honest texts ("BM25 is …"),
 * so they count only where the file is binary otherwise (`weak`).
 */
export type Signature = {
  /** What messages call it. */
  name: string
  /** Its name in `formats.ts`, where it has one. */
  format?: string
  /** Latin-1 text of the bytes. */
  bytes: string
  /** Where the bytes stand; 0 when absent. */
  offset?: number
  weak?: boolean
}

const SIGNATURES: readonly Signature[] = [
  { name: 'PDF', format: 'pdf', bytes: '%PDF-' },
  { name: 'ZIP archive', bytes: 'PK\x03\x04' },
  { name: 'ZIP archive', bytes: 'PK\x05\x06' },
  { name: 'legacy Office file', bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' },
  { name: 'PNG image', format: 'png', bytes: '\x89PNG\r\n\x1a\n' },
  { name: 'JPEG image', format: 'jpeg', bytes: '\xff\xd8\xff' },
  { name: 'GIF image', format: 'gif', bytes: 'GIF87a', weak: true },
  { name: 'GIF image', format: 'gif', bytes: 'GIF89a', weak: true },
  { name: 'WebP image', format: 'webp', bytes: 'WEBP', offset: 8, weak: true },
  { name: 'TIFF image', format: 'tiff', bytes: 'II*\0' },
  { name: 'TIFF image', format: 'tiff', bytes: 'MM\0*' },
  { name: 'BMP image', format: 'bmp', bytes: 'BM', weak: true },
  { name: 'HEIF image', bytes: 'ftyphei', offset: 4 },
  { name: 'AVIF image', bytes: 'ftypavif', offset: 4 },
  { name: 'icon', bytes: '\0\0\x01\0' },
  { name: 'gzip archive', bytes: '\x1f\x8b' },
  { name: 'bzip2 archive', bytes: 'BZh', weak: true },
  { name: 'xz archive', bytes: '\xfd7zXZ\0' },
  { name: '7z archive', bytes: '7z\xbc\xaf\x27\x1c' },
  { name: 'RAR archive', bytes: 'Rar!\x1a\x07' },
  { name: 'Zstandard archive', bytes: '\x28\xb5\x2f\xfd' },
  { name: 'tar archive', bytes: 'ustar', offset: 257, weak: true },
  { name: 'Windows executable', bytes: 'MZ', weak: true },
  { name: 'ELF executable', bytes: '\x7fELF' },
  { name: 'Mach-O executable', bytes: '\xcf\xfa\xed\xfe' },
  { name: 'Java class', bytes: '\xca\xfe\xba\xbe' },
  { name: 'WebAssembly module', bytes: '\0asm' },
  { name: 'SQLite database', bytes: 'SQLite format 3\0' },
  { name: 'Parquet file', bytes: 'PAR1', weak: true },
  { name: 'MP3 audio', bytes: 'ID3', weak: true },
  { name: 'MP3 audio', bytes: '\xff\xfb' },
  { name: 'MP4 video', bytes: 'ftyp', offset: 4, weak: true },
  { name: 'WAV audio', bytes: 'WAVE', offset: 8, weak: true },
  { name: 'Ogg media', bytes: 'OggS', weak: true },
  { name: 'FLAC audio', bytes: 'fLaC', weak: true },
  { name: 'Matroska video', bytes: '\x1a\x45\xdf\xa3' },
  { name: 'TrueType font', bytes: '\0\x01\0\0' },
  { name: 'web font', bytes: 'wOF2', weak: true },
  { name: 'RTF', bytes: '{\\rtf' },
  { name: 'PostScript', bytes: '%!PS' },
]

/** Names inside a container, Latin-1 or UTF-16LE, that tell what it holds. */
const CONTENTS: readonly { container: string; mark: string; name: string; format?: string }[] = [
  { container: 'ZIP archive', mark: 'word/', name: 'DOCX', format: 'docx' },
  { container: 'ZIP archive', mark: 'xl/', name: 'XLSX', format: 'xlsx' },
  { container: 'ZIP archive', mark: 'ppt/', name: 'PPTX', format: 'pptx' },
  { container: 'ZIP archive', mark: 'application/epub+zip', name: 'EPUB' },
  { container: 'ZIP archive', mark: 'application/vnd.oasis.opendocument', name: 'OpenDocument' },
  { container: 'legacy Office file', mark: utf16('WordDocument'), name: 'DOC', format: 'doc' },
  { container: 'legacy Office file', mark: utf16('PowerPoint Document'), name: 'PPT', format: 'ppt' },
  { container: 'legacy Office file', mark: utf16('Workbook'), name: 'XLS', format: 'xls' },
  { container: 'legacy Office file', mark: utf16('EncryptedPackage'), name: 'encrypted Office file' },
]

/** The binary format that the beginning of a file shows; `null` when it shows none. */
export function getSignature(head: Buffer): Pick<Signature, 'name' | 'format'> | null {
  const latin = head.toString('latin1')
  const isBinary = head.subarray(0, 1024).some((byte) => byte < 9 || (byte > 13 && byte < 27))
  const found = SIGNATURES.find(
    ({ bytes, offset = 0, weak = false }) => latin.startsWith(bytes, offset) && (isBinary || !weak),
  )
  if (found === undefined) return null
  return CONTENTS.find(({ container, mark }) => container === found.name && latin.includes(mark)) ?? found
}

function utf16(text: string): string {
  return Buffer.from(text, 'utf16le').toString('latin1')
}
