import type { Static } from 'typebox'
import {
  ImageBody,
  ImageFieldsSchema,
  ImageForm,
  type RecognizedImage,
  RecognizedImageSchema,
} from '../../api/image.ts'
import { type AcceptedDocuments, AcceptedDocumentsSchema } from '../../api/ingest.ts'
import type { Warning } from '../../api/values.ts'
import { ApiError, invalid } from '../../errors.ts'
import { MAX_IMAGE_BYTES, MAX_REQUEST_BODY_BYTES, OCR_MAX_PAGES } from '../../limits.ts'
import type { ImageOptions } from '../../services/ingest/ingest.ts'
import { accepted, ok } from '../answers/answers.ts'
import { parseJsonText } from '../body/json-body.ts'
import type { Upload, UploadForm } from '../body/upload.ts'
import { readBody } from '../read-value.ts'
import { type Context, defineRoute, type Route } from '../route.ts'
import { pathParameter } from './parameters.ts'

/** What reading a picture answers with. */
const RECOGNITION_ANSWERS = {
  200: { description: 'The text, which is ready to search.', schema: RecognizedImageSchema },
  202: { description: 'A background job reads and adds it.', schema: AcceptedDocumentsSchema },
} as const

/** Reads the text of a picture, adds it to the memory, and answers 200 with it, or 202 when a job does so. */
async function recognizeImage(context: Context<typeof ImageBody, never, typeof RECOGNITION_ANSWERS>) {
  const { services, caller, params, body, upload, signal, keepAs } = context
  if (upload === null) throw noImage()
  const form = readForm(upload)
  const fields = { ...body, ...form.fields }
  const options = readOptions(fields)
  const memoryId = pathParameter(params, 'id')
  const warnings = [...context.warnings, ...form.warnings]
  const toAnswer = (added: RecognizedImage | AcceptedDocuments) => answerAdded(placeWarnings(added, fields), warnings)
  const work = { signal, keep: keepAs(toAnswer) }
  return toAnswer(await services.ingest.addImage(caller, memoryId, { image: upload.file, options, work }))
}

function answerAdded(added: RecognizedImage | AcceptedDocuments, own: readonly Warning[]) {
  const warnings = [...own, ...added.warnings]
  if ('pollUrl' in added) return accepted<AcceptedDocuments>(added.pollUrl, { ...added, warnings })
  return ok<RecognizedImage>({ ...added, warnings })
}

type Fields = Static<typeof ImageFieldsSchema>

/** The service knows the hints by their name alone; its warnings name the field where the request has them. */
function placeWarnings<Added extends RecognizedImage | AcceptedDocuments>(added: Added, { options }: Fields): Added {
  const place = options?.languageHints === undefined ? 'languageHints' : 'options.languageHints'
  const warnings = added.warnings.map((one) => (one.param === 'languageHints' ? { ...one, param: place } : one))
  return { ...added, warnings }
}

/** What a form says beside its file; nothing, where the picture came in JSON. */
function readForm({ fields, warnings }: Upload): { fields: Fields; warnings: Warning[] } {
  const { languageHints } = fields
  const hints = typeof languageHints === 'string' ? { languageHints: readHints(languageHints) } : {}
  const read = readBody(ImageFieldsSchema, { ...fields, ...hints })
  return { fields: read.value, warnings: [...warnings, ...read.warnings] }
}

/** `["de","en"]` or `de, en`. */
function readHints(text: string): unknown {
  if (!text.trimStart().startsWith('[')) {
    return text.split(',').flatMap((hint) => (hint.trim() === '' ? [] : [hint.trim()]))
  }
  try {
    return parseJsonText(text)
  } catch {
    throw invalid('languageHints', 'must be a comma-separated list or a JSON array of strings')
  }
}

function readOptions({ mode, languageHints, options = {} }: Fields): ImageOptions {
  return {
    mode: options.mode ?? mode ?? 'fast',
    languageHints: options.languageHints ?? languageHints ?? [],
    async: options.async ?? false,
    deduplicate: options.deduplicate ?? false,
    ocrMaxPages: options.ocrMaxPages ?? OCR_MAX_PAGES.default,
    storeSource: options.storeSource ?? false,
    embeddingModel: options.embeddingModel ?? null,
  }
}

function noImage(): ApiError {
  const message = 'is required and must be a base64 string'
  return new ApiError('validation_failed', {
    message: `imageBase64 ${message}; or send a form with the image in its part file.`,
    param: 'imageBase64',
    details: [{ param: 'imageBase64', message }],
  })
}

const IMAGE_FORM: UploadForm = { parts: ImageForm, maxFileBytes: MAX_IMAGE_BYTES, tooLarge: 'image_too_large' }

/** API document, "Image text recognition". */
export const IMAGE_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/ocr',
    operationId: 'recognizeImage',
    summary: 'Read the text of a picture and add it',
    description:
      'Recognises the text of a picture and adds it as a document. A picture without text adds nothing and ' +
      'is no error. Large pictures and async make a job of it, which answers 202.',
    tag: 'Image text recognition',
    access: 'memory',
    body: ImageBody,
    form: IMAGE_FORM,
    encodedField: 'imageBase64',
    // The picture has limits of its own, which say more.
    maxBodyBytes: MAX_REQUEST_BODY_BYTES,
    answers: RECOGNITION_ANSWERS,
    errors: [
      'memory_not_found',
      'storage_quota_exceeded',
      'embedding_model_pinned',
      'image_too_large',
      'unsupported_file_type',
      'image_unreadable',
      'queue_full',
      'insufficient_storage',
    ],
    handle: recognizeImage,
  }),
]
