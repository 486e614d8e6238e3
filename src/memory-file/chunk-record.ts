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
 * - 40: numbers in the windows, for older versions
 * - 44: document id, section, header and text as UTF-8, then the packed windows
 */

const VERSION = 2
const HEAD_BYTES = 44
/** A block of packed windows has two numbers in each byte but its first. */
const WINDOW_BLOCK_BYTES = 17

/** Encodes a chunk as a record. */
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
    2 * (windows.length - Math.ceil(windows.length / WINDOW_BLOCK_BYTES)),
  ]
  numbers.forEach((number, index) => void head.writeInt32LE(number, 4 + 4 * index))
  const record = Buffer.concat([head, id ?? Buffer.alloc(0), ...texts, windows])
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
    // A copy: a record of a cache is overwritten, and one of a batch keeps the batch in memory.
    windows: Buffer.from(bytes.subarray(end)),
    startOffset: number(12),
    endOffset: number(16),
    page: number(20) || null,
    pageEnd: number(24) || null,
    section,
    header,
  }
}
