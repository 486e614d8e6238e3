import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import { ApiError } from '../errors.ts'
import { writeNewFile } from '../files/write-new-file.ts'
import { MAX_FILE_BYTES } from '../limits.ts'
import { cleanFilePath } from '../text/clean-file-name.ts'
import { type ByteSource, openFileBytes } from './byte-source.ts'
import { createUnpackBudget, type UnpackBudget } from './ooxml/package/unpack-budget.ts'
import { isBomb, isUnpackable, unpackEntry } from './ooxml/package/zip-archive.ts'
import {
  checkEntries,
  findContent,
  LOCAL_HEADER_BYTES,
  LOCAL_SIGNATURE,
  readDirectory,
  type ZipDirectory,
  type ZipEntry,
} from './ooxml/package/zip-directory.ts'
import { isTooLargeUnpacked, passwordProtected, tooLargeUnpacked, unreadable } from './parse-event.ts'

/** Limits on a ZIP archive of documents. */
export type ZipLimits = { maxMembers: number; maxBytes: number }

/**
 * A member of an archive, in the order of the directory. `entry` is `null` for a member without
 * content to read; `refusal` gives the reason.
 */
export type ZipMember = {
  /** Path inside of the archive, cleaned: a name, never a file path. */
  filename: string
  /** Unpacked size. */
  bytes: number
} & ({ entry: ZipEntry; refusal: null } | { entry: null; refusal: { status: 'skipped' | 'failed'; message: string } })

/** An open archive of documents. */
export type ZipMembers = {
  readonly members: readonly ZipMember[]
  /**
   * Unpacks a member to a new file. Throws `unprocessable_document` for a damaged member; the
   * caller deletes the partial file.
   */
  unpack(entry: ZipEntry, path: string, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

const MB = 1024 * 1024

/**
 * Opens an archive of documents. Throws `unprocessable_document` for a damaged or malicious
 * archive, and for one beyond the limits.
 */
export async function openZipMembers(path: string, limits: ZipLimits): Promise<ZipMembers> {
  const source = await openFileBytes(path)
  try {
    const budget = createUnpackBudget({ maxEntryBytes: MAX_FILE_BYTES, maxBytes: limits.maxBytes })
    return {
      members: await listMembers(source, limits),
      unpack: (entry, target, signal) => writeNewFile(target, unpackChecked(source, entry, budget), { signal }),
      close: () => source.close(),
    }
  } catch (error) {
    await source.close()
    throw error
  }
}

async function listMembers(source: ByteSource, { maxMembers, maxBytes }: ZipLimits): Promise<ZipMember[]> {
  const directory = await readDirectory(source)
  const { entries } = directory
  if (entries.length > maxMembers) throw tooManyMembers(entries.length, maxMembers)
  checkEntries(entries, source.bytes)
  const members = entries.map(toMember)
  const bytes = members.reduce((total, { entry }) => total + (entry?.bytes ?? 0), 0)
  if (bytes > maxBytes)
    throw tooLargeUnpacked(`its members have ${Math.ceil(bytes / MB)} MB, at most ${Math.floor(maxBytes / MB)} MB`)
  // Members under the size that counts for a single one may be a bomb together.
  if (isBomb(bytes, source.bytes)) throw tooLargeUnpacked('its members unpack to far more than their packed size')
  return [...members, ...(await listUnlistedMembers(source, directory))]
}

function tooManyMembers(count: number, max: number): ApiError {
  return new ApiError('unprocessable_document', {
    message: `The archive has ${count} members, more than the ${max} that are allowed.`,
    remedy: 'Send several smaller archives.',
  })
}

function toMember(entry: ZipEntry): ZipMember {
  const filename = readMemberName(entry)
  const refusal = findRefusal(entry, decodeMemberName(entry))
  return refusal === null
    ? { filename, bytes: entry.bytes, entry, refusal }
    : { filename, bytes: entry.bytes, entry: null, refusal }
}

/** Resource forks of macOS, and files with the view of a folder, of macOS and Windows. */
const SYSTEM_FILES = /(?:^|[/\\])(?:__MACOSX[/\\]|\._[^/\\]+$|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i
/** Word, Excel and PowerPoint mark an open document so, and LibreOffice. */
const LOCK_FILES = /(?:^|[/\\])(?:~\$[^/\\]+|\.~lock\.[^/\\]+#)$/
const DOS_DIRECTORY = 0x10
const UNIX_TYPE_MASK = 0o170000
const UNIX_LINK = 0o120000

function findRefusal(entry: ZipEntry, name: string): Extract<ZipMember, { entry: null }>['refusal'] | null {
  const { bytes, attributes } = entry
  const skipped = (message: string) => ({ status: 'skipped', message }) as const
  const failed = (message: string) => ({ status: 'failed', message }) as const
  if (/[/\\]$/.test(name) || (bytes === 0 && (attributes & DOS_DIRECTORY) !== 0)) return skipped('A folder.')
  if (SYSTEM_FILES.test(name)) return skipped('A file of the operating system.')
  if (LOCK_FILES.test(name)) return skipped('A lock file of an Office program.')
  if (((attributes >>> 16) & UNIX_TYPE_MASK) === UNIX_LINK) return skipped('A link to another file.')
  if (bytes === 0) return skipped('The file is empty.')
  if (entry.isEncrypted) return failed(passwordProtected().message)
  if (bytes > MAX_FILE_BYTES) return failed(`The file is larger than ${MAX_FILE_BYTES / MB} MB.`)
  if (!isUnpackable(entry)) return failed(`The ZIP compression method ${entry.method} is not supported.`)
  return null
}

async function* unpackChecked(source: ByteSource, entry: ZipEntry, budget: UnpackBudget): AsyncGenerator<Buffer> {
  let bytes = 0
  let crc = 0
  try {
    for await (const piece of unpackEntry(source, entry, budget)) {
      bytes += piece.length
      if (bytes > entry.bytes) break
      crc = crc32(piece, crc)
      yield piece
    }
  } catch (error) {
    if (!(error instanceof ApiError) || isTooLargeUnpacked(error)) throw error
    throw unreadable('The file is damaged: it cannot be unpacked.', error)
  }
  if (bytes !== entry.bytes) throw unreadable('The file is damaged: its size is not that of the directory.')
  if (crc !== entry.crc) throw unreadable('The file is damaged: it does not match its checksum.')
}

/** A data descriptor, the only honest content between two members, is shorter. */
const MIN_GAP_BYTES = LOCAL_HEADER_BYTES
/** A hostile archive may consist of starts of headers. */
const MAX_TRIES = 100
const MAX_NAME_BYTES = 1024
const PIECE_BYTES = MB

/** Members with a local header that the directory does not list: other programs may show them. */
async function listUnlistedMembers(source: ByteSource, { entries, start }: ZipDirectory): Promise<ZipMember[]> {
  const unlisted: ZipMember[] = []
  const search = { source, tries: MAX_TRIES }
  let end = 0
  for (const entry of [...entries].sort((a, b) => a.offset - b.offset)) {
    unlisted.push(...(await listHeaders(search, end, entry.offset)))
    end = ((await findContent(source, entry)) ?? entry.offset) + entry.packedBytes
  }
  unlisted.push(...(await listHeaders(search, end, start)))
  return unlisted
}

/** A search for local headers in all gaps; `tries` more headers are examined. */
type HeaderSearch = { source: ByteSource; tries: number }

/** Members whose local headers start in a range. */
async function listHeaders(search: HeaderSearch, start: number, end: number): Promise<ZipMember[]> {
  const { source } = search
  const found: ZipMember[] = []
  for (let at = start; end - at >= MIN_GAP_BYTES && search.tries > 0; ) {
    const piece = await source.read(at, Math.min(PIECE_BYTES, end - at))
    const place = piece.indexOf(LOCAL_SIGNATURE)
    if (place < 0 || piece.length - place < LOCAL_HEADER_BYTES) {
      // A header at the end of the piece is whole in the next.
      at += place > 0 ? place : Math.max(1, piece.length - LOCAL_SIGNATURE.length + 1)
      continue
    }
    search.tries -= 1
    const header = await source.read(at + place, LOCAL_HEADER_BYTES + MAX_NAME_BYTES)
    const name = readLocalName(header)
    if (name !== null) found.push({ filename: name, bytes: 0, entry: null, refusal: UNLISTED })
    at += place + LOCAL_HEADER_BYTES
  }
  return found
}

const UNLISTED = { status: 'failed', message: 'The directory of the archive does not list this file.' } as const
const UTF8_FLAG = 0x800

function readLocalName(header: Buffer): string | null {
  const nameEnd = LOCAL_HEADER_BYTES + header.readUInt16LE(26)
  if (nameEnd === LOCAL_HEADER_BYTES || nameEnd > header.length) return null
  const rawName = header.subarray(LOCAL_HEADER_BYTES, nameEnd)
  const hasUtf8Name = (header.readUInt16LE(6) & UTF8_FLAG) !== 0
  return readMemberName({ rawName, hasUtf8Name, extra: Buffer.alloc(0) })
}

/** Upper half of code page 437, the default encoding of names. APPNOTE.TXT 6.3.10, appendix D. */
const CODE_PAGE_437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
  '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'
/** Extra field with the name in UTF-8. APPNOTE.TXT 6.3.10, section 4.6.9. */
const UNICODE_PATH = 0x7075

/** The parts of an entry that give its name. */
type NamedEntry = Pick<ZipEntry, 'rawName' | 'hasUtf8Name' | 'extra'>

/** Returns the path of a member, cleaned: a name, never a file path. */
export function readMemberName(entry: NamedEntry): string {
  return cleanFilePath(decodeMemberName(entry)) ?? 'unnamed'
}

/**
 * Decodes the name of an entry: by its Unicode extra field, as UTF-8 if flagged or valid, and
 * otherwise in code page 437. Many programs write UTF-8 without the flag.
 */
export function decodeMemberName({ rawName, hasUtf8Name, extra }: NamedEntry): string {
  const unicode = findUnicodePath(extra, rawName)
  if (unicode !== null) return unicode
  if (hasUtf8Name || isUtf8(rawName)) return rawName.toString('utf8')
  return Array.from(rawName, (byte) =>
    byte < 128 ? String.fromCharCode(byte) : (CODE_PAGE_437[byte - 128] ?? ''),
  ).join('')
}

/** `null` without a valid field: a program that renamed the entry may have left the old one. */
function findUnicodePath(extra: Buffer, rawName: Buffer): string | null {
  for (let at = 0; at + 4 <= extra.length; ) {
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
    const isUnicodePath = extra.readUInt16LE(at) === UNICODE_PATH && field.length > 5 && field.readUInt8(0) === 1
    if (isUnicodePath && field.readUInt32LE(1) === crc32(rawName)) return field.toString('utf8', 5)
    at += 4 + field.length
  }
  return null
}
