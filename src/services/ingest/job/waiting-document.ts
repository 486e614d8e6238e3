import type { Metadata } from '../../../api/fields.ts'
import type { Document } from '../../../database/schema.ts'
import type { DocumentToIndex } from '../indexing/index-document.ts'
import { labelsOf } from '../indexing/labels.ts'
import type { DocumentFacts } from '../storing/document-row.ts'
import type { IngestionPayload } from './ingestion-payload.ts'

/** The facts of a document that waited for its job, from its row. */
export function factsOf(row: Document, payload: IngestionPayload): DocumentFacts {
  return {
    id: row.id,
    organizationId: row.organization_id,
    memoryId: row.memory_id,
    externalId: row.external_id,
    title: row.title,
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

/** How a document that waited is to be indexed; a file may name itself by its first heading, a text has its title. */
export function indexingOf(row: Document, payload: IngestionPayload, maxTextBytes: number | null): DocumentToIndex {
  return {
    id: row.id,
    kind: 'document',
    title: payload.file === null ? row.title : null,
    fallbackTitle: row.title,
    heading: null,
    labels: labelsOf(factsOf(row, payload)),
    fallbackLanguage: payload.fallbackLanguage,
    maxTextBytes,
  }
}
