import type { Warning } from '../../api/values.ts'
import type { PublishedDocument } from '../../database/memories/document-writes.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { DEFAULT_LANGUAGE } from '../../engine/languages/languages.ts'
import { bandsOfSignature } from '../../engine/similarity/fingerprint.ts'
import { packWindows } from '../../engine/windows.ts'
import type { ChunkRow } from '../../memory-file/memory-file.ts'
import { analyzeChunk, embedChunks, type IndexingTools } from '../ingest/indexing/embed-chunks.ts'
import { headingOf, labelsOf } from '../ingest/indexing/indexed-facts.ts'
import type { ArchivedChunk, ArchivedDocument } from './archive-schemas.ts'
import type { ChunkVectors } from './archive-vectors.ts'

/** Memory that an archived document is imported into. */
export type ImportPlace = { organizationId: string; memoryId: string; model: string | null }

/** Stored facts of a document that are not in the archive's line. */
type StoredObjects = {
  chunkCount: number
  textBytes: number
  originalBytes: number | null
  originalHash: string | null
  hasTextObject: boolean
}

/** The row of an imported document, with its new id. */
export function toImportedDocument(
  { organizationId, memoryId, model }: ImportPlace,
  {
    id,
    document,
    stored: { chunkCount, textBytes, originalBytes, originalHash, hasTextObject },
  }: { id: string; document: ArchivedDocument; stored: StoredObjects },
): PublishedDocument {
  const { correction, signature, tags } = document
  const row = {
    id,
    organization_id: organizationId,
    memory_id: memoryId,
    external_id: document.externalId,
    title: document.title,
    title_given: 1,
    enabled: document.enabled === false ? 0 : 1,
    filename: document.filename,
    mime_type: document.mimeType,
    source_type: document.sourceType,
    url: document.url,
    tags: JSON.stringify(tags),
    metadata: JSON.stringify(document.metadata),
    status: document.status,
    size_bytes: document.sizeBytes,
    storage_bytes: textBytes + (originalBytes ?? 0),
    page_count: document.pageCount,
    ocr_pages: document.ocrPages,
    chunk_count: chunkCount,
    character_count: document.characterCount,
    content_hash: document.contentHash,
    embedding_model: model,
    language: document.language,
    has_source: originalBytes === null ? 0 : 1,
    original_hash: originalBytes === null ? null : originalHash,
    job_id: null,
    error: document.error,
    pages: JSON.stringify(document.pages),
    statement: correction?.statement ?? null,
    topics: correction === null ? null : JSON.stringify(correction.topics),
    boost: correction?.boost ?? null,
    expires_at: correction?.expiresAt ?? null,
    created_at: document.createdAt,
    updated_at: document.updatedAt,
  }
  return {
    row,
    tags,
    inlineText: hasTextObject ? null : (document.text ?? ''),
    signature: signature === null ? null : { value: signature, bands: bandsOfSignature(signature) },
  }
}

/** Heading and language used for indexing the document's chunks. */
function chunkContextOf({ title, correction, language }: ArchivedDocument) {
  return { heading: headingOf({ title, topics: correction?.topics ?? null }), language: language ?? DEFAULT_LANGUAGE }
}

/** Filter labels of a document's chunks. */
export function labelsOfArchived({ correction, tags, metadata }: ArchivedDocument): string[] {
  return labelsOf(correction === null ? { tags, metadata } : { tags: correction.topics, metadata: {} })
}

/** Document of a chunk by number; `null` for a dropped document. */
type DocumentOf = (number: number) => { id: string; document: ArchivedDocument; labels: string[] } | null

type RowMaking = { analyzer: Pick<Analyzer, 'terms'>; documentOf: DocumentOf }

/**
 * Rows of the chunks of kept documents, with their vectors. Terms are computed from the text by
 * this version and not taken from the archive.
 */
export function toChunkRows(
  chunks: readonly ArchivedChunk[],
  { vectors, windows, dimensions }: ChunkVectors,
  { analyzer, documentOf }: RowMaking,
): ChunkRow[] {
  let windowsEnd = 0
  return chunks.flatMap(({ document: number, index, windows: count, ...chunk }, at) => {
    const windowsStart = windowsEnd
    windowsEnd += count * dimensions
    const of = documentOf(number)
    if (of === null) return []
    return {
      ...chunk,
      terms: analyzeChunk(analyzer, chunk, chunkContextOf(of.document)),
      documentId: of.id,
      chunkIndex: index,
      kind: of.document.correction === null ? ('document' as const) : ('correction' as const),
      vector: vectors.subarray(at * dimensions, (at + 1) * dimensions),
      windows: packWindows(windows.subarray(windowsStart, windowsEnd)),
      labels: of.labels,
    }
  })
}

/** Source of the vectors of an import. */
export type ImportEmbedding = {
  /** Model that the new memory is pinned to; `null` for an archive without vectors. */
  model: string | null
  /** `null`: the archived vectors are used. */
  indexing: IndexingTools | null
  warnings: Warning[]
}

/**
 * Embeds the rows again with another embedder; `documents` contains the documents of all rows by
 * id.
 */
export async function reembedRows(
  indexing: IndexingTools,
  rows: readonly ChunkRow[],
  documents: ReadonlyMap<string, ArchivedDocument>,
): Promise<ChunkRow[]> {
  const embedded: ChunkRow[] = []
  for (const run of groupByDocument(rows)) {
    const [{ documentId = '', kind = 'document', labels = [], chunkIndex: firstIndex = 0 } = {}] = run
    const document = documents.get(documentId)
    if (document === undefined) throw new Error(`a chunk of ${documentId}, which is not imported`)
    const context = { documentId, kind, labels, firstIndex, ...chunkContextOf(document) }
    embedded.push(...(await embedChunks(indexing, run, context)))
  }
  return embedded
}

/** Groups consecutive rows of one document. */
function* groupByDocument(rows: readonly ChunkRow[]): Generator<ChunkRow[]> {
  let run: ChunkRow[] = []
  for (const row of rows) {
    const last = run.at(-1)
    if (last !== undefined && (last.documentId !== row.documentId || last.chunkIndex + 1 !== row.chunkIndex)) {
      yield run
      run = []
    }
    run.push(row)
  }
  if (run.length > 0) yield run
}
