import { MAX_REQUEST_BODY_BYTES } from '../../../limits.ts'
import { defineRoute, type Route } from '../../route.ts'
import { IMAGE_FORM, ImageBody, RecognizedImageSchema } from '../../schemas/image.ts'
import { AcceptedDocumentsSchema } from '../../schemas/ingest.ts'
import { recognizeImage } from './recognize-image.ts'

/** API document, "Image text recognition". */
export const IMAGE_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    url: '/v1/memories/:id/ocr',
    operationId: 'recognizeImage',
    summary: 'Read the text of a picture and add it',
    tag: 'Image text recognition',
    access: 'memory',
    body: ImageBody,
    form: IMAGE_FORM,
    encodedField: 'imageBase64',
    // The picture has limits of its own, which say more.
    maxBodyBytes: MAX_REQUEST_BODY_BYTES,
    answers: {
      200: { description: 'The text, which is ready to search.', schema: RecognizedImageSchema },
      202: { description: 'A background job reads and adds it.', schema: AcceptedDocumentsSchema },
    },
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
