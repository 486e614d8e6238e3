import { pipeline, Readable } from 'node:stream'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import { ApiError } from '../../../errors.ts'
import type { ByteSource } from '../../byte-source.ts'
import { passwordProtected, tooLargeUnpacked, unreadable } from '../../parse-event.ts'
import { readDirectory, type ZipEntry } from './read-directory.ts'
import { MAX_RATIO, RATIO_MATTERS_BYTES, type UnpackBudget } from './unpack-budget.ts'

/** A zip archive whose files are read one by one, as streams. Names are keys, compared without case, never paths. */
type ZipArchive = {
  /** Names as they are written, in the order of the directory. */
  readonly names: readonly string[]
  has(name: string): boolean
  /**
   * The unpacked bytes of a file, in pieces. Throws `unprocessable_document` when it is absent, damaged, packed in an
   * unknown way or larger than the budget allows. `onBadChecksum` hears of bytes that were changed and still unpack.
   */
  read(name: string): AsyncGenerator<Buffer>
}

type ArchiveParts = { budget: UnpackBudget; onBadChecksum?: (name: string) => void }

const STORED = 0
const DEFLATED = 8
const LOCAL_SIGNATURE = 0x04034b50
const PIECE_BYTES = 64 * 1024
/** A stream for each of ten thousand small parts takes longer than what is in them; of one so small nothing unpacks to more than 17 MB. */
const SMALL_BYTES = 16 * 1024

/** Opens an archive. Throws `unprocessable_document` for one that is damaged, encrypted or made to deceive. */
export async function openZip(source: ByteSource, { budget, onBadChecksum }: ArchiveParts): Promise<ZipArchive> {
  const entries = await readDirectory(source)
  checkEntries(entries, source.bytes)
  const byKey = new Map(entries.map((entry) => [keyOf(entry.name), entry]))
  return {
    names: entries.map((entry) => entry.name),
    has: (name) => byKey.has(keyOf(name)),
    async *read(name) {
      const entry = byKey.get(keyOf(name))
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

/** Some writers use backslashes or a slash in front. */
function keyOf(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase()
}

async function* unpack(source: ByteSource, entry: ZipEntry, budget: UnpackBudget): AsyncGenerator<Buffer> {
  if (entry.method !== STORED && entry.method !== DEFLATED) {
    throw unreadable(`The file is packed in a way that is not supported (zip method ${entry.method}).`)
  }
  if (entry.bytes > budget.maxEntryBytes) throw tooLarge(entry)
  let bytes = 0
  for await (const piece of entry.method === STORED ? readPacked(source, entry) : inflate(source, entry)) {
    bytes += piece.length
    budget.take(piece.length)
    const isBomb = bytes > RATIO_MATTERS_BYTES && bytes > entry.packedBytes * MAX_RATIO
    if (isBomb || bytes > budget.maxEntryBytes) throw tooLarge(entry)
    yield piece
  }
}

async function* readPacked(source: ByteSource, entry: ZipEntry): AsyncGenerator<Buffer> {
  const header = await source.read(entry.offset, 30)
  if (header.length < 30 || header.readUInt32LE(0) !== LOCAL_SIGNATURE) throw damaged(entry)
  const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  const end = start + entry.packedBytes
  for (let at = start; at < end; at += PIECE_BYTES) {
    const piece = await source.read(at, Math.min(PIECE_BYTES, end - at))
    if (piece.length === 0) throw damaged(entry)
    yield piece
  }
}

async function* inflate(source: ByteSource, entry: ZipEntry): AsyncGenerator<Buffer> {
  const small = entry.packedBytes <= SMALL_BYTES ? await inflateAtOnce(source, entry) : null
  if (small !== null) yield small
  else yield* inflateStream(readPacked(source, entry), entry)
}

/** `null` for what is damaged, of which the stream gives what comes before. */
async function inflateAtOnce(source: ByteSource, entry: ZipEntry): Promise<Buffer | null> {
  const packed: Buffer[] = []
  for await (const piece of readPacked(source, entry)) packed.push(piece)
  try {
    return inflateRawSync(Buffer.concat(packed), { maxOutputLength: RATIO_MATTERS_BYTES })
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
    throw error instanceof ApiError ? error : damaged(entry, error)
  }
}

function damaged(entry: ZipEntry, cause?: unknown): ApiError {
  return unreadable(`The file is damaged: its part ${entry.name.slice(0, 200)} cannot be unpacked.`, cause)
}

function tooLarge(entry: ZipEntry): ApiError {
  return tooLargeUnpacked(`its part ${entry.name.slice(0, 200)} takes far more room than it is packed in`)
}

/** Bytes of a local header before the name. */
const LOCAL_HEADER_BYTES = 30

/**
 * Throws `unprocessable_document` for entries that lie outside of the file, that share bytes (the trick of zip bombs
 * without nesting), or that are encrypted.
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
