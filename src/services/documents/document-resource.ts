import type { DocumentResource, PageReportResource } from '../../api/document.ts'
import { type Metadata, UNTITLED } from '../../api/fields.ts'
import type { ListedDocument } from '../../database/memories/documents-table.ts'
import { type Document, LIVE_STATUSES, type Memory } from '../../database/schema.ts'
import { takeFitting } from '../paging.ts'

/**
 * The API resource of a document. `memory` is its memory, whose model made the vectors of all live
 * documents.
 */
export function toDocumentResource(
  document: ListedDocument,
  memory: Pick<Memory, 'embedding_model'>,
): DocumentResource {
  return {
    id: document.id,
    memoryId: document.memory_id,
    title: document.title,
    filename: document.filename,
    mimeType: document.mime_type,
    sourceType: document.source_type,
    url: document.url,
    tags: JSON.parse(document.tags) as string[],
    metadata: JSON.parse(document.metadata) as Metadata,
    externalId: document.external_id,
    status: document.status,
    enabled: document.enabled === 1,
    sizeBytes: Number(document.size_bytes),
    pageCount: document.page_count,
    ocrPages: document.ocr_pages,
    chunkCount: document.chunk_count,
    characterCount: document.character_count,
    contentHash: document.content_hash,
    embeddingModel: LIVE_STATUSES.includes(document.status) ? memory.embedding_model : document.embedding_model,
    hasSource: document.has_source === 1,
    jobId: document.job_id,
    error: document.error,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    correction: toCorrection(document),
  }
}

/**
 * Page reports of a document, truncated to the response size for documents with tens of thousands
 * of pages.
 */
export function toPageReports(document: Document): PageReportResource[] {
  return takeFitting(JSON.parse(document.pages) as PageReportResource[])
}

/** Statement, topics and expiry of a correction; `null` for other documents. */
export function toCorrection({
  statement,
  topics,
  boost,
  expires_at: expiresAt,
}: Pick<Document, 'statement' | 'topics' | 'boost' | 'expires_at'>) {
  if (statement === null || topics === null || boost === null) return null
  return { statement, topics: JSON.parse(topics) as string[], boost, expiresAt }
}

/**
 * Title of a document; `null` for an untitled document or a title that only repeats the file name.
 */
export function getOwnTitle({ title, filename }: { title: string; filename: string | null }): string | null {
  const name = filename?.split('/').at(-1)
  return title === UNTITLED || name?.startsWith(title) ? null : title
}
