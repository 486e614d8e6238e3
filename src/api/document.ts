import { type Static, Type } from 'typebox'
import { MAX_FAILED_DOCUMENTS } from '../limits.ts'
import { Scalar } from './fields.ts'
import { MEMORY_EXAMPLE } from './memory.ts'
import { EARLIER, HANDBOOK, IDS, LATER } from './story.ts'
import { Count, Flag, List, Nullable, NullableTimestamp, OneOf, Text, Timestamp } from './values.ts'

/** The words of a document's `status` and `sourceType` (contract, "Document"). */
export const DOCUMENT_STATUSES = ['pending', 'processing', 'ready', 'partial', 'failed'] as const
export const SOURCE_TYPES = ['file', 'text', 'url', 'ocr', 'correction'] as const

/** The state of a document, and how it came. */
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number]
export type SourceType = (typeof SOURCE_TYPES)[number]

const DOCUMENT_FIELDS = {
  id: Text('The identifier of the document. It begins with doc_.'),
  memoryId: Text('The memory of the document.'),
  title: Text('The title: as it was sent, or what the file calls itself, or its name.'),
  filename: Nullable(Type.String(), 'The name of the file; null where the document came as text.'),
  mimeType: Text('The media type of the original, by its content, such as application/pdf.'),
  sourceType: OneOf(
    SOURCE_TYPES,
    'How the document came: an uploaded file, a text, a download, a picture of text, or a correction.',
  ),
  url: Nullable(Type.String(), 'The address that the document was downloaded from; null where it came otherwise.'),
  tags: List(Type.String(), 'The tags of the document, by which searches and lists can be filtered.'),
  metadata: Type.Record(Type.String(), Scalar, {
    description: 'What the caller noted of the document, by name. Searches can be filtered by it.',
  }),
  externalId: Nullable(
    Type.String(),
    "The caller's own identifier of the document, of which a memory has one document; null where none was given.",
  ),
  status: OneOf(
    DOCUMENT_STATUSES,
    'The state of the document. One that is ready or partial can be found; one that is partial lacks pages.',
  ),
  sizeBytes: Count('The bytes of the original.'),
  pageCount: Nullable(
    Type.Integer({ minimum: 0 }),
    'The pages, sheets or slides; null for what has none, and until the document is read.',
  ),
  ocrPages: Count('The pages whose text was recognised from a picture.'),
  chunkCount: Count('The chunks of the document: the passages that a search finds.'),
  characterCount: Count('The length of the extracted text in UTF-16 code units, which all offsets count in.'),
  contentHash: Nullable(
    Type.String(),
    'A hash of the extracted text, by which duplicates are known; null until the document is read.',
  ),
  embeddingModel: Nullable(
    Type.String(),
    'The model that made the vectors of the chunks; null until the document is read.',
  ),
  hasSource: Flag('Whether the original is stored and GET …/source gives it.'),
  jobId: Nullable(Type.String(), 'The job that added the document; null where the request itself did.'),
  error: Nullable(Type.String(), 'Why the document failed or lacks pages, as a sentence; null where it is whole.'),
  createdAt: Timestamp('When the document was added.'),
  updatedAt: Timestamp('When the document last changed.'),
  correction: Nullable(
    Type.Object({
      statement: Text('What is so.'),
      topics: List(Type.String(), 'What the correction is about.'),
      boost: Type.Number({ description: 'How much the correction counts, above 0 and at most 10.' }),
      expiresAt: NullableTimestamp('When the correction stops being found; null where it never does.'),
    }),
    'What a correction says; null for every other document.',
  ),
}

/** A document as lists show it. */
export const DocumentSchema = Type.Object(DOCUMENT_FIELDS, {
  $id: 'Document',
  description: 'A document of a memory, or a correction.',
})

/** A document as callers see it. */
export type DocumentResource = Static<typeof DocumentSchema>

const PageReceiptSchema = Type.Object({
  page: Type.Integer({ minimum: 1, description: 'The number of the page, from 1.' }),
  method: OneOf(
    ['text', 'ocr', 'empty', 'failed'],
    'Where the text came from: the file itself, or a picture of the page; empty where there is none, ' +
      'failed where it could not be read.',
  ),
  characters: Count('The length of the text of the page in UTF-16 code units.'),
  confidence: Nullable(Type.Number(), 'How sure the recognition is, from 0 to 1; null where nothing was recognised.'),
  message: Nullable(Type.String(), 'What is worth knowing of the page, as a sentence; null where there is nothing.'),
})

/** What became of a page, sheet or slide. */
export type PageReceiptResource = Static<typeof PageReceiptSchema>

/** A document with the receipt: what became of every page, sheet or slide. One without pages counts as one here. */
export const DocumentWithPagesSchema = Type.Object(
  {
    ...DOCUMENT_FIELDS,
    pages: List(
      PageReceiptSchema,
      'What became of every page, sheet or slide; of a document with tens of thousands of the first 4 MB. ' +
        'What has no pages counts as one.',
    ),
  },
  { $id: 'DocumentWithPages', description: 'A document, and what became of each of its pages.' },
)

/** What became of all pages of a memory. */
export const PageTotalsSchema = Type.Object(
  {
    pages: Count('All pages; a document without pages counts as one.'),
    text: Count('The pages whose text stood in the file.'),
    ocr: Count('The pages whose text was recognised from a picture.'),
    empty: Count('The pages without text.'),
    failed: Count('The pages that could not be read.'),
    documents: List(
      Type.Object({
        documentId: Text('The identifier of the document.'),
        title: Text('The title of the document.'),
        failed: Count('The pages of the document that could not be read.'),
      }),
      'The documents of which most pages failed, the worst first.',
      { maxItems: MAX_FAILED_DOCUMENTS },
    ),
  },
  { $id: 'PageTotals', description: 'What became of the pages of all documents of a memory, without corrections.' },
)

/** What became of the pages of all documents of a memory, and the documents of which most failed. */
export type PageTotalsResource = Static<typeof PageTotalsSchema>

/** The handbook, as lists show it. */
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

/** The receipt of the handbook, which has no pages and counts as one. */
const PAGES_EXAMPLE: PageReceiptResource[] = [
  { page: 1, method: 'text', characters: 222, confidence: null, message: null },
]

/** The pages of a larger memory. */
const PAGE_TOTALS_EXAMPLE: PageTotalsResource = {
  pages: 214,
  text: 171,
  ocr: 38,
  empty: 3,
  failed: 2,
  documents: [{ documentId: IDS.scan, title: 'Contract, signed', failed: 2 }],
}

/** The examples of a document and of a memory: what became of the pages. */
export const RECEIPT_EXAMPLES = { pages: PAGES_EXAMPLE, totals: PAGE_TOTALS_EXAMPLE }
