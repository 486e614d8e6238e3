import type { PublishedDocument } from '../../store/ingest.ts'
import type { NewDocument } from '../../store/schema.ts'
import type { Metadata, SourceType } from '../resources.ts'
import type { IndexedDocument } from './index-document.ts'

/** Texts up to this many characters stand in the database; larger ones are objects of their own. */
export const INLINE_TEXT_CHARACTERS = 32_768

/** What is known of a document before it is read. */
export type DocumentFacts = {
  id: string
  organizationId: string
  memoryId: string
  externalId: string | null
  title: string
  filename: string | null
  mimeType: string
  sourceType: SourceType
  tags: readonly string[]
  metadata: Metadata
  sizeBytes: number
  embeddingModel: string
  storeSource: boolean
  jobId: string | null
  correction: { statement: string; topics: readonly string[]; boost: number } | null
}

/** The row of a document that waits for its job; it counts nothing and is not found yet. */
export function waitingRow(facts: DocumentFacts, at: string): NewDocument {
  return {
    id: facts.id,
    organization_id: facts.organizationId,
    memory_id: facts.memoryId,
    external_id: facts.externalId,
    title: facts.title,
    filename: facts.filename,
    mime_type: facts.mimeType,
    source_type: facts.sourceType,
    url: null,
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
    job_id: facts.jobId,
    error: null,
    pages: '[]',
    statement: facts.correction?.statement ?? null,
    topics: facts.correction ? JSON.stringify(facts.correction.topics) : null,
    boost: facts.correction?.boost ?? null,
    created_at: at,
    updated_at: at,
  }
}

/** The document as it shows, from what reading it found. `inlineText` is `null` when the text is an object. */
export function readyDocument(
  facts: DocumentFacts,
  indexed: IndexedDocument,
  { inlineText, createdAt, at }: { inlineText: string | null; createdAt: string; at: string },
): PublishedDocument {
  const { fingerprint, pages } = indexed
  const row: NewDocument = {
    ...waitingRow(facts, createdAt),
    title: indexed.title,
    status: indexed.truncated ? 'partial' : 'ready',
    storage_bytes: indexed.textBytes + (facts.storeSource ? facts.sizeBytes : 0),
    page_count: pages.length === 0 ? null : pages.length,
    ocr_pages: pages.filter((page) => page.method === 'ocr').length,
    chunk_count: indexed.chunkCount,
    character_count: indexed.characterCount,
    content_hash: fingerprint.hash,
    language: indexed.language,
    has_source: facts.storeSource ? 1 : 0,
    error: indexed.truncated ? 'The plan has no storage left for the rest of this document.' : null,
    pages: JSON.stringify(pages),
    updated_at: at,
  }
  return { row, tags: facts.tags, inlineText, signature: fingerprint.signature }
}
