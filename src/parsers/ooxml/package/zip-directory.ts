import type { ByteSource } from '../../byte-source.ts'
import { unreadable } from '../../parse-event.ts'

/** An entry of the central directory. The name is data, never a file path. */
export type ZipEntry = {
  /** As UTF-8, which packages use. */
  name: string
  /** As written; the encoding depends on `hasUtf8Name`. */
  rawName: Buffer
  hasUtf8Name: boolean
  extra: Buffer
  /** File attributes: those of Unix in the upper 16 bits, those of DOS in the lowest 8. */
  attributes: number
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
const ENCRYPTED_FLAG = 1
const UTF8_FLAG = 0x800

/** The entries in directory order, and the offset of the directory. */
export type ZipDirectory = { entries: readonly ZipEntry[]; start: number }

/**
 * Reads the directory. Bytes before the archive are allowed. Throws `unprocessable_document` for a
 * truncated or damaged archive.
 */
export async function readDirectory(source: ByteSource): Promise<ZipDirectory> {
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
  return { entries: readEntries(directory, start - end.offset), start }
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
  const flags = directory.readUInt16LE(at + 8)
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
    rawName: directory.subarray(at + ENTRY_BYTES, nameEnd),
    hasUtf8Name: (flags & UTF8_FLAG) !== 0,
    extra,
    attributes: directory.readUInt32LE(at + 38),
    method: directory.readUInt16LE(at + 10),
    isEncrypted: (flags & ENCRYPTED_FLAG) !== 0,
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

/** Start of a local header, and its size without the name. */
export const LOCAL_SIGNATURE = Buffer.from('PK\x03\x04', 'latin1')
export const LOCAL_HEADER_BYTES = 30

/**
 * Throws `unprocessable_document` for entries beyond the end of the file, and for overlapping
 * entries (the trick of zip bombs without nesting).
 */
export function checkEntries(entries: readonly ZipEntry[], fileBytes: number): void {
  const inOrder = [...entries].sort((a, b) => a.offset - b.offset)
  let end = 0
  for (const { offset, packedBytes, rawName } of inOrder) {
    if (offset < end) throw unreadable('The file is damaged: its parts overlap.')
    end = offset + LOCAL_HEADER_BYTES + rawName.length + packedBytes
    if (!(end <= fileBytes)) throw unreadable('The file is damaged: it ends in the middle of a part.')
  }
}

/** Offset of the packed bytes of an entry; `null` without a local header. */
export async function findContent(source: ByteSource, { offset }: ZipEntry): Promise<number | null> {
  const header = await source.read(offset, LOCAL_HEADER_BYTES)
  if (header.length < LOCAL_HEADER_BYTES || !header.subarray(0, 4).equals(LOCAL_SIGNATURE)) return null
  return offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28)
}
