import { type Static, Type } from 'typebox'
import { DOCUMENT_FIELDS as FIELD_LIMITS, FILTER, MAX_FAILED_DOCUMENTS } from '../limits.ts'
import { EARLIER, HANDBOOK, IDS, LATER, PASSAGE_ID, REFUNDS } from './example-data.ts'
import { MetadataSchema, Scalar, TagSchema, TagsSchema, TITLE } from './fields.ts'
import { MEMORY_EXAMPLE } from './memory.ts'
import { Count, Flag, List, Nullable, NullableTimestamp, OneOf, Text, Timestamp, WarningsSchema } from './values.ts'

/** Values of a document's `status` and `sourceType` (contract, "Document"). */
export const DOCUMENT_STATUSES = ['pending', 'processing', 'ready', 'partial', 'failed'] as const
export const SOURCE_TYPES = ['file', 'text', 'url', 'ocr', 'correction'] as const

/** State and source of a document. */
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number]
export type SourceType = (typeof SOURCE_TYPES)[number]

const DOCUMENT_FIELDS = {
  id: Text('Unique identifier of the document. Starts with `doc_`.'),
  memoryId: Text('Memory of the document.'),
  title: Text('Title from the request, from the metadata of the file, or the file name.'),
  filename: Nullable(Type.String(), 'Name of the file. Null if the document was added as text.'),
  mimeType: Text('Media type of the original, detected from its content, such as `application/pdf`.'),
  sourceType: OneOf(
    SOURCE_TYPES,
    'Source of the document: an uploaded file, a text, a download, an image (OCR), or a correction.',
  ),
  url: Nullable(Type.String(), 'URL that the document was downloaded from. Null for other sources.'),
  tags: List(Type.String(), 'Tags of the document. Searches and lists can filter by tag.'),
  metadata: Type.Record(Type.String(), Scalar, {
    description: 'Key-value pairs that the caller attached to the document. Searches can filter by them.',
  }),
  externalId: Nullable(Type.String(), "The caller's own identifier, unique within the memory. Null if none was given."),
  status: OneOf(
    DOCUMENT_STATUSES,
    'State of the document. Searches find `ready` and `partial` documents. Some pages of a `partial` ' +
      'document could not be read.',
  ),
  enabled: Flag('False if the caller has hidden the document from every search.'),
  sizeBytes: Count('Size of the original, in bytes.'),
  pageCount: Nullable(
    Type.Integer({ minimum: 0 }),
    'Number of pages, sheets or slides. Null for formats without pages, and until the document is processed.',
  ),
  ocrPages: Count('Number of pages whose text was recognized with OCR.'),
  chunkCount: Count('Number of chunks. Searches return chunks as passages.'),
  characterCount: Count('Length of the extracted text in UTF-16 code units. All offsets use this unit.'),
  contentHash: Nullable(
    Type.String(),
    'Hash of the extracted text, used to detect duplicates. Null until the document is processed.',
  ),
  embeddingModel: Nullable(Type.String(), 'Embedding model of the chunks. Null until the document is processed.'),
  hasSource: Flag('True if the original is stored. GET …/source returns it.'),
  jobId: Nullable(Type.String(), 'Job that added the document. Null if the request itself added it.'),
  error: Nullable(Type.String(), 'Reason why the document failed or is incomplete. Null if it is complete.'),
  createdAt: Timestamp('Time at which the document was added.'),
  updatedAt: Timestamp('Time of the last change.'),
  correction: Nullable(
    Type.Object({
      statement: Text('Statement of the correction.'),
      topics: List(Type.String(), 'Topics of the correction.'),
      boost: Type.Number({
        description: 'Weight of the correction relative to other corrections, above 0 and at most 10.',
      }),
      expiresAt: NullableTimestamp('Time from which searches ignore the correction. Null if it never expires.'),
    }),
    'Content of a correction. Null for all other documents.',
  ),
}

/** A document in a list. */
export const DocumentSchema = Type.Object(DOCUMENT_FIELDS, {
  $id: 'Document',
  description: 'A document of a memory, or a correction.',
})

/** A document in a response. */
export type DocumentResource = Static<typeof DocumentSchema>

/** Request body of PATCH …/documents/{documentId}. */
export const ChangeDocumentBody = Type.Object({
  title: Type.Optional(Type.String({ ...TITLE, description: 'New title, by which searches rank.' })),
  tags: Type.Optional(TagsSchema),
  metadata: Type.Optional(MetadataSchema),
  enabled: Type.Optional(
    Type.Boolean({ description: 'False hides the document from every search, ask and extract; true shows it again.' }),
  ),
})

/** Response of PATCH …/documents/{documentId}. */
export const ChangedDocumentSchema = Type.Object(
  { ...DOCUMENT_FIELDS, warnings: WarningsSchema },
  { $id: 'ChangedDocument', description: 'A document after a change.' },
)

const PageReportSchema = Type.Object({
  page: Type.Integer({ minimum: 1, description: 'Page number, starting at 1.' }),
  method: OneOf(
    ['text', 'ocr', 'empty', 'failed'],
    'Source of the page text: the file itself, or OCR. `empty` if the page has no text, `failed` if ' +
      'the page could not be read.',
  ),
  characters: Count('Length of the page text, in UTF-16 code units.'),
  confidence: Nullable(Type.Number(), 'OCR confidence, from 0 to 1. Null without OCR.'),
  message: Nullable(Type.String(), 'Note about the page. Null if there is none.'),
})

/** Processing result of a page, sheet or slide. */
export type PageReportResource = Static<typeof PageReportSchema>

/**
 * A document with the processing result of every page. A document without pages counts as one page.
 */
export const DocumentWithPagesSchema = Type.Object(
  {
    ...DOCUMENT_FIELDS,
    pages: List(
      PageReportSchema,
      'Processing result of every page, sheet or slide, up to 4 MB of results. A document without pages ' +
        'counts as one page.',
    ),
  },
  { $id: 'DocumentWithPages', description: 'A document with the processing result of each page.' },
)

/** Totals of the page processing results of a memory. */
export const PageTotalsSchema = Type.Object(
  {
    pages: Count('Number of pages. A document without pages counts as one page.'),
    text: Count('Number of pages with text in the file itself.'),
    ocr: Count('Number of pages whose text was recognized with OCR.'),
    empty: Count('Number of pages without text.'),
    failed: Count('Number of pages that could not be read.'),
    documents: List(
      Type.Object({
        documentId: Text('Identifier of the document.'),
        title: Text('Title of the document.'),
        failed: Count('Number of pages of the document that could not be read.'),
      }),
      'Documents with the most failed pages, worst first.',
      { maxItems: MAX_FAILED_DOCUMENTS },
    ),
  },
  { $id: 'PageTotals', description: 'Page processing results of all documents in a memory, excluding corrections.' },
)

/** Page processing results of all documents, and the documents with the most failed pages. */
export type PageTotalsResource = Static<typeof PageTotalsSchema>

/** A chunk of a document. */
export const ChunkSchema = Type.Object(
  {
    id: Text('Identifier of the chunk, as `chunkId` in hits: the document and the index.'),
    index: Count('Position among the chunks of the document, starting at 0.'),
    text: Text('Text of the chunk: the slice of the extracted text between the offsets.'),
    startOffset: Count('Start in the extracted text, in UTF-16 code units.'),
    endOffset: Count('End in the extracted text, in UTF-16 code units.'),
    page: Nullable(Type.Integer({ minimum: 1 }), 'First page of the chunk. Null for formats without pages.'),
    pageEnd: Nullable(Type.Integer({ minimum: 1 }), 'Last page of the chunk. Null for formats without pages.'),
    section: Nullable(Type.String(), 'Headings above the chunk. Null without a heading.'),
    header: Nullable(Type.String(), 'Header row of the table of the chunk. Null outside of tables.'),
  },
  { $id: 'Chunk', description: 'A chunk of a document: the unit that searches find.' },
)

/** A chunk of a document in a response. */
export type ChunkResource = Static<typeof ChunkSchema>

/** Example of a document in a list. */
export const DOCUMENT_EXAMPLE: DocumentResource = {
  id: IDS.document,
  memoryId: IDS.memory,
  title: HANDBOOK,
  filename: 'handbook.md',
  mimeType: 'text/markdown',
  sourceType: 'file',
  url: null,
  tags: ['handbook'],
  metadata: { department: 'support' },
  externalId: null,
  status: 'ready',
  enabled: true,
  sizeBytes: 222,
  pageCount: null,
  ocrPages: 0,
  chunkCount: 1,
  characterCount: 222,
  contentHash: '3f8a1c5d0b7e42966a0d9c81f4e27b35c6d8090a1b2c3d4e5f60718293a4b5c6',
  embeddingModel: MEMORY_EXAMPLE.embeddingModel,
  hasSource: true,
  jobId: null,
  error: null,
  createdAt: EARLIER,
  updatedAt: LATER,
  correction: null,
}

/** Example result of a document without pages, counted as one page. */
const PAGES_EXAMPLE: PageReportResource[] = [
  { page: 1, method: 'text', characters: 222, confidence: null, message: null },
]

/** Example totals of a larger memory. */
const PAGE_TOTALS_EXAMPLE: PageTotalsResource = {
  pages: 214,
  text: 171,
  ocr: 38,
  empty: 3,
  failed: 2,
  documents: [{ documentId: IDS.scan, title: 'Contract, signed', failed: 2 }],
}

/** Examples of page processing results. */
export const REPORT_EXAMPLES = { pages: PAGES_EXAMPLE, totals: PAGE_TOTALS_EXAMPLE }

const TIME = 'ISO 8601 date or time, in UTC without a time zone.'

/** Conditions on metadata, checked by `services/filters/read-filter.ts`. */
const MetadataConditionsSchema = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description:
    'Conditions by metadata key: a value, or an object of operators, such as `{"year": {"$gte": 2020}}`. Operators: ' +
    '`$eq`, `$ne`, `$in`, `$nin`, `$gt`, `$gte`, `$lt`, `$lte`, `$exists`. Beside keys, `$and` and `$or` take an ' +
    'array of such objects, `$not` an object. Numbers compare with numbers, ISO 8601 dates with dates, other ' +
    'strings with strings. `$ne`, `$nin` and `$not` also match documents without the key.',
})

/** Filter of documents. */
export const FilterSchema = Type.Object(
  {
    tags: Type.Optional(List(TagSchema, 'Only documents with all of these tags.', { maxItems: FIELD_LIMITS.tags })),
    documentIds: Type.Optional(
      List(Type.String(), 'Only these documents. An empty list matches none.', { maxItems: FILTER.documents }),
    ),
    metadata: Type.Optional(MetadataConditionsSchema),
    createdAfter: Type.Optional(Type.String({ description: `Only documents added after this time. ${TIME}` })),
    createdBefore: Type.Optional(Type.String({ description: `Only documents added before this time. ${TIME}` })),
    sourceType: Type.Optional(OneOf(SOURCE_TYPES, 'Only documents with this source.')),
  },
  { $id: 'Filter', description: 'Filter for documents and corrections. All conditions must match.' },
)

/** Filter of documents. */
export type Filter = Static<typeof FilterSchema>

/** Request body of POST …/documents/delete, with either `ids` or `filter`. */
export const DeleteDocumentsBody = Type.Object({
  ids: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: FIELD_LIMITS.perRequest,
      description: 'Documents or corrections to delete. Required unless filter is given.',
    }),
  ),
  filter: Type.Optional(FilterSchema),
  dryRun: Type.Optional(
    Type.Boolean({ default: false, description: 'If true, counts the documents and deletes nothing.' }),
  ),
})

/** Response of POST …/documents/delete. */
export const DeletedDocumentsSchema = Type.Object(
  {
    matched: Count('Number of documents that the request names.'),
    deleted: Count('Number of deleted documents. 0 with dryRun.'),
    dryRun: Flag('True if nothing was deleted.'),
    notFound: List(Type.String(), 'Entries of ids without a document in this memory.'),
    warnings: WarningsSchema,
  },
  { $id: 'DeletedDocuments', description: 'Numbers of documents of a deletion.' },
)

/** Options of requests with the filter as the only option. */
export const FilterOptions = Type.Object({ filter: Type.Optional(FilterSchema) }, { description: 'Options.' })

/** Example of the only chunk of a short document. */
export const CHUNK_EXAMPLE: ChunkResource = {
  id: PASSAGE_ID,
  index: 0,
  text: REFUNDS,
  startOffset: 157,
  endOffset: 157 + REFUNDS.length,
  page: null,
  pageEnd: null,
  section: 'Refunds',
  header: null,
}
