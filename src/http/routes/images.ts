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
import { ApiError } from '../../errors.ts'
import { MAX_IMAGE_BYTES, MAX_REQUEST_BODY_BYTES, OCR_MAX_PAGES } from '../../limits.ts'
import type { ImageOptions } from '../../services/ingest/ingest.ts'
import { accepted, ok } from '../answers/answers.ts'
import type { Upload, UploadForm } from '../body/upload.ts'
import { readBody } from '../read-value.ts'
import { type Context, defineRoute, type Route } from '../route.ts'
import { pathParameter, readFileFields } from './parameters.ts'

/** Responses of ocr. */
const RECOGNITION_ANSWERS = {
  200: { description: 'The recognized text, which is searchable.', schema: RecognizedImageSchema },
  202: { description: 'A background job processes the image.', schema: AcceptedDocumentsSchema },
} as const

/**
 * Recognizes the text of an image and adds it to the memory. Responds with 200, or with 202 if a
 * job does the work.
 */
async function recognizeImage(context: Context<typeof ImageBody, never, typeof RECOGNITION_ANSWERS>) {
  const { services, caller, params, body, upload, signal, storeResponseAs } = context
  if (upload === null) throw missingImageError()
  const form = readForm(upload)
  const fields = { ...body, ...form.fields }
  const options = readOptions(fields)
  const memoryId = pathParameter(params, 'id')
  const warnings = [...context.warnings, ...form.warnings]
  const toAnswer = (added: RecognizedImage | AcceptedDocuments) => answerAdded(placeWarnings(added, fields), warnings)
  const work = { signal, storeResponse: storeResponseAs(toAnswer) }
  return toAnswer(await services.ingest.addImage(caller, memoryId, { image: upload.file, options, work }))
}

function answerAdded(added: RecognizedImage | AcceptedDocuments, own: readonly Warning[]) {
  const warnings = [...own, ...added.warnings]
  if ('pollUrl' in added) return accepted<AcceptedDocuments>(added.pollUrl, { ...added, warnings })
  return ok<RecognizedImage>({ ...added, warnings })
}

type Fields = Static<typeof ImageFieldsSchema>

/**
 * Names the request field in warnings. The service knows language hints only by their base name.
 */
function placeWarnings<Added extends RecognizedImage | AcceptedDocuments>(added: Added, { options }: Fields): Added {
  const place = options?.languageHints === undefined ? 'languageHints' : 'options.languageHints'
  const warnings = added.warnings.map((one) => (one.param === 'languageHints' ? { ...one, param: place } : one))
  return { ...added, warnings }
}

/** Reads the form fields besides the file. They are empty for an image in JSON. */
function readForm({ fields, warnings }: Upload): { fields: Fields; warnings: Warning[] } {
  const read = readBody(ImageFieldsSchema, fields)
  return { fields: read.value, warnings: [...warnings, ...read.warnings] }
}

function readOptions({ mode, languageHints, options = {}, ...beside }: Fields): ImageOptions {
  return {
    mode: options.mode ?? mode ?? 'fast',
    languageHints: options.languageHints ?? languageHints ?? [],
    async: options.async ?? false,
    deduplicate: options.deduplicate ?? false,
    ocrMaxPages: options.ocrMaxPages ?? OCR_MAX_PAGES.default,
    storeSource: options.storeSource ?? false,
    embeddingModel: options.embeddingModel ?? null,
    fields: readFileFields(beside, options),
  }
}

function missingImageError(): ApiError {
  const message = 'is required and must be a base64 string'
  return new ApiError('validation_failed', {
    message: `imageBase64 ${message}. Alternatively, upload the image in the form part \`file\`.`,
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
    summary: 'Recognize text in an image',
    description:
      'Recognizes the text of an image with OCR and adds it as a document. An image without text is not ' +
      'an error, and adds nothing. Large images and requests with async are processed in a background ' +
      'job (status 202).',
    tag: 'Image text recognition',
    access: 'memory',
    body: ImageBody,
    form: IMAGE_FORM,
    encodedField: 'imageBase64',
    // The image has its own, more specific limits.
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
