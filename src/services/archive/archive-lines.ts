import { createHash } from 'node:crypto'
import type { StoredDocument } from '../../database/memories/archived-documents.ts'
import type { ChunkRow } from '../../memory-file/memory-file.ts'
import { toCorrection } from '../documents/document-resource.ts'
import type { ArchiveEntry } from './archive-format.ts'
import type { ArchivedChunk, ArchivedDocument, Manifest } from './archive-schemas.ts'
import { toLittleEndian } from './archive-vectors.ts'

/** A document as a line of its part. */
export function toDocumentLine(
  document: StoredDocument,
  { number, textBytes, originalBytes }: { number: number; textBytes: number | null; originalBytes: number | null },
): string {
  const line: ArchivedDocument = {
    number,
    externalId: document.external_id,
    title: document.title,
    filename: document.filename,
    mimeType: document.mime_type,
    sourceType: document.source_type,
    url: document.url,
    tags: JSON.parse(document.tags) as string[],
    metadata: JSON.parse(document.metadata) as ArchivedDocument['metadata'],
    status: document.status === 'partial' ? 'partial' : 'ready',
    error: document.error,
    sizeBytes: Number(document.size_bytes),
    pageCount: document.page_count,
    ocrPages: document.ocr_pages,
    chunkCount: document.chunk_count,
    characterCount: document.character_count,
    contentHash: document.content_hash,
    signature: document.signature,
    language: document.language,
    pages: JSON.parse(document.pages) as ArchivedDocument['pages'],
    // Who made it is not told: that key is of this installation.
    correction: toCorrection(document),
    // What is missing altogether is written as empty; the manifest names such documents.
    text: document.content ?? (textBytes === null ? '' : null),
    originalBytes,
    originalHash: originalBytes === null ? null : document.original_hash,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  }
  return `${JSON.stringify(line)}\n`
}

/** A chunk as a line of its part. */
export function toChunkLine(row: ChunkRow, document: number): string {
  const { chunkIndex: index, text, terms, startOffset, endOffset, page, pageEnd, section, header } = row
  const windows = row.vector.length === 0 ? 0 : row.windows.length / row.vector.length
  const place = { startOffset, endOffset, page, pageEnd, section, header }
  const line: ArchivedChunk = { document, index, text, terms, ...place, windows }
  return `${JSON.stringify(line)}\n`
}

/** The vectors of chunks, one behind the other, as little-endian floats. */
export function toVectorBytes(rows: readonly ChunkRow[]): Buffer {
  return toLittleEndian(rows.map(({ vector }) => vector))
}

/** The vectors of the windows of chunks, one behind the other. */
export function toWindowBytes(rows: readonly ChunkRow[]): Buffer {
  return Buffer.concat(rows.map(({ windows }) => Buffer.from(windows.buffer, windows.byteOffset, windows.byteLength)))
}

/** Makes the entries of an archive, and remembers of each what the manifest says. */
export type EntryRecorder = {
  /** What is known of the entries that were read to their end, in order. */
  readonly entries: Manifest['entries']
  /** An entry of this content; reading it rejects where it has another number of bytes. */
  record(name: string, bytes: number, content: AsyncIterable<Buffer>): ArchiveEntry
  /** An entry that is held in memory. */
  recordWhole(name: string, content: Buffer): ArchiveEntry
  /** An entry of one JSON value. */
  recordJson(name: string, value: unknown): ArchiveEntry
}

/** A recorder that knows of no entry yet. */
export function createEntryRecorder(): EntryRecorder {
  const entries: Manifest['entries'] = []

  function recordWhole(name: string, content: Buffer): ArchiveEntry {
    entries.push({ name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') })
    return { name, bytes: content.length, content: [content] }
  }

  async function* hashed(name: string, bytes: number, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const hash = createHash('sha256')
    let read = 0
    for await (const piece of content) {
      hash.update(piece)
      read += piece.length
      yield piece
    }
    if (read !== bytes) throw new Error(`${name} has ${read} bytes, not ${bytes}`)
    entries.push({ name, bytes, sha256: hash.digest('hex') })
  }

  return {
    entries,
    record: (name, bytes, content) => ({ name, bytes, content: hashed(name, bytes, content) }),
    recordWhole,
    recordJson: (name, value) => recordWhole(name, Buffer.from(`${JSON.stringify(value)}\n`)),
  }
}

/** What one part takes at most. */
type PartBounds = { items: number; bytes: number }

/**
 * The items in their order in parts of at most this many, which are closed before they have more than this many bytes. An item
 * that has more by itself is a part of its own. No item is asked for before there is room for it but the first of the next part.
 */
export function* splitParts<Item>(
  items: Iterable<Item>,
  bytesOf: (item: Item) => number,
  most: PartBounds,
): Generator<Item[], void, undefined> {
  let part: Item[] = []
  let bytes = 0
  for (const item of items) {
    const own = bytesOf(item)
    if (part.length === most.items || (part.length > 0 && bytes + own > most.bytes)) {
      yield part
      part = []
      bytes = 0
    }
    part.push(item)
    bytes += own
  }
  if (part.length > 0) yield part
}
