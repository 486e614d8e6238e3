import type { StoredChunk } from './memory-file.ts'
import { unsupportedFileVersion } from './store-errors.ts'

/*
 * A record holds everything of a chunk that is read back. Lance reads a wide value by its row id in
 * about 13 us, whether large or small, and takes as long for each further column. Integers are
 * little-endian and have 32 bits.
 *
 * Offsets:
 * - 0: version (1 byte)
 * - 1: kind (1 byte), 1 for a correction
 * - 4: bytes of the document id
 * - 8: chunk index
 * - 12, 16: start and end offset
 * - 20, 24: first and last page, or 0
 * - 28: bytes of the text
 * - 32, 36: bytes of the section and of the header, or -1
 * - 40: numbers in the windows
 * - 44: document id, section, header and text as UTF-8, then the packed windows
 */

const VERSION = 2
const HEAD_BYTES = 44

/** Encodes a chunk as a record. Windows are rounded ({@link packWindows}). */
export function encodeChunk(chunk: StoredChunk): Int8Array {
  const { documentId, section, header, text, windows } = chunk
  const [id, ...texts] = [documentId, section ?? '', header ?? '', text].map((part) => Buffer.from(part))
  const [sectionBytes = 0, headerBytes = 0, textBytes = 0] = texts.map(({ length }) => length)
  const head = Buffer.alloc(HEAD_BYTES)
  head[0] = VERSION
  head[1] = Number(chunk.kind === 'correction')
  const numbers = [
    id?.length ?? 0,
    chunk.chunkIndex,
    chunk.startOffset,
    chunk.endOffset,
    chunk.page ?? 0,
    chunk.pageEnd ?? 0,
    textBytes,
    section === null ? -1 : sectionBytes,
    header === null ? -1 : headerBytes,
    windows.length,
  ]
  numbers.forEach((number, index) => void head.writeInt32LE(number, 4 + 4 * index))
  const record = Buffer.concat([head, id ?? Buffer.alloc(0), ...texts, packWindows(windows)])
  return new Int8Array(record.buffer, record.byteOffset, record.length)
}

/**
 * Decodes a record. Throws {@link unsupportedFileVersion} for a record of an older version, and
 * TypeError for bytes that are not a record.
 */
export function decodeChunk(record: Uint8Array): StoredChunk {
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength)
  if (bytes[0] === VERSION - 1) throw unsupportedFileVersion()
  if (bytes[0] !== VERSION) throw new TypeError(`a record of version ${bytes[0]}, not ${VERSION}`)
  const number = (place: number) => bytes.readInt32LE(place)
  let end = HEAD_BYTES
  const takeText = (length: number) => {
    if (length < 0) return null
    end += length
    return bytes.toString('utf8', end - length, end)
  }
  const documentId = takeText(number(4)) ?? ''
  const section = takeText(number(32))
  const header = takeText(number(36))
  const text = takeText(number(28)) ?? ''
  return {
    documentId,
    chunkIndex: number(8),
    kind: bytes[1] === 1 ? 'correction' : 'document',
    text,
    windows: unpackWindows(bytes.subarray(end), number(40)),
    startOffset: number(12),
    endOffset: number(16),
    page: number(20) || null,
    pageEnd: number(24) || null,
    section,
    header,
  }
}

/*
 * Windows are stored at four bits a number instead of eight. Windows took half of the bytes of a
 * chunk on disk, and ranking reads all of them.
 *
 * Each block of 32 numbers is scaled by its largest number, so that a few large numbers do not
 * coarsen the rest. A block is the largest number, as a signed byte, then codes from -8 to 7, two
 * in a byte, low half first. A number is its code times -1/8 of the largest. So -8 gives the
 * largest number exactly, with either sign, and every code is used. The error of a cosine is 0.007
 * (docs/decisions/0038).
 */

const BLOCK = 32
const MIN_CODE = -8
const MAX_CODE = 7

/** Packs windows to four bits a number. */
export function packWindows(windows: Int8Array): Uint8Array {
  const count = windows.length
  const packed = new Uint8Array(packedBytes(count))
  let end = 0
  for (let start = 0; start < count; start += BLOCK) {
    const stop = Math.min(start + BLOCK, count)
    const largest = findLargest(windows, start, stop)
    const scale = largest === 0 ? 0 : MIN_CODE / largest
    packed[end++] = largest
    for (let at = start; at < stop; at += 2) {
      const first = toCode(windows[at] ?? 0, scale)
      const second = at + 1 < stop ? toCode(windows[at + 1] ?? 0, scale) : 0
      packed[end++] = (first & 15) | (second << 4)
    }
  }
  return packed
}

/**
 * Reads `count` numbers of {@link packWindows}. Each number differs by at most an eighth of the
 * largest in its block.
 */
export function unpackWindows(packed: Uint8Array, count: number): Int8Array {
  const windows = new Int8Array(count)
  let from = 0
  for (let start = 0; start < count; start += BLOCK) {
    const stop = Math.min(start + BLOCK, count)
    // Shifting left and back extends the sign of a byte or half byte. A search unpacks 128 chunks.
    const step = -(((packed[from++] ?? 0) << 24) >> 24)
    for (let at = start; at < stop; at += 2) {
      const codes = packed[from++] ?? 0
      windows[at] = (((codes << 28) >> 28) * step + 4) >> 3
      // With an odd count this write is out of range and has no effect.
      windows[at + 1] = (((codes << 24) >> 28) * step + 4) >> 3
    }
  }
  return windows
}

function packedBytes(count: number): number {
  const rest = count % BLOCK
  return Math.floor(count / BLOCK) * (1 + BLOCK / 2) + (rest > 0 ? 1 + Math.ceil(rest / 2) : 0)
}

/** The number of the largest magnitude, with its sign. */
function findLargest(windows: Int8Array, start: number, stop: number): number {
  let largest = 0
  for (let at = start; at < stop; at += 1) {
    const number = windows[at] ?? 0
    if (Math.abs(number) > Math.abs(largest)) largest = number
  }
  return largest
}

/** Rounds by truncation: the truncated value is never negative. */
function toCode(number: number, scale: number): number {
  return Math.min(MAX_CODE, ((number * scale - MIN_CODE + 0.5) | 0) + MIN_CODE)
}
