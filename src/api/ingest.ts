import { type Static, Type } from 'typebox'
import { DOCUMENT_FIELDS, OCR_MAX_PAGES } from '../limits.ts'
import {
  EXTERNAL_ID,
  FilePart,
  type Metadata,
  MetadataSchema,
  TagsSchema,
  TITLE,
  UNTITLED,
  URL_CHARACTERS,
} from './fields.ts'
import { ACCEPTED_FIELDS, ADDED_FIELDS, JobSchema, PENDING_JOB_EXAMPLE } from './job.ts'
import { HANDBOOK, IDS } from './story.ts'
import { Count, List, Nullable, OneOf, Text, WarningsSchema } from './values.ts'

/** The object `options` of add-documents (API document, "Ingestion options"). */
export const IngestOptionsSchema = Type.Object(
  {
    async: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether a background worker does the work in any case.' }),
    ),
    deduplicate: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether documents with similar content are skipped.' }),
    ),
    enableOcr: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether text is recognised on scanned and image-only PDF pages.' }),
    ),
    ocrMaxPages: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: OCR_MAX_PAGES.max,
        default: OCR_MAX_PAGES.default,
        description: 'The most pages that are recognised of a document.',
      }),
    ),
    storeSource: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether the original is kept for GET …/source.' }),
    ),
    embeddingModel: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The embedding model, which the first document of a memory pins.',
      }),
    ),
  },
  { $id: 'IngestOptions', description: 'How documents are added.' },
)

const TextDocumentSchema = Type.Object({
  title: Type.Optional(Type.String({ ...TITLE, default: UNTITLED, description: 'The title of the document.' })),
  text: Type.String({ minLength: 1, description: 'The text of the document.' }),
  tags: Type.Optional(TagsSchema),
  metadata: Type.Optional(MetadataSchema),
  externalId: Type.Optional(
    Type.String({
      ...EXTERNAL_ID,
      description: "The caller's own identifier of the document. Adding it again replaces the document.",
    }),
  ),
})

/** A text document as callers send it. */
export type SentTextDocument = Static<typeof TextDocumentSchema>

/** The fields of a document that a caller did not send. */
export const DOCUMENT_DEFAULTS = {
  title: UNTITLED,
  tags: [] as readonly string[],
  metadata: {} as Metadata,
  externalId: null as string | null,
}

/** A text document with all fields that a caller can set. */
export type TextDocument = typeof DOCUMENT_DEFAULTS & { text: string }

/** The JSON body of add-documents. Exactly one of `documents` and `url`. */
export const AddDocumentsBody = Type.Object({
  documents: Type.Optional(
    Type.Array(TextDocumentSchema, {
      minItems: 1,
      maxItems: DOCUMENT_FIELDS.perRequest,
      description: 'The texts to add, all or none. Either these or url is given.',
    }),
  ),
  url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: URL_CHARACTERS,
      description: 'An http or https URL that the service downloads, 100 MB at most.',
    }),
  ),
  options: Type.Optional(IngestOptionsSchema),
})

/** The form of add-documents. */
export const AddDocumentsForm = Type.Object({
  file: FilePart('The file, at most 100 MB.'),
  options: Type.Optional(IngestOptionsSchema),
})

/** The `options` part of an upload, under the name that its errors and warnings carry. */
export const UploadFieldsSchema = Type.Object({ options: Type.Optional(IngestOptionsSchema) })

/** 200 of add-documents. */
export const AddedDocumentsSchema = Type.Object(
  {
    status: OneOf(['completed'], 'The state of the work: it is done.'),
    ...ADDED_FIELDS,
    documents: List(
      Type.Object({
        id: Nullable(Type.String(), 'The identifier of the new document; null where it was skipped.'),
        title: Text('The title of the document.'),
        status: OneOf(
          ['ready', 'partial', 'duplicate'],
          'What became of the document: it can be found, it can be found and lacks pages, or it was skipped.',
        ),
        chunkCount: Count('The chunks that were made of the document.'),
        duplicateOf: Nullable(
          Type.String(),
          'The document that has this content already; null where none was skipped for it.',
        ),
      }),
      'What became of each document, in the order sent; the last are left out where all would be larger than 4 MB.',
    ),
    warnings: WarningsSchema,
  },
  { $id: 'AddedDocuments', description: 'Documents that were added and can be found.' },
)

/** 200 of add-documents. */
export type AddedDocuments = Static<typeof AddedDocumentsSchema>

/** 202 of add-documents. */
export const AcceptedDocumentsSchema = Type.Object(
  {
    ...ACCEPTED_FIELDS,
    reason: OneOf(
      ['file_over_sync_threshold', 'scanned_pages', 'async_requested'],
      'Why a job does the work: the file is larger than 2 MB, it has more than 5 scanned pages, or async ' +
        'was asked for.',
    ),
    documentIds: List(Type.String(), 'The identifiers of the documents that the job adds.'),
    job: JobSchema,
    warnings: WarningsSchema,
  },
  { $id: 'AcceptedDocuments', description: 'Documents that a job adds from now on.' },
)

/** 202 of add-documents. */
export type AcceptedDocuments = Static<typeof AcceptedDocumentsSchema>

/** The handbook, added. */
const ADDED_EXAMPLE: AddedDocuments = {
  status: 'completed',
  documentsAdded: 1,
  documentsSkipped: 0,
  chunksCreated: 1,
  documentIds: [IDS.document],
  totalBytes: 222,
  processingMs: 340,
  documents: [{ id: IDS.document, title: HANDBOOK, status: 'ready', chunkCount: 1, duplicateOf: null }],
  warnings: [],
}

/** A scan that a job reads. */
const ACCEPTED_EXAMPLE: AcceptedDocuments = {
  jobId: IDS.job,
  pollUrl: `/v1/jobs/${IDS.job}`,
  status: 'pending',
  reason: 'scanned_pages',
  documentIds: [IDS.scan],
  job: PENDING_JOB_EXAMPLE,
  warnings: [],
}

/** The examples of a addition, done and by a job. */
export const ADDING_EXAMPLES = { added: ADDED_EXAMPLE, accepted: ACCEPTED_EXAMPLE }
