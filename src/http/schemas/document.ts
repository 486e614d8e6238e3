import { Type } from 'typebox'
import { MOST_FAILED_DOCUMENTS } from '../../limits.ts'
import { Scalar } from '../../services/field-schemas.ts'
import { Count, Nullable, OneOf, Timestamp } from './values.ts'

/** The words of a document's `status` and `sourceType` (contract, "Document"). */
export const DOCUMENT_STATUSES = ['pending', 'processing', 'ready', 'partial', 'failed'] as const
export const SOURCE_TYPES = ['file', 'text', 'url', 'ocr', 'correction'] as const

const DOCUMENT_FIELDS = {
  id: Type.String(),
  memoryId: Type.String(),
  title: Type.String(),
  filename: Nullable(Type.String()),
  mimeType: Type.String(),
  sourceType: OneOf(SOURCE_TYPES),
  url: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
  metadata: Type.Record(Type.String(), Scalar),
  externalId: Nullable(Type.String()),
  status: OneOf(DOCUMENT_STATUSES),
  sizeBytes: Count,
  pageCount: Nullable(Count),
  ocrPages: Count,
  chunkCount: Count,
  characterCount: Count,
  contentHash: Nullable(Type.String()),
  embeddingModel: Nullable(Type.String()),
  hasSource: Type.Boolean(),
  jobId: Nullable(Type.String()),
  error: Nullable(Type.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  correction: Nullable(
    Type.Object({
      statement: Type.String(),
      topics: Type.Array(Type.String()),
      boost: Type.Number(),
      expiresAt: Nullable(Timestamp),
    }),
  ),
}

/** A document as lists show it. */
export const DocumentSchema = Type.Object(DOCUMENT_FIELDS, { $id: 'Document' })

const PageReceiptSchema = Type.Object({
  page: Type.Integer({ minimum: 1 }),
  method: OneOf(['text', 'ocr', 'empty', 'failed']),
  characters: Count,
  confidence: Nullable(Type.Number()),
  message: Nullable(Type.String()),
})

/** A document with the receipt: what became of every page, sheet or slide. One without pages counts as one here. */
export const DocumentWithPagesSchema = Type.Object(
  {
    ...DOCUMENT_FIELDS,
    pages: Type.Array(PageReceiptSchema, {
      description: 'Of every page; of a document with tens of thousands of the first 4 MB.',
    }),
  },
  { $id: 'DocumentWithPages' },
)

/** What became of all pages of a memory. */
export const PageTotalsSchema = Type.Object(
  {
    pages: Type.Integer({ minimum: 0, description: 'All pages; a document without pages counts as one.' }),
    text: Count,
    ocr: Count,
    empty: Count,
    failed: Count,
    documents: Type.Array(Type.Object({ documentId: Type.String(), title: Type.String(), failed: Count }), {
      maxItems: MOST_FAILED_DOCUMENTS,
      description: 'Those of which most pages failed, the worst first.',
    }),
  },
  { $id: 'PageTotals' },
)
