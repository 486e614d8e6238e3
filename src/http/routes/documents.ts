import { type Static, Type } from 'typebox'
import {
  DOCUMENT_STATUSES,
  DocumentSchema,
  DocumentWithPagesSchema,
  PageTotalsSchema,
  SOURCE_TYPES,
} from '../../api/document.ts'
import { countMetadata } from '../../api/fields.ts'
import {
  type AcceptedDocuments,
  AcceptedDocumentsSchema,
  AddDocumentsBody,
  AddDocumentsForm,
  type AddedDocuments,
  AddedDocumentsSchema,
  DOCUMENT_DEFAULTS,
  type IngestOptionsSchema,
  type SentTextDocument,
  type TextDocument,
  UploadFieldsSchema,
} from '../../api/ingest.ts'
import { OneOf, pageOf, pageParameters, type Warning } from '../../api/values.ts'
import { ApiError, invalid } from '../../errors.ts'
import { DOCUMENT_FIELDS, MAX_FILE_BYTES, MAX_REQUEST_BODY_BYTES, OCR_MAX_PAGES, PAGE_LIMIT } from '../../limits.ts'
import type { IngestOptions } from '../../services/ingest/ingest.ts'
import { takeFitting } from '../../services/paging.ts'
import { limitWarnings } from '../../services/warning.ts'
import { accepted, noContent, ok } from '../answers/answers.ts'
import type { Upload, UploadForm } from '../body/upload.ts'
import { readBody } from '../read-value.ts'
import { type Context, defineRoute, type Route } from '../route.ts'
import { pageRequest, pathParameter } from './parameters.ts'

const DOCUMENT_FORM: UploadForm = {
  parts: AddDocumentsForm,
  maxFileBytes: MAX_FILE_BYTES,
  tooLarge: 'file_too_large',
}

const ListQuery = Type.Object({
  ...pageParameters(PAGE_LIMIT.documents),
  status: Type.Optional(OneOf(DOCUMENT_STATUSES, 'Only documents in this state.')),
  tag: Type.Optional(Type.String({ description: 'Only documents with this tag.' })),
  sourceType: Type.Optional(
    OneOf(SOURCE_TYPES, 'Only documents that came so. Corrections are left out unless asked for.'),
  ),
})

type AddDocuments = Static<typeof AddDocumentsBody>

/** What adding answers with. */
const ADDING_ANSWERS = {
  200: { description: 'The documents are ready to search.', schema: AddedDocumentsSchema },
  202: { description: 'A background job adds them.', schema: AcceptedDocumentsSchema },
} as const

type AddContext = Context<typeof AddDocumentsBody, never, typeof ADDING_ANSWERS>

/** Adds the file of an upload, the texts of a JSON body or what its URL names, and answers 200 when done or 202 when a job does it. */
async function addDocuments(context: AddContext) {
  const { services, caller, params, body, upload, signal, keepAs } = context
  const memoryId = pathParameter(params, 'id')
  const { options, warnings } =
    upload === null ? { options: readOptions(body.options), warnings: context.warnings } : readUpload(upload)
  const toAnswer = (added: AddedDocuments | AcceptedDocuments) => answerAdded(added, warnings)
  const work = { signal, keep: keepAs(toAnswer) }
  if (upload !== null)
    return toAnswer(await services.ingest.addFile(caller, memoryId, { file: upload.file, options, work }))
  const given = readForm(body)
  if ('url' in given) return toAnswer(await services.ingest.addUrl(caller, memoryId, { url: given.url, options, work }))
  return toAnswer(await services.ingest.addTexts(caller, memoryId, { documents: given.texts, options, work }))
}

function readUpload({ fields, warnings }: Upload): { options: IngestOptions; warnings: Warning[] } {
  const read = readBody(UploadFieldsSchema, fields)
  return { options: readOptions(read.value.options), warnings: [...warnings, ...read.warnings] }
}

/** The one of the two forms of JSON that a body has. */
function readForm({ documents, url }: AddDocuments): { texts: TextDocument[] } | { url: string } {
  if (documents !== undefined && url !== undefined) {
    throw invalid('url', 'must be left out where documents is given: send one form at a time')
  }
  if (url !== undefined) return { url }
  if (documents === undefined) throw nothingToAdd()
  documents.forEach(requireSmallMetadata)
  return { texts: documents.map((document) => ({ ...DOCUMENT_DEFAULTS, ...document })) }
}

function nothingToAdd(): ApiError {
  return new ApiError('validation_failed', {
    message:
      'documents or url is required: send a file as multipart/form-data, or JSON with documents, or JSON with url.',
    param: 'documents',
    details: [
      {
        param: 'documents',
        message: 'is required where neither a file nor url is sent, and must be an array of objects',
      },
    ],
    remedy: 'Upload a file in the form part named file, or send JSON with documents or with url.',
  })
}

/** Each field may be as long as the schema says, and not all of them. */
function requireSmallMetadata({ metadata = {} }: SentTextDocument, index: number): void {
  const most = DOCUMENT_FIELDS.metadataCharactersInAll
  if (countMetadata(metadata) > most) {
    throw invalid(`documents[${index}].metadata`, `must have at most ${most} characters in all names and values`)
  }
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
  const warned = rest === 0 ? all : [documentsLeftOut(rest), ...all]
  return ok<AddedDocuments>({ ...added, documents, warnings: limitWarnings(warned) })
}

function documentsLeftOut(count: number): Warning {
  const message =
    `The last ${count} documents are not listed in documents, to limit the size of the response. ` +
    'documentIds lists all of them.'
  return { code: 'documents_left_out', message, param: null }
}

/** API document, "Documents". */
export const DOCUMENT_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/documents',
    operationId: 'addDocuments',
    summary: 'Add an uploaded file, texts, or what a URL names',
    description:
      'Adds an uploaded file, up to 10,000 texts, or what a URL names. Small input is ready when the ' +
      'answer comes; a file of more than 2 MB, more than 5 scanned pages, or async make a job of it, which ' +
      'answers 202.',
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
    summary: 'List the documents of a memory',
    description:
      'Lists the documents of a memory, those that wait or failed too. Corrections are left out unless ' +
      'sourceType asks for them.',
    tag: 'Documents',
    access: 'memory',
    query: ListQuery,
    answers: {
      200: { description: 'A page of documents, newest first.', schema: pageOf('documents', DocumentSchema) },
    },
    errors: ['memory_not_found', 'invalid_cursor'],
    handle: async ({ services, caller, params, query, reserveMemory }) => {
      const filter = { status: query.status ?? null, tag: query.tag ?? null, sourceType: query.sourceType ?? null }
      const page = pageRequest({ query, reserveMemory }, PAGE_LIMIT.documents)
      return ok(await services.documents.list(caller, pathParameter(params, 'id'), { ...filter, page }))
    },
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/memories/:id/documents/:documentId',
    operationId: 'getDocument',
    summary: 'Read a document and what became of its pages',
    description: 'Describes a document, with a receipt that says what became of each of its pages.',
    tag: 'Documents',
    access: 'memory',
    answers: { 200: { description: 'The document.', schema: DocumentWithPagesSchema } },
    errors: ['memory_not_found', 'document_not_found'],
    handle: async ({ services, caller, params }) =>
      ok(await services.documents.get(caller, pathParameter(params, 'id'), pathParameter(params, 'documentId'))),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/memories/:id/documents/:documentId',
    operationId: 'deleteDocument',
    summary: 'Delete a document or a correction',
    description:
      'Deletes a document or a correction with its chunks and its stored original. A job that is adding it ends.',
    tag: 'Documents',
    access: 'memory',
    answers: { 204: { description: 'The document is gone.' } },
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
    summary: 'Count what became of the pages of all documents, and name those of which most failed',
    description:
      'Sums up the receipts of all documents of a memory, corrections left out, and names the documents of ' +
      'which most pages failed.',
    tag: 'Documents',
    access: 'memory',
    answers: { 200: { description: 'The sums, corrections left out.', schema: PageTotalsSchema } },
    errors: ['memory_not_found'],
    handle: async ({ services, caller, params, signal }) =>
      ok(await services.documents.countPages(caller, pathParameter(params, 'id'), signal)),
  }),
]
