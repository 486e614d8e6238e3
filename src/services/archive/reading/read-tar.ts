/*
 * Reads the tars that exports are: plain files with short names. A general reader takes more than that, such as names and headers of
 * any length, which it holds in memory: 10 MB of gzip may be a header of 10 GB. Here everything but a plain file is refused.
 */

import { ENTRY_LIMITS } from '../archive-format.ts'
import { invalidArchive } from '../invalid-archive.ts'
import type { ByteReader } from './byte-reader.ts'

/** A file of a tar; `content` has to be read to its end before the next is asked for. */
export type TarFile = { name: string; bytes: number; content: AsyncIterable<Buffer> }

const BLOCK_BYTES = 512
/** Zeros behind the end that others' tools pad with: GNU tar writes whole records of 20 blocks. */
const MOST_PADDING_BLOCKS = 20
/** A header's checksum is the sum of its bytes, its own eight being spaces. */
const CHECKSUM = { start: 148, end: 156 } as const
const SPACE = 32
const PLAIN_FILE = new Set(['0', '\0'])

/** The files of a tar in their order, up to its end, behind which nothing may stand. Rejects with `invalid_archive`. */
export async function* readTar(reader: ByteReader): AsyncGenerator<TarFile, void, undefined> {
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
