import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip, type Gunzip } from 'node:zlib'
import { ApiError } from '../../errors.ts'
import { ENTRY_LIMITS, invalidArchive } from './archive-format.ts'

const MB = 1024 * 1024
/**
 * Exports (gzip level 1) have ratios of 3 to 30 for real texts and 230 for zeros only. A zip bomb
 * reaches 1,030 once large enough to matter.
 */
export const MAX_RATIO = 300
const RATIO_MATTERS_BYTES = 32 * MB

/**
 * Yields the files of a .tar.gz on the local disk in bounded memory. Rejects with `invalid_archive`
 * for anything but gzip, for damage, truncation, zip bombs and trailing data.
 */
export async function* unpackArchive(path: string): AsyncGenerator<TarFile, void, undefined> {
  const { size } = await stat(path)
  const gunzip = createGunzip()
  const file = createReadStream(path)
  pipeline(file, gunzip, () => undefined)
  try {
    yield* readTar(createByteReader(limitRatio(gunzip)))
    if (gunzip.bytesWritten !== size) throw invalidArchive('The archive has data after its end.')
  } finally {
    gunzip.destroy()
    file.destroy()
  }
}

/** Yields unpacked bytes until the compression ratio exceeds the limit. */
async function* limitRatio(gunzip: Gunzip): AsyncGenerator<Buffer> {
  let bytes = 0
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > RATIO_MATTERS_BYTES + MAX_RATIO * gunzip.bytesWritten) {
        throw invalidArchive(`The archive unpacks to more than ${MAX_RATIO} times its size.`)
      }
      yield piece
    }
  } catch (error) {
    throw toArchiveError(error)
  }
}

/** Translates zlib errors; other errors (disk, own code) are returned unchanged. */
function toArchiveError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ApiError) return error
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'Z_BUF_ERROR') return invalidArchive('The archive is truncated.')
  if (code.startsWith('Z_')) return invalidArchive('The file is not a memory archive: it is not gzip, or damaged.')
  return error
}

/*
 * Reads only the tar files that exports produce: regular files with short names. All other entry
 * types are rejected. A general reader accepts names and headers of any length and holds them in
 * memory. A header of 10 GB fits into 10 MB of gzip.
 */
/** A file of a tar; read `content` to the end before the next file. */
export type TarFile = { name: string; bytes: number; content: AsyncIterable<Buffer> }

const BLOCK_BYTES = 512
/** Trailing zero blocks from other tools: GNU tar writes records of 20 blocks. */
const MAX_PADDING_BLOCKS = 20
/** The checksum of a header is the sum of its bytes, with spaces in place of the checksum. */
const CHECKSUM = { start: 148, end: 156 } as const
const SPACE = 32
const PLAIN_FILE = new Set(['0', '\0'])

/**
 * Yields the files of a tar up to the end marker; trailing data is rejected. Rejects with
 * `invalid_archive`.
 */
async function* readTar(reader: ByteReader): AsyncGenerator<TarFile, void, undefined> {
  for (;;) {
    const header = await reader.read(BLOCK_BYTES)
    if (header === null) throw invalidArchive('The archive is truncated.')
    if (isZero(header)) return requireEnd(reader)
    const { name, bytes } = parseHeader(header)
    yield { name, bytes, content: reader.stream(bytes) }
    const padding = (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES
    if (padding > 0) await reader.read(padding)
  }
}

async function requireEnd(reader: ByteReader): Promise<void> {
  for (let blocks = 0; ; blocks += 1) {
    const block = await reader.read(BLOCK_BYTES)
    if (block === null && blocks > 0) return
    if (block === null) throw invalidArchive('The archive is truncated.')
    if (!isZero(block) || blocks === MAX_PADDING_BLOCKS) throw invalidArchive('The archive has data after its end.')
  }
}

function parseHeader(header: Buffer): { name: string; bytes: number } {
  const sum = header.reduce((total, byte, at) => total + (at >= CHECKSUM.start && at < CHECKSUM.end ? SPACE : byte), 0)
  if (parseOctal(header.subarray(CHECKSUM.start, CHECKSUM.end)) !== sum) throw notTarError()
  const type = String.fromCharCode(header[156] ?? 0)
  const [name, prefix] = [readText(header.subarray(0, 100)), readText(header.subarray(345, 500))]
  if (!PLAIN_FILE.has(type) || prefix !== '')
    throw invalidArchive('The archive contains an entry that is not a regular file.')
  const bytes = parseOctal(header.subarray(124, 136))
  if (bytes === null || bytes > ENTRY_LIMITS.fileBytes)
    throw invalidArchive('The archive contains an entry with an invalid size.')
  return { name, bytes }
}

function readText(field: Buffer): string {
  const end = field.indexOf(0)
  return field.toString('latin1', 0, end === -1 ? field.length : end)
}

/** Parses an octal number; `null` when invalid. */
function parseOctal(field: Buffer): number | null {
  const digits = /^ *([0-7]{1,12})[ \0]*$/.exec(field.toString('latin1'))?.[1]
  return digits === undefined ? null : Number.parseInt(digits, 8)
}

function isZero(block: Buffer): boolean {
  return block.every((byte) => byte === 0)
}

function notTarError() {
  return invalidArchive('The file is not a memory archive: it is not a tar file, or damaged.')
}

/** Reads a byte stream in pieces of known length. */
type ByteReader = {
  /**
   * Returns the next `bytes` bytes as one buffer; `null` at the end of the stream. Rejects when the
   * stream ends early.
   */
  read(bytes: number): Promise<Buffer | null>
  /** Streams the next `bytes` bytes; rejects when the stream ends early. */
  stream(bytes: number): AsyncGenerator<Buffer>
}

/** Reads from this iterator, which the caller closes. */
export function createByteReader(source: AsyncIterator<Buffer>): ByteReader {
  let held: Buffer = Buffer.alloc(0)

  /** Takes between one and `most` bytes; `null` at the end. */
  async function take(most: number): Promise<Buffer | null> {
    while (held.length === 0) {
      const { done, value } = await source.next()
      if (done === true) return null
      held = value
    }
    const taken = held.subarray(0, most)
    held = held.subarray(taken.length)
    return taken
  }

  async function* stream(bytes: number): AsyncGenerator<Buffer> {
    let left = bytes
    while (left > 0) {
      const piece = await take(left)
      if (piece === null) throw truncatedError()
      left -= piece.length
      yield piece
    }
  }

  return {
    stream,
    async read(bytes) {
      const first = await take(bytes)
      if (first === null || first.length === bytes) return first
      const pieces = [first]
      for await (const piece of stream(bytes - first.length)) pieces.push(piece)
      return Buffer.concat(pieces)
    },
  }
}

function truncatedError() {
  return invalidArchive('The archive is truncated.')
}
