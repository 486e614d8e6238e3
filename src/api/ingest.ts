import { type Static, Type } from 'typebox'
import { DOCUMENT_FIELDS, OCR_MAX_PAGES } from '../limits.ts'
import { HANDBOOK, IDS } from './example-data.ts'
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
import { ACCEPTED_FIELDS, ADDED_FIELDS, JobSchema, MEMBERS_FIELD, PENDING_JOB_EXAMPLE } from './job.ts'
import { Count, List, Nullable, OneOf, Text, WarningsSchema } from './values.ts'

const EXTERNAL_ID_FIELD = Type.Optional(
  Type.String({
    ...EXTERNAL_ID,
    description: 'Your own identifier of the document. Adding the same externalId again replaces the document.',
  }),
)

/** Fields of the document of a file, an image or a URL. */
export const FILE_FIELDS = {
  title: Type.Optional(
    Type.String({
      maxLength: DOCUMENT_FIELDS.titleCharacters,
      description: 'Title of the document. Default, also if empty: the title of the file. Not allowed for an archive.',
    }),
  ),
  tags: Type.Optional(TagsSchema),
  metadata: Type.Optional(MetadataSchema),
  externalId: EXTERNAL_ID_FIELD,
}

/** Fields of a file beside `options`, whose fields take precedence. */
export const FileFieldsSchema = Type.Object(FILE_FIELDS)

/** Fields of a file as callers send them. */
export type SentFileFields = Static<typeof FileFieldsSchema>

/** Object `options` of add-documents (API document, "Ingestion options"). */
export const IngestOptionsSchema = Type.Object(
  {
    async: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'If true, always processes the documents in a background job.',
      }),
    ),
    deduplicate: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'If true, skips documents whose content is similar to an existing document.',
      }),
    ),
    enableOcr: Type.Optional(
      Type.Boolean({ default: true, description: 'If true, runs OCR on scanned and image-only PDF pages.' }),
    ),
    ocrMaxPages: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: OCR_MAX_PAGES.max,
        default: OCR_MAX_PAGES.default,
        description: 'Maximum number of pages per document on which OCR runs.',
      }),
    ),
    storeSource: Type.Optional(
      Type.Boolean({ default: false, description: 'If true, stores the original for GET …/source.' }),
    ),
    embeddingModel: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Embedding model. The first document of a memory fixes its embedding model.',
      }),
    ),
    ...FILE_FIELDS,
  },
  { $id: 'IngestOptions', description: 'Options for adding documents.' },
)

const TextDocumentSchema = Type.Object({
  title: Type.Optional(Type.String({ ...TITLE, default: UNTITLED, description: 'Title of the document.' })),
  text: Type.String({ minLength: 1, description: 'Text of the document.' }),
  tags: Type.Optional(TagsSchema),
  metadata: Type.Optional(MetadataSchema),
  externalId: EXTERNAL_ID_FIELD,
})

/** The fields of a document that a caller did not send. */
export const DOCUMENT_DEFAULTS = {
  title: UNTITLED,
  tags: [] as readonly string[],
  metadata: {} as Metadata,
  externalId: null as string | null,
}

/** A text document with all fields that a caller can set. */
export type TextDocument = typeof DOCUMENT_DEFAULTS & { text: string }

/** JSON body of add-documents, with exactly one of `documents` and `url`. */
export const AddDocumentsBody = Type.Object({
  documents: Type.Optional(
    Type.Array(TextDocumentSchema, {
      minItems: 1,
      maxItems: DOCUMENT_FIELDS.perRequest,
      description: 'Texts to add. Either all of them are added or none. Required unless url is given.',
    }),
  ),
  url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: URL_CHARACTERS,
      description:
        'HTTP or HTTPS URL to download, up to 100 MB. With options.async a job downloads it. Required unless ' +
        'documents is given.',
    }),
  ),
  ...FILE_FIELDS,
  options: Type.Optional(IngestOptionsSchema),
})

/** Form of add-documents. */
export const AddDocumentsForm = Type.Object({
  file: FilePart('File to add, up to 100 MB. Each member of a ZIP archive becomes a document.'),
  ...FILE_FIELDS,
  options: Type.Optional(IngestOptionsSchema),
})

/** Parts of an upload besides the file, under the names used in errors and warnings. */
export const UploadFieldsSchema = Type.Object({ ...FILE_FIELDS, options: Type.Optional(IngestOptionsSchema) })

/** Response 200 of add-documents. */
export const AddedDocumentsSchema = Type.Object(
  {
    status: OneOf(['completed'], 'Always `completed`.'),
    ...ADDED_FIELDS,
    documents: List(
      Type.Object({
        id: Nullable(Type.String(), 'Identifier of the new document. Null if it was skipped.'),
        title: Text('Title of the document.'),
        status: OneOf(
          ['ready', 'partial', 'duplicate'],
          '`ready` if the document is searchable, `partial` if it is searchable but some pages could not be ' +
            'read, `duplicate` if it was skipped.',
        ),
        chunkCount: Count('Number of chunks of the document.'),
        duplicateOf: Nullable(
          Type.String(),
          'Existing document with the same content. Null unless this one was skipped.',
        ),
      }),
      'Result for each document, in request order. Trailing items are omitted if the response would exceed 4 MB.',
    ),
    ...MEMBERS_FIELD,
    warnings: WarningsSchema,
  },
  { $id: 'AddedDocuments', description: 'Documents that were added and are searchable.' },
)

/** Response 200 of add-documents. */
export type AddedDocuments = Static<typeof AddedDocumentsSchema>

/** Response 202 of add-documents. */
export const AcceptedDocumentsSchema = Type.Object(
  {
    ...ACCEPTED_FIELDS,
    reason: OneOf(
      ['file_over_sync_threshold', 'scanned_pages', 'async_requested'],
      'Reason for the background job: the file or unpacked archive is larger than 2 MB, it has over 5 scanned ' +
        'pages, or async is set.',
    ),
    documentIds: List(Type.String(), 'Identifiers of the documents that the job adds.'),
    ...MEMBERS_FIELD,
    job: JobSchema,
    warnings: WarningsSchema,
  },
  { $id: 'AcceptedDocuments', description: 'Documents that a background job adds.' },
)

/** Response 202 of add-documents. */
export type AcceptedDocuments = Static<typeof AcceptedDocumentsSchema>

/** Example of an added document. */
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

/** Example of a scan in a background job. */
const ACCEPTED_EXAMPLE: AcceptedDocuments = {
  jobId: IDS.job,
  pollUrl: `/v1/jobs/${IDS.job}`,
  status: 'pending',
  reason: 'scanned_pages',
  documentIds: [IDS.scan],
  job: PENDING_JOB_EXAMPLE,
  warnings: [],
}

/** Examples of added documents, immediate and by job. */
export const ADDING_EXAMPLES = { added: ADDED_EXAMPLE, accepted: ACCEPTED_EXAMPLE }
