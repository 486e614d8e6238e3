import { Type } from 'typebox'
import { DOCUMENT_FIELDS, MAX_FILE_BYTES, OCR_MAX_PAGES } from '../../limits.ts'
import { UNTITLED } from '../../services/documents/get-own-title.ts'
import { EXTERNAL_ID, MetadataSchema, TagsSchema, TITLE, URL_CHARACTERS } from '../../services/field-schemas.ts'
import type { UploadForm } from '../body/upload.ts'
import { ADDED_FIELDS, JobSchema } from './job.ts'
import { Count, Nullable, OneOf, WarningSchema } from './values.ts'

/** The object `options` of add-documents (API document, "Ingestion options"). */
export const IngestOptionsSchema = Type.Object(
  {
    async: Type.Optional(Type.Boolean({ default: false, description: 'Force processing by the background worker.' })),
    deduplicate: Type.Optional(Type.Boolean({ default: false, description: 'Skip documents with similar content.' })),
    enableOcr: Type.Optional(Type.Boolean({ default: true, description: 'Recognise text on image-only PDF pages.' })),
    ocrMaxPages: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: OCR_MAX_PAGES.max,
        default: OCR_MAX_PAGES.default,
        description: 'Most pages recognised of a document.',
      }),
    ),
    storeSource: Type.Optional(Type.Boolean({ default: false, description: 'Keep the original for GET …/source.' })),
    embeddingModel: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Pinned on the first ingest of a memory.' }),
    ),
  },
  { $id: 'IngestOptions' },
)

const TextDocumentSchema = Type.Object({
  title: Type.Optional(Type.String({ ...TITLE, default: UNTITLED })),
  text: Type.String({ minLength: 1 }),
  tags: Type.Optional(TagsSchema),
  metadata: Type.Optional(MetadataSchema),
  externalId: Type.Optional(
    Type.String({
      ...EXTERNAL_ID,
      description: 'Adding it again replaces the document.',
    }),
  ),
})

/** The JSON body of add-documents. Exactly one of `documents` and `url`. */
export const AddDocumentsBody = Type.Object({
  documents: Type.Optional(Type.Array(TextDocumentSchema, { minItems: 1, maxItems: DOCUMENT_FIELDS.perRequest })),
  url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: URL_CHARACTERS,
      description: 'An http or https URL that the service downloads, 100 MB at most.',
    }),
  ),
  options: Type.Optional(IngestOptionsSchema),
})

/** The part of a form that holds the file. OpenAPI 3.1 tells bytes by the media type, generators of clients still by `format: binary`. */
export function FilePart(description: string) {
  return Type.Unsafe<string>({
    type: 'string',
    format: 'binary',
    contentMediaType: 'application/octet-stream',
    description,
  })
}

/** The form of add-documents. */
export const DOCUMENT_FORM: UploadForm = {
  parts: Type.Object({ file: FilePart('The file.'), options: Type.Optional(IngestOptionsSchema) }),
  maxFileBytes: MAX_FILE_BYTES,
  tooLarge: 'file_too_large',
}

/** The `options` part of an upload, under the name that its errors and warnings carry. */
export const UploadFieldsSchema = Type.Object({ options: Type.Optional(IngestOptionsSchema) })

/** 200 of add-documents. */
export const AddedDocumentsSchema = Type.Object(
  {
    status: OneOf(['completed']),
    ...ADDED_FIELDS,
    documents: Type.Array(
      Type.Object({
        id: Nullable(Type.String()),
        title: Type.String(),
        status: OneOf(['ready', 'partial', 'duplicate']),
        chunkCount: Count,
        duplicateOf: Nullable(Type.String()),
      }),
    ),
    warnings: Type.Array(WarningSchema),
  },
  { $id: 'AddedDocuments' },
)

/** 202 of add-documents. */
export const AcceptedDocumentsSchema = Type.Object(
  {
    jobId: Type.String(),
    pollUrl: Type.String({ description: 'Relative to the base address.' }),
    status: OneOf(['pending']),
    reason: OneOf(['file_over_sync_threshold', 'scanned_pages', 'async_requested']),
    documentIds: Type.Array(Type.String()),
    job: JobSchema,
    warnings: Type.Array(WarningSchema),
  },
  { $id: 'AcceptedDocuments' },
)
