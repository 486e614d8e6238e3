import { pipeline, Readable } from 'node:stream'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import { ApiError } from '../../../errors.ts'
import type { ByteSource } from '../../byte-source.ts'
import { passwordProtected, tooLargeUnpacked, unreadable } from '../../parse-event.ts'
import type { UnpackBudget } from './unpack-budget.ts'
import { checkEntries, findContent, readDirectory, type ZipEntry } from './zip-directory.ts'

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
  const { entries } = await readDirectory(source)
  if (entries.some((entry) => entry.isEncrypted)) throw passwordProtected()
  checkEntries(entries, source.bytes)
  const byKey = new Map(entries.map((entry) => [normalizeName(entry.name), entry]))
  return {
    names: entries.map((entry) => entry.name),
    has: (name) => byKey.has(normalizeName(name)),
    async *read(name) {
      const entry = byKey.get(normalizeName(name))
      if (entry === undefined) throw unreadable(`The file is damaged: its part ${name} is missing.`)
      let crc = 0
      for await (const piece of unpackEntry(source, entry, budget)) {
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

/** True for an unpacked size that no honest content has. */
export function isBomb(bytes: number, packedBytes: number): boolean {
  return bytes > MIN_RATIO_CHECK_BYTES && bytes > packedBytes * MAX_UNPACK_RATIO
}

/** True for the compression methods that {@link unpackEntry} reads. */
export function isUnpackable({ method }: ZipEntry): boolean {
  return method === STORED || method === DEFLATED
}

/**
 * Yields the unpacked bytes of an entry, without checking their checksum. Throws
 * `unprocessable_document` as `read` of an archive does.
 */
export async function* unpackEntry(source: ByteSource, entry: ZipEntry, budget: UnpackBudget): AsyncGenerator<Buffer> {
  if (!isUnpackable(entry)) {
    throw unreadable(`The file uses ZIP compression method ${entry.method}, which is not supported.`)
  }
  if (entry.bytes > budget.maxEntryBytes) throw oversizedEntry(entry)
  let bytes = 0
  for await (const piece of entry.method === STORED ? readPacked(source, entry) : inflate(source, entry)) {
    bytes += piece.length
    budget.consume(piece.length)
    if (isBomb(bytes, entry.packedBytes) || bytes > budget.maxEntryBytes) throw oversizedEntry(entry)
    yield piece
  }
}

async function* readPacked(source: ByteSource, entry: ZipEntry): AsyncGenerator<Buffer> {
  const start = await findContent(source, entry)
  if (start === null) throw damagedEntry(entry)
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
