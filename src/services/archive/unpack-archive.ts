import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip, type Gunzip } from 'node:zlib'
import { ApiError } from '../../errors.ts'
import { ENTRY_LIMITS, invalidArchive } from './archive-format.ts'

const MB = 1024 * 1024
/**
 * The gzip of exports (level 1) packs honest texts 3 to 30 times and nothing but zeros 230 times; a
 * bomb has up to 1,030 times, once it is large enough to matter.
 */
export const MAX_RATIO = 300
const RATIO_MATTERS_BYTES = 32 * MB

/**
 * The files of a .tar.gz on the local disk, one after the other, in bounded memory. Rejects with
 * `invalid_archive` for what is no gzip, damaged, cut off, a bomb, or goes on behind its end.
 */
export async function* unpackArchive(path: string): AsyncGenerator<TarFile, void, undefined> {
  const { size } = await stat(path)
  const gunzip = createGunzip()
  const file = createReadStream(path)
  pipeline(file, gunzip, () => undefined)
  try {
    yield* readTar(createByteReader(guard(gunzip)))
    if (gunzip.bytesWritten !== size) throw invalidArchive('Something stands behind the end of the archive.')
  } finally {
    gunzip.destroy()
    file.destroy()
  }
}

/** What gzip gives, as long as that is not far more than what it was given. */
async function* guard(gunzip: Gunzip): AsyncGenerator<Buffer> {
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

/** What zlib finds wrong; all else (the disk, our own) as it is. */
function toArchiveError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ApiError) return error
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'Z_BUF_ERROR') return invalidArchive('The archive ends before it is complete.')
  if (code.startsWith('Z_'))
    return invalidArchive('The file is not the archive of a memory: it is no gzip, or damaged.')
  return error
}

/*
 * Reads the tars that exports are: plain files with short names. A general reader takes more than that, such as names and headers of
 * any length, which it holds in memory: 10 MB of gzip may be a header of 10 GB. Here everything but a plain file is refused.
 */
/** A file of a tar; `content` has to be read to its end before the next is asked for. */
export type TarFile = { name: string; bytes: number; content: AsyncIterable<Buffer> }

const BLOCK_BYTES = 512
/** Zeros behind the end that others' tools pad with: GNU tar writes whole records of 20 blocks. */
const MOST_PADDING_BLOCKS = 20
/** A header's checksum is the sum of its bytes, its own eight being spaces. */
const CHECKSUM = { start: 148, end: 156 } as const
const SPACE = 32
const PLAIN_FILE = new Set(['0', '\0'])

/**
 * The files of a tar in their order, up to its end, behind which nothing may stand. Rejects with
 * `invalid_archive`.
 */
async function* readTar(reader: ByteReader): AsyncGenerator<TarFile, void, undefined> {
  for (;;) {
    const header = await reader.read(BLOCK_BYTES)
    if (header === null) throw invalidArchive('The archive ends before it is complete.')
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
    if (block === null) throw invalidArchive('The archive ends before it is complete.')
    if (!isZero(block) || blocks === MOST_PADDING_BLOCKS)
      throw invalidArchive('Something stands behind the end of the archive.')
  }
}

function parseHeader(header: Buffer): { name: string; bytes: number } {
  const sum = header.reduce((total, byte, at) => total + (at >= CHECKSUM.start && at < CHECKSUM.end ? SPACE : byte), 0)
  if (parseOctal(header.subarray(CHECKSUM.start, CHECKSUM.end)) !== sum) throw notOurs()
  const type = String.fromCharCode(header[156] ?? 0)
  const [name, prefix] = [readText(header.subarray(0, 100)), readText(header.subarray(345, 500))]
  if (!PLAIN_FILE.has(type) || prefix !== '') throw invalidArchive('The archive holds something that is no plain file.')
  const bytes = parseOctal(header.subarray(124, 136))
  if (bytes === null || bytes > ENTRY_LIMITS.fileBytes)
    throw invalidArchive('The archive has an entry of no possible size.')
  return { name, bytes }
}

function readText(field: Buffer): string {
  const end = field.indexOf(0)
  return field.toString('latin1', 0, end === -1 ? field.length : end)
}

/** The number; `null` where it is none. */
function parseOctal(field: Buffer): number | null {
  const digits = /^ *([0-7]{1,12})[ \0]*$/.exec(field.toString('latin1'))?.[1]
  return digits === undefined ? null : Number.parseInt(digits, 8)
}

function isZero(block: Buffer): boolean {
  return block.every((byte) => byte === 0)
}

function notOurs() {
  return invalidArchive('The file is not the archive of a memory: it is no tar, or damaged.')
}

/** Reads a stream of bytes by lengths that are known beforehand. */
type ByteReader = {
  /**
   * The next `bytes` bytes as one buffer; `null` at the end of the stream. Rejects where it ends in
   * between.
   */
  read(bytes: number): Promise<Buffer | null>
  /** The next `bytes` bytes in pieces as they come; rejects where the stream ends before. */
  stream(bytes: number): AsyncGenerator<Buffer>
}

/**
 * A reader of this stream, which it ends when {@link ByteReader} is no longer used and `source` is
 * returned from.
 */
export function createByteReader(source: AsyncIterator<Buffer>): ByteReader {
  let held: Buffer = Buffer.alloc(0)

  /** At most `most` bytes, at least one; `null` at the end. */
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
      if (piece === null) throw endsEarly()
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

function endsEarly() {
  return invalidArchive('The archive ends before it is complete.')
}
