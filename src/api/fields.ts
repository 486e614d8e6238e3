/**
 * Fields of documents and corrections with their limits. Requests and archives share them, so an
 * import cannot store a value that a request could not.
 */
import { type Static, Type } from 'typebox'
import { CORRECTION_BOOST, CORRECTION_FIELDS, DOCUMENT_FIELDS, MEMORY_NAME_CHARACTERS } from '../limits.ts'

/** Schema part for text with at least one visible character; see `text/characters.ts`. */
export const NON_BLANK = { minLength: 1, pattern: '\\S' } as const

/** Metadata value of a document. */
export const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])

/** Flat metadata of a document. */
export type Metadata = Readonly<Record<string, Static<typeof Scalar>>>

/** Title of a document without a known title. */
export const UNTITLED = 'Untitled'

/** Title of a document. */
export const TITLE = { ...NON_BLANK, maxLength: DOCUMENT_FIELDS.titleCharacters } as const

/** The caller's own identifier of a document. */
export const EXTERNAL_ID = { minLength: 1, maxLength: DOCUMENT_FIELDS.externalIdCharacters } as const

/**
 * Maximum length of a URL, for downloads and stored URLs. Our choice: the usual limit of web
 * servers.
 */
export const URL_CHARACTERS = 8192

/** Tag of a document. */
export const TagSchema = Type.String({ ...NON_BLANK, maxLength: DOCUMENT_FIELDS.tagCharacters })

/** Tags of a document. */
export const TagsSchema = Type.Array(TagSchema, {
  maxItems: DOCUMENT_FIELDS.tags,
  description: 'Tags of the document. Searches and lists can filter by tag.',
})

/** Flat metadata with its limits. */
export const MetadataSchema = Type.Record(
  Type.String(),
  Type.Union([
    Type.String({ maxLength: DOCUMENT_FIELDS.metadataCharacters }),
    ...Scalar.anyOf.slice(1),
  ] as typeof Scalar.anyOf),
  {
    maxProperties: DOCUMENT_FIELDS.metadataKeys,
    propertyNames: { maxLength: DOCUMENT_FIELDS.metadataKeyCharacters },
    description: 'Key-value pairs for the document. Values are strings, numbers, booleans or null.',
  },
)

/**
 * Counts the characters of all metadata. The total limit is lower than the sum of the limits per
 * field.
 */
export function countMetadata(metadata: Readonly<Record<string, unknown>>): number {
  return Object.entries(metadata).reduce((sum, [name, value]) => sum + name.length + String(value).length, 0)
}

/** Statement of a correction. */
export const StatementSchema = Type.String({
  ...NON_BLANK,
  maxLength: CORRECTION_FIELDS.statementCharacters,
  description: 'Statement of the correction.',
})

/** Topics of a correction. */
export const TopicsSchema = Type.Array(Type.String({ ...NON_BLANK, maxLength: CORRECTION_FIELDS.topicCharacters }), {
  maxItems: CORRECTION_FIELDS.topics,
  description: 'Topics of the correction. Searches match them like the statement.',
})

/** Weight of a correction. */
export const BOOST = { exclusiveMinimum: 0, maximum: CORRECTION_BOOST.max } as const

/** Name of a memory. */
export const MEMORY_NAME = {
  ...NON_BLANK,
  minLength: MEMORY_NAME_CHARACTERS.min,
  maxLength: MEMORY_NAME_CHARACTERS.max,
} as const

/**
 * Form part that holds a file. OpenAPI 3.1 marks binary data by media type; client generators still
 * expect `format: binary`.
 */
export function FilePart(description: string) {
  return Type.Unsafe<string>({
    type: 'string',
    format: 'binary',
    contentMediaType: 'application/octet-stream',
    description,
  })
}
