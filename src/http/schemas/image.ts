import { Type } from 'typebox'
import { LANGUAGE_HINTS, MAX_IMAGE_BYTES } from '../../limits.ts'
import type { UploadForm } from '../body/upload.ts'
import { FilePart, IngestOptionsSchema } from './ingest.ts'
import { Count, Nullable, OneOf, WarningSchema } from './values.ts'

const { perRequest, characters } = LANGUAGE_HINTS

const MODE = Type.Optional(
  OneOf(['fast', 'accurate'], 'fast, the default, reads the picture once; accurate as often as it takes.'),
)
const LANGUAGE_HINT_LIST = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: characters }), {
    maxItems: perRequest,
    description: 'Languages of the text, such as de, deu or German; an unknown one is a warning.',
  }),
)
const { async, deduplicate, storeSource, ocrMaxPages, embeddingModel } = IngestOptionsSchema.properties

/** The object `options` of ocr: how to read, and the ingestion options that make sense for a picture. */
const ImageOptionsSchema = Type.Object(
  { mode: MODE, languageHints: LANGUAGE_HINT_LIST, async, deduplicate, ocrMaxPages, storeSource, embeddingModel },
  { $id: 'ImageOptions' },
)

/** What may be said beside the picture; `options` wins. */
const FIELDS = { mode: MODE, languageHints: LANGUAGE_HINT_LIST, options: Type.Optional(ImageOptionsSchema) }

/** The fields of either form, once the form's texts are values. */
export const ImageFieldsSchema = Type.Object(FIELDS)

/** The JSON body of ocr. Its picture never reaches the handler here: see `encodedField` of the route. */
export const ImageBody = Type.Object({
  imageBase64: Type.Optional(
    Type.String({
      contentEncoding: 'base64',
      description: 'Required: the picture as base64, at most 27 MB of it, with or without the prefix of a data URL.',
    }),
  ),
  ...FIELDS,
})

/** The form of ocr. */
export const IMAGE_FORM: UploadForm = {
  parts: Type.Object({
    file: FilePart('The picture, at most 20 MB: PNG, JPEG, WebP, GIF, TIFF or BMP.'),
    mode: MODE,
    languageHints: Type.Optional(Type.String({ description: 'Comma-separated, or a JSON array.' })),
    options: Type.Optional(ImageOptionsSchema),
  }),
  maxFileBytes: MAX_IMAGE_BYTES,
  tooLarge: 'image_too_large',
}

const Confidence = Type.Number({ minimum: 0, maximum: 1 })
const BOX = Type.Array(Type.Number(), {
  minItems: 4,
  maxItems: 4,
  description: 'Left, top, width, height, in pixels of the picture as it is shown.',
})

/** 200 of ocr. */
export const RecognizedImageSchema = Type.Object(
  {
    text: Type.String({ description: 'Empty when there is none; nothing is added then.' }),
    confidence: Confidence,
    mode: OneOf(['fast', 'accurate']),
    engine: Type.String(),
    languages: Type.Array(Type.String()),
    width: Count,
    height: Count,
    blocks: Type.Array(
      Type.Object({
        text: Type.String(),
        confidence: Confidence,
        bbox: BOX,
        page: Type.Optional(Type.Integer({ minimum: 1, description: 'Where the picture has more than one page.' })),
      }),
    ),
    documentId: Nullable(Type.String()),
    duplicateOf: Nullable(
      Type.String({ description: 'The document that has this text already, where deduplicate left the picture out.' }),
    ),
    documentIds: Type.Array(Type.String()),
    documentsAdded: Count,
    documentsSkipped: Count,
    chunksCreated: Count,
    processingMs: Count,
    warnings: Type.Array(WarningSchema),
  },
  { $id: 'RecognizedImage' },
)
