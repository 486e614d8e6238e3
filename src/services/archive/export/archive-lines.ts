import type { StoredDocument } from '../../../database/documents/archive.ts'
import type { ChunkRow } from '../../../memory-file/memory-file.ts'
import { toCorrection } from '../../documents/document-resource.ts'
import type { ArchivedChunk, ArchivedDocument } from '../archive-schemas.ts'
import { toLittleEndian } from '../little-endian.ts'

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
