import { ImageBody, ImageForm } from '../../../api/image.ts'
import { MAX_IMAGE_BYTES, MAX_REQUEST_BODY_BYTES } from '../../../limits.ts'
import type { UploadForm } from '../../body/upload.ts'
import { defineRoute, type Route } from '../../route.ts'
import { RECOGNITION_ANSWERS, recognizeImage } from './recognize-image.ts'

const IMAGE_FORM: UploadForm = { parts: ImageForm, maxFileBytes: MAX_IMAGE_BYTES, tooLarge: 'image_too_large' }

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
