import type { SourceType } from '../../../api/document.ts'
import type { Metadata } from '../../../api/fields.ts'
import type { DOCUMENT_DEFAULTS } from '../../../api/ingest.ts'
import type { PublishedDocument } from '../../../database/memories/document-writes.ts'
import type { Document, NewDocument } from '../../../database/schema.ts'
import type { DocumentToIndex, IndexedDocument } from '../indexing/index-document.ts'
import { labelsOf } from '../indexing/indexed-facts.ts'
import type { IngestionPayload } from '../job/ingestion-payload.ts'
import { describeMissing, listMissing } from './missing-part.ts'

/** Texts up to this length are stored in the database; longer texts are objects. */
export const INLINE_TEXT_CHARACTERS = 32_768

/** Facts of a correction; `createdBy` as stored in the row. */
type CorrectionFacts = {
  statement: string
  topics: readonly string[]
  boost: number
  expiresAt: string | null
  createdBy: string | null
}

/** Facts of a document known before reading. */
export type DocumentFacts = typeof DOCUMENT_DEFAULTS & {
  id: string
  organizationId: string
  memoryId: string
  filename: string | null
  mimeType: string
  sourceType: SourceType
  /** Source of a download; `null` otherwise. */
  url: string | null
  /** False: the title in the file, if any, is used. */
  hasGivenTitle: boolean
  sizeBytes: number
  embeddingModel: string
  storeSource: boolean
  jobId: string | null
  correction: CorrectionFacts | null
}

/** Row of a document that waits for its job: not counted and not searchable. */
export function toPendingRow(facts: DocumentFacts, at: string): NewDocument {
  return {
    id: facts.id,
    organization_id: facts.organizationId,
    memory_id: facts.memoryId,
    external_id: facts.externalId,
    title: facts.title,
    title_given: facts.hasGivenTitle ? 1 : 0,
    enabled: 1,
    filename: facts.filename,
    mime_type: facts.mimeType,
    source_type: facts.sourceType,
    url: facts.url,
    tags: JSON.stringify(facts.tags),
    metadata: JSON.stringify(facts.metadata),
    status: 'pending',
    size_bytes: facts.sizeBytes,
    storage_bytes: 0,
    page_count: null,
    ocr_pages: 0,
    chunk_count: 0,
    character_count: 0,
    content_hash: null,
    embedding_model: facts.embeddingModel,
    language: null,
    has_source: 0,
    original_hash: null,
    job_id: facts.jobId,
    error: null,
    pages: '[]',
    statement: facts.correction?.statement ?? null,
    topics: facts.correction ? JSON.stringify(facts.correction.topics) : null,
    boost: facts.correction?.boost ?? null,
    created_by: facts.correction?.createdBy ?? null,
    expires_at: facts.correction?.expiresAt ?? null,
    created_at: at,
    updated_at: at,
  }
}

/** Stored parts of a document, without chunks. */
type StoredDocumentParts = {
  /**
   * Plain or packed by `packText`; `null` when the text is an object or already in the database
   * (`keepsText`).
   */
  inlineText: string | Uint8Array | null
  keepsText?: boolean
  /** SHA-256 of the original; `null` when none is stored. */
  originalHash: string | null
  createdAt: string
  at: string
}

/** The published document, from the facts found by reading. */
export function toPublishedDocument(
  facts: DocumentFacts,
  indexed: IndexedDocument,
  { createdAt, at, originalHash, ...text }: StoredDocumentParts,
): PublishedDocument {
  const { fingerprint, pages, pageCount } = indexed
  const missing = listMissing(indexed)
  const row: NewDocument = {
    ...toPendingRow(facts, createdAt),
    title: indexed.title,
    status: missing.length === 0 ? 'ready' : 'partial',
    storage_bytes: indexed.textBytes + (facts.storeSource ? facts.sizeBytes : 0),
    page_count: pageCount,
    ocr_pages: pages.filter((page) => page.method === 'ocr').length,
    chunk_count: indexed.chunkCount,
    character_count: indexed.characterCount,
    content_hash: fingerprint.hash,
    language: indexed.language,
    has_source: facts.storeSource ? 1 : 0,
    original_hash: originalHash,
    error: missing.length === 0 ? null : describeMissing(missing, 'error'),
    pages: JSON.stringify(pages),
    updated_at: at,
  }
  return { row, tags: facts.tags, ...text, signature: fingerprint.signature }
}

/** Facts of a pending document, from its row. */
export function toDocumentFacts(row: Document, payload: IngestionPayload): DocumentFacts {
  return {
    id: row.id,
    organizationId: row.organization_id,
    memoryId: row.memory_id,
    externalId: row.external_id,
    title: row.title,
    hasGivenTitle: row.title_given === 1,
    filename: row.filename,
    mimeType: row.mime_type,
    sourceType: row.source_type,
    url: row.url,
    tags: JSON.parse(row.tags) as string[],
    metadata: JSON.parse(row.metadata) as Metadata,
    sizeBytes: row.size_bytes,
    embeddingModel: row.embedding_model ?? '',
    storeSource: payload.storeSource,
    jobId: row.job_id,
    correction: null,
  }
}

/** Input for indexing a pending document. A given title takes precedence. */
export function toDocumentToIndex(
  row: Document,
  payload: IngestionPayload,
  maxTextBytes: number | null,
): DocumentToIndex {
  return {
    id: row.id,
    kind: 'document',
    title: payload.file === null || row.title_given === 1 ? row.title : null,
    fallbackTitle: row.title,
    heading: null,
    labels: labelsOf(toDocumentFacts(row, payload)),
    fallbackLanguage: payload.fallbackLanguage,
    maxTextBytes,
  }
}
