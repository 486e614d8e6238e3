import type { Static } from 'typebox'
import { countMetadata, UNTITLED } from '../../../api/fields.ts'
import type { AcceptedDocuments, AddedDocuments } from '../../../api/ingest.ts'
import {
  AcceptedDocumentsSchema,
  type AddDocumentsBody,
  AddedDocumentsSchema,
  type IngestOptionsSchema,
  UploadFieldsSchema,
} from '../../../api/ingest.ts'
import type { Warning } from '../../../api/values.ts'
import { ApiError, invalid } from '../../../errors.ts'
import { DOCUMENT_FIELDS, OCR_MAX_PAGES } from '../../../limits.ts'
import type { IngestOptions, TextDocument } from '../../../services/ingest/ingest.ts'
import { takeFitting } from '../../../services/paging.ts'
import { limitWarnings } from '../../../services/warning.ts'
import { accepted, ok } from '../../answers/answers.ts'
import type { Upload } from '../../body/upload.ts'
import type { Context } from '../../route.ts'
import { readBody } from '../../schemas/read-value.ts'
import { pathParameter } from '../path-parameter.ts'

type AddDocuments = Static<typeof AddDocumentsBody>
type Documents = NonNullable<AddDocuments['documents']>

/** What adding answers with. */
export const ADDING_ANSWERS = {
  200: { description: 'The documents are ready to search.', schema: AddedDocumentsSchema },
  202: { description: 'A background job adds them.', schema: AcceptedDocumentsSchema },
} as const

type AddContext = Context<typeof AddDocumentsBody, never, typeof ADDING_ANSWERS>

/** Adds the file of an upload, the texts of a JSON body or what its URL names, and answers 200 when done or 202 when a job does it. */
export async function addDocuments(context: AddContext) {
  const { services, caller, params, body, upload, signal, keepAs } = context
  const memoryId = pathParameter(params, 'id')
  const { options, warnings } =
    upload === null ? { options: readOptions(body.options), warnings: context.warnings } : readUpload(upload)
  const toAnswer = (added: AddedDocuments | AcceptedDocuments) => answerAdded(added, warnings)
  const work = { signal, keep: keepAs(toAnswer) }
  if (upload !== null) return toAnswer(await services.ingest.addFile(caller, memoryId, upload.file, options, work))
  const given = readForm(body)
  if ('url' in given) return toAnswer(await services.ingest.addUrl(caller, memoryId, given.url, options, work))
  return toAnswer(await services.ingest.addTexts(caller, memoryId, given.texts, options, work))
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
  return { texts: documents.map(toText) }
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
function requireSmallMetadata({ metadata = {} }: Documents[number], index: number): void {
  const most = DOCUMENT_FIELDS.metadataCharactersInAll
  if (countMetadata(metadata) > most) {
    throw invalid(`documents[${index}].metadata`, `must have at most ${most} characters in all names and values`)
  }
}

function toText(document: Documents[number]): TextDocument {
  const { title = UNTITLED, text, tags = [], metadata = {}, externalId = null } = document
  return { title, text, tags, metadata, externalId }
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
  const message = `The last ${count} documents are not listed in documents, which would be too large; documentIds names all that were added.`
  return { code: 'documents_left_out', message, param: null }
}
