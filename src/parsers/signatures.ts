import { requireFormat } from './formats.ts'
import { getImageFormat } from './images/image-format.ts'

/** File type detected from the first bytes. */
export type Signature = {
  /** Name in messages. */
  name: string
  /** Name in `formats.ts`, if supported. */
  format?: string
  /** Container type; the content decides the format. */
  container?: 'zip' | 'ole' | 'gzip'
}

/**
 * Short marks also begin ordinary texts ("BM25 is …"), so `weak` marks count only in binary files.
 * `bytes` is Latin-1, at the start of the file without `offset`.
 */
type Mark = Signature & { bytes: string; offset?: number; weak?: boolean }

const SIGNATURES: readonly Mark[] = [
  { name: 'ZIP archive', container: 'zip', bytes: 'PK\x03\x04' },
  { name: 'ZIP archive', container: 'zip', bytes: 'PK\x05\x06' },
  { name: 'OLE compound file', container: 'ole', bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' },
  // Word 2 wrote its stream directly to the file.
  { name: 'DOC', format: 'doc', bytes: '\xdb\xa5', weak: true },
  // Some programs write the stream of a workbook directly to the file: Excel 97, 5, 4, 3 and 2.
  { name: 'XLS', format: 'xls', bytes: '\x09\x08\x10\0' },
  { name: 'XLS', format: 'xls', bytes: '\x09\x08\x08\0' },
  { name: 'XLS', format: 'xls', bytes: '\x09\x04\x06\0' },
  { name: 'XLS', format: 'xls', bytes: '\x09\x02\x06\0' },
  { name: 'XLS', format: 'xls', bytes: '\x09\0\x04\0' },
  { name: 'HEIF image', bytes: 'ftyphei', offset: 4 },
  { name: 'HEIF image', bytes: 'ftypmif1', offset: 4 },
  { name: 'AVIF image', bytes: 'ftypavif', offset: 4 },
  { name: 'icon', bytes: '\0\0\x01\0' },
  { name: 'gzip archive', container: 'gzip', bytes: '\x1f\x8b' },
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
  { name: 'RTF', format: 'rtf', bytes: '{\\rtf' },
  { name: 'PostScript', bytes: '%!PS' },
]

/**
 * A PDF header may be preceded by data of a mail or web server, within this number of bytes. PDF
 * reference 1.7, appendix H, note 13.
 */
const PDF_MARK_BYTES = 1024

/**
 * Detects a binary format from the start of a file; `null` for none. `head` is at least 1 KB, or
 * the whole file.
 */
export function getSignature(head: Buffer): Signature | null {
  const latin = head.toString('latin1', 0, PDF_MARK_BYTES + 8)
  const isBinary = hasControls(head.subarray(0, 1024))
  const image = isBinary ? getImageFormat(head) : null
  if (image !== null) return { name: `${requireFormat(image).name} image`, format: image }
  const marked = SIGNATURES.find(
    ({ bytes, offset = 0, weak = false }) => latin.startsWith(bytes, offset) && (isBinary || !weak),
  )
  if (marked !== undefined) return marked
  const pdfAt = latin.search(/%PDF-\d/)
  const isNear = pdfAt >= 0 && pdfAt < PDF_MARK_BYTES
  const isPdf = isNear && (pdfAt === 0 || hasControls(head) || isLeadIn(head, pdfAt))
  return isPdf ? { name: 'PDF', format: 'pdf' } : null
}

/** The header of a PDF behind other bytes. A file named as PDF needs no further evidence. */
export function hasPdfHeader(head: Buffer): boolean {
  return head.toString('latin1', 0, PDF_MARK_BYTES + 8).search(/%PDF-\d/) >= 0
}

/** The first object of a PDF after its header and comments. */
const PDF_START = /^%PDF-\d\.\d[ \t]*[\r\n]+(?:%[^\r\n]*[\r\n]+)*\s*\d+ \d+ obj\b/
/** Lines that a web server or mail part sets before a file. */
const SERVER_HEADER = /^(?:HTTP\/\d[^\r\n]*\r?\n(?:[\w-]+:[^\r\n]*\r?\n)*|(?:Content-[\w-]+:[^\r\n]*\r?\n)+)\s*$/i

/**
 * True for a PDF of plain letters behind white space, a byte order mark or the header of a server.
 * A text that quotes a PDF starts with words.
 */
function isLeadIn(head: Buffer, pdfAt: number): boolean {
  const lead = head.toString('latin1', 0, pdfAt).replace(/^\xef\xbb\xbf/, '')
  return (/^\s*$/.test(lead) || SERVER_HEADER.test(lead)) && PDF_START.test(head.toString('latin1', pdfAt))
}

/** True for bytes that texts never contain; white space and terminal colours are allowed. */
function hasControls(bytes: Buffer): boolean {
  return bytes.some((byte) => byte < 9 || (byte > 13 && byte < 27))
}
