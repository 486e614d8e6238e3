import { type Static, Type } from 'typebox'
import {
  ChangeDocumentBody,
  ChangedDocumentSchema,
  DeleteDocumentsBody,
  DeletedDocumentsSchema,
  DOCUMENT_STATUSES,
  DocumentSchema,
  DocumentWithPagesSchema,
  PageTotalsSchema,
  SOURCE_TYPES,
} from '../../api/document.ts'
import {
  type AcceptedDocuments,
  AcceptedDocumentsSchema,
  AddDocumentsBody,
  AddDocumentsForm,
  type AddedDocuments,
  AddedDocumentsSchema,
  DOCUMENT_DEFAULTS,
  FileFieldsSchema,
  type IngestOptionsSchema,
  type TextDocument,
  UploadFieldsSchema,
} from '../../api/ingest.ts'
import { containedText, creationParameters, OneOf, pageOf, pageParameters, type Warning } from '../../api/values.ts'
import { ApiError, invalid } from '../../errors.ts'
import { JSON_BODY_BYTES, MAX_FILE_BYTES, MAX_REQUEST_BODY_BYTES, OCR_MAX_PAGES, PAGE_LIMIT } from '../../limits.ts'
import { type DocumentFilter, readFilter } from '../../services/filters/read-filter.ts'
import type { IngestOptions } from '../../services/ingest/ingest.ts'
import { limitWarnings, takeFitting } from '../../services/paging.ts'
import { accepted, noContent, ok } from '../answers/answers.ts'
import type { Upload, UploadForm } from '../body/upload.ts'
import { readBody, unknownField } from '../read-value.ts'
import { type Context, defineRoute, type Route } from '../route.ts'
import {
  pathParameter,
  readCreation,
  readFileFields,
  readJsonObject,
  readPageRequest,
  requireChange,
  requireMetadataLimit,
} from './parameters.ts'

const DOCUMENT_FORM: UploadForm = {
  parts: AddDocumentsForm,
  maxFileBytes: MAX_FILE_BYTES,
  tooLarge: 'file_too_large',
}

const ListQuery = Type.Object({
  ...pageParameters(PAGE_LIMIT.documents),
  status: Type.Optional(OneOf(DOCUMENT_STATUSES, 'Return only documents with this status.')),
  tag: Type.Optional(Type.String({ description: 'Return only documents with this tag.' })),
  sourceType: Type.Optional(
    OneOf(SOURCE_TYPES, 'Return only documents with this source. Without it, corrections are not returned.'),
  ),
  name: containedText('documents with a title or file name'),
  title: containedText('documents with a title'),
  filename: containedText('documents with a file name'),
  externalId: Type.Optional(Type.String({ description: 'Return only documents with this externalId.' })),
  metadata: Type.Optional(
    Type.String({ description: 'Return only documents with this metadata: the JSON of a filter of searches.' }),
  ),
  ...creationParameters('documents'),
})

type AddDocuments = Static<typeof AddDocumentsBody>

/** Responses of an add. */
const ADDING_ANSWERS = {
  200: { description: 'The documents are searchable.', schema: AddedDocumentsSchema },
  202: { description: 'A background job adds the documents.', schema: AcceptedDocumentsSchema },
} as const

type AddContext = Context<typeof AddDocumentsBody, never, typeof ADDING_ANSWERS>

/**
 * Adds an uploaded file, the texts of a JSON body, or the content of a URL. Responds with 200, or
 * with 202 if a job does the work.
 */
async function addDocuments(context: AddContext) {
  const { services, caller, params, body, upload, signal, storeResponseAs } = context
  const memoryId = pathParameter(params, 'id')
  const read = upload === null ? { sent: body, warnings: context.warnings } : readUpload(upload)
  const { sent } = read
  const given = upload === null ? readForm(body) : { file: upload.file }
  const warnings = 'texts' in given ? [...read.warnings, ...warnOfFileFields(body)] : read.warnings
  const toAnswer = (added: AddedDocuments | AcceptedDocuments) => answerAdded(added, warnings)
  const work = { signal, storeResponse: storeResponseAs(toAnswer) }
  const options = readOptions(sent.options)
  if ('texts' in given)
    return toAnswer(await services.ingest.addTexts(caller, memoryId, { documents: given.texts, options, work }))
  const request = { options, fields: readFileFields(sent, sent.options ?? {}), work }
  if ('url' in given) return toAnswer(await services.ingest.addUrl(caller, memoryId, { url: given.url, ...request }))
  return toAnswer(await services.ingest.addFile(caller, memoryId, { file: given.file, ...request }))
}

function readUpload({ fields, warnings }: Upload) {
  const read = readBody(UploadFieldsSchema, fields)
  return { sent: read.value, warnings: [...warnings, ...read.warnings] }
}

/** Texts have fields of the same names inside `documents`. */
function warnOfFileFields({ options = {}, ...body }: AddDocuments): Warning[] {
  const names = Object.keys(FileFieldsSchema.properties)
  return [
    ...names.flatMap((name) => (Object.hasOwn(body, name) ? unknownField(name) : [])),
    ...names.flatMap((name) => (Object.hasOwn(options, name) ? unknownField(`options.${name}`) : [])),
  ]
}

/** Returns the texts or the URL of a JSON body. Exactly one is allowed. */
function readForm({ documents, url }: AddDocuments): { texts: TextDocument[] } | { url: string } {
  if (documents !== undefined && url !== undefined) {
    throw invalid('url', 'cannot be combined with documents: send one of them')
  }
  if (url !== undefined) return { url }
  if (documents === undefined) throw missingDocumentsError()
  for (const [index, { metadata = {} }] of documents.entries())
    requireMetadataLimit(metadata, `documents[${index}].metadata`)
  return { texts: documents.map((document) => ({ ...DOCUMENT_DEFAULTS, ...document })) }
}

function missingDocumentsError(): ApiError {
  return new ApiError('validation_failed', {
    message: 'The request contains no document. Send a file as multipart/form-data, or JSON with documents or url.',
    param: 'documents',
    details: [
      {
        param: 'documents',
        message: 'is required if neither a file nor url is sent, and must be an array of objects',
      },
    ],
    remedy: 'Upload a file in the form part `file`, or send JSON with `documents` or `url`.',
  })
}

function readOptions(options: Static<typeof IngestOptionsSchema> = {}): IngestOptions {
  return {
    async: options.async ?? false,
    deduplicate: options.deduplicate ?? false,
    enableOcr: options.enableOcr ?? true,
    ocrMaxPages: options.ocrMaxPages ?? OCR_MAX_PAGES.default,
    storeSource: options.storeSource ?? false,
    embeddingModel: options.embeddingModel ?? null,
  }
}

function answerAdded(added: AddedDocuments | AcceptedDocuments, warnings: readonly Warning[]) {
  const all = [...warnings, ...added.warnings]
  if (added.status === 'pending')
    return accepted<AcceptedDocuments>(added.pollUrl, { ...added, warnings: limitWarnings(all) })
  const documents = takeFitting(added.documents)
  const rest = added.documents.length - documents.length
  const warned = rest === 0 ? all : [omittedDocumentsWarning(rest), ...all]
  return ok<AddedDocuments>({ ...added, documents, warnings: limitWarnings(warned) })
}

function omittedDocumentsWarning(count: number): Warning {
  const message =
    `The last ${count} documents are not listed in documents, to limit the size of the response. ` +
    'documentIds lists all of them.'
  return { code: 'documents_left_out', message, param: null }
}

/** A misspelled condition would delete more than was meant, and a misspelled `dryRun` at all. */
function requireKnownFields(warnings: readonly Warning[]): void {
  const unknown = warnings.find(({ code }) => code === 'unknown_field')
  if (unknown !== undefined) throw invalid(unknown.param ?? 'body', 'is not a known field. Nothing was deleted')
}

/** Reads the filter of a deletion; `null` with ids. Throws for both, neither, and no condition. */
function readDeletionFilter({ ids, filter }: Static<typeof DeleteDocumentsBody>): DocumentFilter | null {
  if (ids !== undefined && filter !== undefined)
    throw invalid('filter', 'cannot be combined with ids: send one of them')
  if (ids !== undefined) return null
  if (filter === undefined) throw invalid('ids', 'is required unless filter is given')
  const read = readFilter(filter, 'filter')
  if (read === null) throw invalid('filter', 'must have a condition; to delete all documents, delete the memory')
  return read
}

/** API document, "Documents". */
export const DOCUMENT_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/documents',
    operationId: 'addDocuments',
    summary: 'Add documents',
    description:
      'Adds an uploaded file, up to 10,000 texts, or the content of a URL. Small documents are ' +
      'searchable when the response arrives. Files over 2 MB, documents with more than 5 scanned pages ' +
      'and requests with async are processed in a background job (status 202).',
    tag: 'Documents',
    access: 'memory',
    body: AddDocumentsBody,
    form: DOCUMENT_FORM,
    maxBodyBytes: MAX_REQUEST_BODY_BYTES,
    answers: ADDING_ANSWERS,
    errors: [
      'memory_not_found',
      'storage_quota_exceeded',
      'embedding_model_pinned',
      'file_too_large',
      'unsupported_file_type',
      'unprocessable_document',
      'url_not_allowed',
      'url_fetch_failed',
      'url_too_large',
      'queue_full',
      'insufficient_storage',
    ],
    handle: addDocuments,
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/documents',
    operationId: 'listDocuments',
    summary: 'List documents',
    description:
      'Lists the documents of a memory, including pending and failed ones. Corrections are only returned ' +
      'with sourceType=correction.',
    tag: 'Documents',
    access: 'memory',
    query: ListQuery,
    answers: {
      200: {
        description: 'A page of documents, newest first unless sorted otherwise.',
        schema: pageOf('documents', DocumentSchema),
      },
    },
    errors: ['memory_not_found', 'invalid_cursor'],
    handle: async ({ services, caller, params, query, reserveMemory }) => {
      const { status = null, tag = null, sourceType = null, name, title, filename, externalId, sort } = query
      const metadata = readJsonObject(query.metadata, 'metadata')
      const given = { name, title, filename, externalId, sort, ...readCreation(query) }
      const filter = { status, tag, sourceType, ...given, filter: readFilter(metadata && { metadata }, '') }
      const page = readPageRequest({ query, reserveMemory }, PAGE_LIMIT.documents)
      return ok(await services.documents.list(caller, pathParameter(params, 'id'), { ...filter, page }))
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/documents/:documentId',
    operationId: 'getDocument',
    summary: 'Get a document',
    description: 'Returns a document with the processing result of each page.',
    tag: 'Documents',
    access: 'memory',
    answers: { 200: { description: 'The document.', schema: DocumentWithPagesSchema } },
    errors: ['memory_not_found', 'document_not_found'],
    handle: async ({ services, caller, params }) =>
      ok(await services.documents.get(caller, pathParameter(params, 'id'), pathParameter(params, 'documentId'))),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/documents/delete',
    operationId: 'deleteDocuments',
    summary: 'Delete documents',
    description:
      'Deletes the documents of a list of identifiers or of a filter, hidden ones included. Corrections match only ' +
      'by identifier or with a sourceType. With dryRun, counts them. If the request ends early, repeat it.',
    tag: 'Documents',
    access: 'memory',
    isSafeToRepeat: true,
    body: DeleteDocumentsBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 200: { description: 'The numbers of documents.', schema: DeletedDocumentsSchema } },
    errors: ['memory_not_found'],
    handle: async ({ services, caller, params, body, warnings, signal }) => {
      const { ids = null, dryRun = false } = body
      requireKnownFields(warnings)
      const request = { ids, filter: readDeletionFilter(body), dryRun, signal }
      const numbers = await services.documentChanges.deleteDocuments(caller, pathParameter(params, 'id'), request)
      return ok({ ...numbers, dryRun, warnings })
    },
  }),
  defineRoute({
    method: 'PATCH',
    url: '/v1/memories/:id/documents/:documentId',
    operationId: 'changeDocument',
    summary: 'Change a document',
    description:
      'Changes the title, tags or metadata of a document, or hides it from searches. Tags and metadata replace the ' +
      'stored ones. Fields that are not sent stay as they are. The document is not read again.',
    tag: 'Documents',
    access: 'memory',
    body: ChangeDocumentBody,
    maxBodyBytes: JSON_BODY_BYTES,
    answers: { 200: { description: 'The changed document.', schema: ChangedDocumentSchema } },
    errors: ['memory_not_found', 'document_not_found'],
    handle: async ({ services, caller, params, body, warnings }) => {
      requireChange(ChangeDocumentBody, body)
      requireMetadataLimit(body.metadata ?? {}, 'metadata')
      const request = { documentId: pathParameter(params, 'documentId'), change: body }
      const changed = await services.documentChanges.changeDocument(caller, pathParameter(params, 'id'), request)
      return ok({ ...changed, warnings: [...warnings, ...changed.warnings] })
    },
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/memories/:id/documents/:documentId',
    operationId: 'deleteDocument',
    summary: 'Delete a document',
    description:
      'Deletes a document or correction with its chunks and stored original. A job that is still adding ' +
      'the document ends.',
    tag: 'Documents',
    access: 'memory',
    answers: { 204: { description: 'The document was deleted.' } },
    errors: ['memory_not_found', 'document_not_found'],
    handle: async ({ services, caller, params }) => {
      await services.documents.delete(caller, pathParameter(params, 'id'), pathParameter(params, 'documentId'))
      return noContent()
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/pages',
    operationId: 'countPages',
    summary: 'Get page totals',
    description:
      'Returns the page processing results of all documents in a memory, excluding corrections, and the ' +
      'documents with the most failed pages.',
    tag: 'Documents',
    access: 'memory',
    answers: { 200: { description: 'The totals, excluding corrections.', schema: PageTotalsSchema } },
    errors: ['memory_not_found'],
    handle: async ({ services, caller, params, signal }) =>
      ok(await services.documents.countPages(caller, pathParameter(params, 'id'), signal)),
  }),
]
