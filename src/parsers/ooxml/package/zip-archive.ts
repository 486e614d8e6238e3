import { pipeline, Readable } from 'node:stream'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import { ApiError } from '../../../errors.ts'
import type { ByteSource } from '../../byte-source.ts'
import { passwordProtected, tooLargeUnpacked, unreadable } from '../../parse-event.ts'
import type { UnpackBudget } from './unpack-budget.ts'

/** A zip archive with streaming reads. Names are case-insensitive keys, never file paths. */
type ZipArchive = {
  /** Names as written, in directory order. */
  readonly names: readonly string[]
  has(name: string): boolean
  /**
   * Yields the unpacked bytes of a file. Throws `unprocessable_document` for a file that is absent,
   * damaged, packed by an unknown method or over budget. `onBadChecksum` reports altered bytes that
   * still unpack.
   */
  read(name: string): AsyncGenerator<Buffer>
}

type ZipOptions = { budget: UnpackBudget; onBadChecksum?: (name: string) => void }

/**
 * Deflate packs honest XML 5 to 50 times. A higher ratio marks a zip bomb, once the part is large
 * enough to matter.
 */
const MAX_UNPACK_RATIO = 200
const MIN_RATIO_CHECK_BYTES = 32 * 1024 * 1024

const STORED = 0
const DEFLATED = 8
const LOCAL_SIGNATURE = 0x04034b50
const PIECE_BYTES = 64 * 1024
/**
 * Creating streams for ten thousand small parts takes longer than inflating them. A part of this
 * size unpacks to at most 17 MB.
 */
const MAX_SYNC_BYTES = 16 * 1024

/**
 * Opens an archive. Throws `unprocessable_document` for a damaged, encrypted or malicious archive.
 */
export async function openZip(source: ByteSource, { budget, onBadChecksum }: ZipOptions): Promise<ZipArchive> {
  const entries = await readDirectory(source)
  checkEntries(entries, source.bytes)
  const byKey = new Map(entries.map((entry) => [normalizeName(entry.name), entry]))
  return {
    names: entries.map((entry) => entry.name),
    has: (name) => byKey.has(normalizeName(name)),
    async *read(name) {
      const entry = byKey.get(normalizeName(name))
      if (entry === undefined) throw unreadable(`The file is damaged: its part ${name} is missing.`)
      let crc = 0
      for await (const piece of unpack(source, entry, budget)) {
        crc = crc32(piece, crc)
        yield piece
      }
      if (crc !== entry.crc) onBadChecksum?.(entry.name)
    },
  }
}

/** Some writers use backslashes or a leading slash. */
function normalizeName(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase()
}

async function* unpack(source: ByteSource, entry: ZipEntry, budget: UnpackBudget): AsyncGenerator<Buffer> {
  if (entry.method !== STORED && entry.method !== DEFLATED) {
    throw unreadable(`The file uses ZIP compression method ${entry.method}, which is not supported.`)
  }
  if (entry.bytes > budget.maxEntryBytes) throw oversizedEntry(entry)
  let bytes = 0
  for await (const piece of entry.method === STORED ? readPacked(source, entry) : inflate(source, entry)) {
    bytes += piece.length
    budget.consume(piece.length)
    const isBomb = bytes > MIN_RATIO_CHECK_BYTES && bytes > entry.packedBytes * MAX_UNPACK_RATIO
    if (isBomb || bytes > budget.maxEntryBytes) throw oversizedEntry(entry)
    yield piece
  }
}

async function* readPacked(source: ByteSource, entry: ZipEntry): AsyncGenerator<Buffer> {
  const header = await source.read(entry.offset, 30)
  if (header.length < 30 || header.readUInt32LE(0) !== LOCAL_SIGNATURE) throw damagedEntry(entry)
  const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  const end = start + entry.packedBytes
  for (let at = start; at < end; at += PIECE_BYTES) {
    const piece = await source.read(at, Math.min(PIECE_BYTES, end - at))
    if (piece.length === 0) throw damagedEntry(entry)
    yield piece
  }
}

async function* inflate(source: ByteSource, entry: ZipEntry): AsyncGenerator<Buffer> {
  const small = entry.packedBytes <= MAX_SYNC_BYTES ? await inflateInMemory(source, entry) : null
  if (small !== null) yield small
  else yield* inflateStream(readPacked(source, entry), entry)
}

/**
 * Inflates a small part in memory; `null` for a damaged part, whose intact prefix the stream still
 * yields.
 */
async function inflateInMemory(source: ByteSource, entry: ZipEntry): Promise<Buffer | null> {
  const packed: Buffer[] = []
  for await (const piece of readPacked(source, entry)) packed.push(piece)
  try {
    return inflateRawSync(Buffer.concat(packed), { maxOutputLength: MIN_RATIO_CHECK_BYTES })
  } catch {
    return null
  }
}

async function* inflateStream(packed: AsyncIterable<Buffer>, entry: ZipEntry): AsyncGenerator<Buffer> {
  const stream = createInflateRaw({ chunkSize: PIECE_BYTES })
  pipeline(Readable.from(packed), stream, () => {})
  try {
    for await (const piece of stream) yield piece
  } catch (error) {
    throw error instanceof ApiError ? error : damagedEntry(entry, error)
  }
}

function damagedEntry(entry: ZipEntry, cause?: unknown): ApiError {
  return unreadable(`The file is damaged: its part ${entry.name.slice(0, 200)} cannot be unpacked.`, cause)
}

function oversizedEntry(entry: ZipEntry): ApiError {
  return tooLargeUnpacked(`its part ${entry.name.slice(0, 200)} unpacks to far more than its packed size`)
}

/** Size of a local header without the name. */
const LOCAL_HEADER_BYTES = 30

/**
 * Throws `unprocessable_document` for encrypted entries, entries beyond the end of the file, and
 * overlapping entries (the trick of zip bombs without nesting).
 */
function checkEntries(entries: readonly ZipEntry[], fileBytes: number): void {
  if (entries.some((entry) => entry.isEncrypted)) throw passwordProtected()
  const inOrder = [...entries].sort((a, b) => a.offset - b.offset)
  let end = 0
  for (const { offset, packedBytes, name } of inOrder) {
    if (offset < end) throw unreadable('The file is damaged: its parts overlap.')
    end = offset + LOCAL_HEADER_BYTES + Buffer.byteLength(name) + packedBytes
    if (!(end <= fileBytes)) throw unreadable('The file is damaged: it ends in the middle of a part.')
  }
}

/** An entry of the central directory. The name is data, never a file path. */
type ZipEntry = {
  name: string
  /** Compression method: 0 stored, 8 deflated. */
  method: number
  isEncrypted: boolean
  crc: number
  packedBytes: number
  bytes: number
  /** Offset of the local header. */
  offset: number
}

/** Field offsets of APPNOTE.TXT 6.3.10, sections 4.3.12 to 4.3.16. */
const END_BYTES = 22
const END_SIGNATURE = Buffer.from('PK\x05\x06', 'latin1')
const LOCATOR_SIGNATURE = 0x07064b50
const END64_SIGNATURE = 0x06064b50
const ENTRY_SIGNATURE = 0x02014b50
const ENTRY_BYTES = 46
const MAX_COMMENT_BYTES = 65_535
/** An honest document has some thousand parts of about 100 bytes each. */
const MAX_DIRECTORY_BYTES = 32 * 1024 * 1024
const MAX_ENTRIES = 100_000
const ALL_ONES_32 = 0xffffffff

/**
 * Reads the entries in directory order. Bytes before the archive are allowed. Throws
 * `unprocessable_document` for a truncated or damaged archive.
 */
async function readDirectory(source: ByteSource): Promise<ZipEntry[]> {
  const tailStart = Math.max(0, source.bytes - END_BYTES - MAX_COMMENT_BYTES)
  const tail = await source.read(tailStart, source.bytes - tailStart)
  const endAt = tail.lastIndexOf(END_SIGNATURE)
  if (endAt < 0 || endAt + END_BYTES > tail.length) throw truncatedArchive()
  const end = await readZip64EndRecord(source, tailStart + endAt, {
    end: tailStart + endAt,
    bytes: tail.readUInt32LE(endAt + 12),
    offset: tail.readUInt32LE(endAt + 16),
  })
  if (end.bytes > MAX_DIRECTORY_BYTES) throw unreadable('The file is damaged: its ZIP directory is too large.')
  // With bytes before the archive, the directory ends at its end record and all offsets shift.
  const start = (await isEntryAt(source, end.offset)) ? end.offset : end.end - end.bytes
  if (start < 0) throw truncatedArchive()
  const directory = await source.read(start, end.bytes)
  return readEntries(directory, start - end.offset)
}

type EndRecord = { end: number; bytes: number; offset: number }

async function readZip64EndRecord(source: ByteSource, endAt: number, end: EndRecord): Promise<EndRecord> {
  const locator = await source.read(Math.max(0, endAt - 20), 20)
  if (endAt < 20 || locator.readUInt32LE(0) !== LOCATOR_SIGNATURE) return end
  const at = Number(locator.readBigUInt64LE(8))
  if (at + 56 > source.bytes) throw truncatedArchive()
  const record = await source.read(at, 56)
  if (record.readUInt32LE(0) !== END64_SIGNATURE) throw truncatedArchive()
  return { end: at, bytes: Number(record.readBigUInt64LE(40)), offset: Number(record.readBigUInt64LE(48)) }
}

async function isEntryAt(source: ByteSource, offset: number): Promise<boolean> {
  if (offset + 4 > source.bytes) return false
  return (await source.read(offset, 4)).readUInt32LE(0) === ENTRY_SIGNATURE
}

function readEntries(directory: Buffer, shift: number): ZipEntry[] {
  const entries: ZipEntry[] = []
  let at = 0
  while (at + ENTRY_BYTES <= directory.length && directory.readUInt32LE(at) === ENTRY_SIGNATURE) {
    const nameBytes = directory.readUInt16LE(at + 28)
    const extraBytes = directory.readUInt16LE(at + 30)
    const next = at + ENTRY_BYTES + nameBytes + extraBytes + directory.readUInt16LE(at + 32)
    if (next > directory.length) throw damagedDirectory()
    if (entries.length >= MAX_ENTRIES) throw unreadable(`The file is damaged: it has more than ${MAX_ENTRIES} parts.`)
    entries.push(readEntry(directory, at, shift))
    at = next
  }
  if (at < directory.length && directory.length - at >= ENTRY_BYTES) throw damagedDirectory()
  return entries
}

function readEntry(directory: Buffer, at: number, shift: number): ZipEntry {
  const nameEnd = at + ENTRY_BYTES + directory.readUInt16LE(at + 28)
  const extra = directory.subarray(nameEnd, nameEnd + directory.readUInt16LE(at + 30))
  const sizes = readZip64Sizes(extra, {
    bytes: directory.readUInt32LE(at + 24),
    packedBytes: directory.readUInt32LE(at + 20),
    offset: directory.readUInt32LE(at + 42),
  })
  return {
    ...sizes,
    offset: sizes.offset + shift,
    name: directory.toString('utf8', at + ENTRY_BYTES, nameEnd),
    method: directory.readUInt16LE(at + 10),
    isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
    crc: directory.readUInt32LE(at + 16),
  }
}

type Sizes = Pick<ZipEntry, 'bytes' | 'packedBytes' | 'offset'>

/**
 * Sizes over 32 bits are in extra field 1, in this order. A size is present only if its 32-bit
 * field is all ones.
 */
function readZip64Sizes(extra: Buffer, sizes: Sizes): Sizes {
  let at = 0
  while (at + 4 <= extra.length) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) !== 1) {
      at = end
      continue
    }
    let next = at + 4
    const read = (value: number) => {
      if (value !== ALL_ONES_32 || next + 8 > Math.min(end, extra.length)) return value
      next += 8
      return Number(extra.readBigUInt64LE(next - 8))
    }
    return { bytes: read(sizes.bytes), packedBytes: read(sizes.packedBytes), offset: read(sizes.offset) }
  }
  return sizes
}

function truncatedArchive(): Error {
  return unreadable('The file is damaged: its ZIP directory is missing, so the file is probably truncated.')
}

function damagedDirectory(): Error {
  return unreadable('The file is damaged: its ZIP directory cannot be read.')
}
