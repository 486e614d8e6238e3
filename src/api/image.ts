import { type Static, Type } from 'typebox'
import { LANGUAGE_HINTS } from '../limits.ts'
import { IDS } from './example-data.ts'
import { FilePart } from './fields.ts'
import { FILE_FIELDS, IngestOptionsSchema } from './ingest.ts'
import { ADDED_FIELDS } from './job.ts'
import { Count, List, Nullable, OneOf, Share, Text, WarningsSchema } from './values.ts'

const { perRequest, characters } = LANGUAGE_HINTS

const MODE = Type.Optional(
  OneOf(['fast', 'accurate'], 'OCR mode. `fast` (default) runs one pass; `accurate` runs as many passes as needed.'),
)
const LANGUAGE_HINT_LIST = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: characters }), {
    maxItems: perRequest,
    description: 'Languages of the text, such as `de`, `deu` or `German`. Unknown languages cause a warning.',
  }),
)
const { async, deduplicate, storeSource, ocrMaxPages, embeddingModel } = IngestOptionsSchema.properties

/** Object `options` of ocr: OCR options, and the ingestion options that apply to images. */
const ImageOptionsSchema = Type.Object(
  {
    ...{ mode: MODE, languageHints: LANGUAGE_HINT_LIST, async, deduplicate, ocrMaxPages, storeSource, embeddingModel },
    ...FILE_FIELDS,
  },
  { $id: 'ImageOptions', description: 'Options for reading an image and adding its text.' },
)

/** Fields besides the image; `options` takes precedence. */
const FIELDS = {
  mode: MODE,
  languageHints: LANGUAGE_HINT_LIST,
  ...FILE_FIELDS,
  options: Type.Optional(ImageOptionsSchema),
}

/** Fields of both formats, after the form texts are parsed. */
export const ImageFieldsSchema = Type.Object(FIELDS)

/** JSON body of ocr. The handler never receives the image here: see `encodedField` of the route. */
export const ImageBody = Type.Object({
  imageBase64: Type.Optional(
    Type.String({
      contentEncoding: 'base64',
      description: 'Required. Image as base64, up to 27 MB, with or without a data URL prefix.',
    }),
  ),
  ...FIELDS,
})

/** Form of ocr. */
export const ImageForm = Type.Object({
  file: FilePart('Image file, up to 20 MB: PNG, JPEG, WebP, GIF, TIFF or BMP.'),
  ...FIELDS,
})

/** Response 200 of ocr. */
export const RecognizedImageSchema = Type.Object(
  {
    text: Text('Recognized text. Empty if the image has no text; no document is added then.'),
    confidence: Share('Recognition confidence from 0 to 1, weighted by text length. 0 without text.'),
    mode: OneOf(['fast', 'accurate'], 'OCR mode that was used.'),
    engine: Text('OCR engine with its version, or the name of the vision model.'),
    languages: List(Type.String(), 'Languages that OCR used, as three-letter codes such as `eng`.'),
    width: Count('Width of the first page, in pixels.'),
    height: Count('Height of the first page, in pixels.'),
    blocks: List(
      Type.Object({
        text: Text('Text of the block.'),
        confidence: Share('Recognition confidence of the block, from 0 to 1.'),
        bbox: Type.Array(Type.Number(), {
          minItems: 4,
          maxItems: 4,
          description: 'Left, top, width and height of the block, in pixels of the displayed image.',
        }),
        page: Type.Optional(
          Type.Integer({
            minimum: 1,
            description: 'Page of the block, starting at 1. Present if the image has several pages.',
          }),
        ),
      }),
      'Text blocks with their positions.',
    ),
    documentId: Nullable(Type.String(), 'Identifier of the new document. Null if no document was added.'),
    duplicateOf: Nullable(
      Type.String(),
      'Existing document with the same text, if deduplicate skipped the image. Null otherwise.',
    ),
    documentIds: ADDED_FIELDS.documentIds,
    documentsAdded: ADDED_FIELDS.documentsAdded,
    documentsSkipped: ADDED_FIELDS.documentsSkipped,
    chunksCreated: ADDED_FIELDS.chunksCreated,
    processingMs: ADDED_FIELDS.processingMs,
    warnings: WarningsSchema,
  },
  { $id: 'RecognizedImage', description: 'Text of an image, and the document created from it.' },
)

/** Response 200 of ocr. */
export type RecognizedImage = Static<typeof RecognizedImageSchema>

const SIGN = 'Ring twice for\nthe night porter.'

/** Example: text of a sign. */
export const RECOGNIZED_EXAMPLE: RecognizedImage = {
  text: SIGN,
  confidence: 0.967,
  mode: 'fast',
  engine: 'tesseract.js 7.0.0',
  languages: ['eng'],
  width: 833,
  height: 189,
  blocks: [{ text: SIGN, confidence: 0.967, bbox: [43, 57, 183, 61] }],
  documentId: IDS.picture,
  duplicateOf: null,
  documentIds: [IDS.picture],
  documentsAdded: 1,
  documentsSkipped: 0,
  chunksCreated: 1,
  processingMs: 138,
  warnings: [],
}
