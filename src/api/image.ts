import { type Static, Type } from 'typebox'
import { LANGUAGE_HINTS } from '../limits.ts'
import { FilePart } from './fields.ts'
import { IngestOptionsSchema } from './ingest.ts'
import { ADDED_FIELDS } from './job.ts'
import { IDS } from './story.ts'
import { Count, List, Nullable, OneOf, Share, Text, WarningsSchema } from './values.ts'

const { perRequest, characters } = LANGUAGE_HINTS

const MODE = Type.Optional(
  OneOf(['fast', 'accurate'], 'How to read: fast, the default, reads the picture once, accurate as often as it takes.'),
)
const LANGUAGE_HINT_LIST = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: characters }), {
    maxItems: perRequest,
    description: 'The languages of the text, such as de, deu or German; an unknown one is a warning.',
  }),
)
const { async, deduplicate, storeSource, ocrMaxPages, embeddingModel } = IngestOptionsSchema.properties

/** The object `options` of ocr: how to read, and the ingestion options that make sense for a picture. */
const ImageOptionsSchema = Type.Object(
  { mode: MODE, languageHints: LANGUAGE_HINT_LIST, async, deduplicate, ocrMaxPages, storeSource, embeddingModel },
  { $id: 'ImageOptions', description: 'How a picture is read and its text added.' },
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
export const ImageForm = Type.Object({
  file: FilePart('The picture, at most 20 MB: PNG, JPEG, WebP, GIF, TIFF or BMP.'),
  mode: MODE,
  languageHints: Type.Optional(
    Type.String({ description: 'The languages of the text, comma-separated or as a JSON array.' }),
  ),
  options: Type.Optional(ImageOptionsSchema),
})

/** 200 of ocr. */
export const RecognizedImageSchema = Type.Object(
  {
    text: Text('The text of the picture; empty where there is none, and nothing is added then.'),
    confidence: Share('How sure the recognition is, from 0 to 1, weighed by length; 0 without text.'),
    mode: OneOf(['fast', 'accurate'], 'How the picture was read.'),
    engine: Text('What read the picture, with its version, or the model that did.'),
    languages: List(Type.String(), 'The languages that were read for, by their three-letter codes, such as eng.'),
    width: Count('The width of the first page of the picture, in pixels.'),
    height: Count('The height of the first page of the picture, in pixels.'),
    blocks: List(
      Type.Object({
        text: Text('The text of the block.'),
        confidence: Share('How sure the recognition of the block is, from 0 to 1.'),
        bbox: Type.Array(Type.Number(), {
          minItems: 4,
          maxItems: 4,
          description: 'The left, top, width and height of the block, in pixels of the picture as it is shown.',
        }),
        page: Type.Optional(
          Type.Integer({
            minimum: 1,
            description: 'The page of the block, from 1. It is present where the picture has more than one.',
          }),
        ),
      }),
      'The blocks of the text, with their places.',
    ),
    documentId: Nullable(Type.String(), 'The identifier of the new document; null where nothing was added.'),
    duplicateOf: Nullable(
      Type.String(),
      'The document that has this text already, where deduplicate left the picture out; null otherwise.',
    ),
    documentIds: ADDED_FIELDS.documentIds,
    documentsAdded: ADDED_FIELDS.documentsAdded,
    documentsSkipped: ADDED_FIELDS.documentsSkipped,
    chunksCreated: ADDED_FIELDS.chunksCreated,
    processingMs: ADDED_FIELDS.processingMs,
    warnings: WarningsSchema,
  },
  { $id: 'RecognizedImage', description: 'The text of a picture, and the document that was made of it.' },
)

/** 200 of ocr. */
export type RecognizedImage = Static<typeof RecognizedImageSchema>

const SIGN = 'Ring twice for\nthe night porter.'

/** The text of a sign. */
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
