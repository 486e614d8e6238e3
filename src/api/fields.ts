/** The fields of documents and corrections with their limits: of requests, and of archives, by which no memory comes to hold what no request could put there. */
import { type Static, Type } from 'typebox'
import { CORRECTION_BOOST, CORRECTION_FIELDS, DOCUMENT_FIELDS, MEMORY_NAME_CHARACTERS } from '../limits.ts'

/** What of a schema says that there is something to see in a text, see `text/characters.ts`. */
export const SOMETHING = { minLength: 1, pattern: '\\S' } as const

/** A value of the flat metadata of a document. */
export const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])

/** The flat metadata of a document, by name. */
export type Metadata = Readonly<Record<string, Static<typeof Scalar>>>

/** The title of a document whose own one nobody knows. */
export const UNTITLED = 'Untitled'

/** The title of a document. */
export const TITLE = { ...SOMETHING, maxLength: DOCUMENT_FIELDS.titleCharacters } as const

/** The caller's own identifier of a document. */
export const EXTERNAL_ID = { minLength: 1, maxLength: DOCUMENT_FIELDS.externalIdCharacters } as const

/** Characters of a URL that is downloaded, and of one that a document bears. Our choice: what servers take as a rule. */
export const URL_CHARACTERS = 8192

/** A tag, as it is stored and filtered by. */
export const TagSchema = Type.String({ ...SOMETHING, maxLength: DOCUMENT_FIELDS.tagCharacters })

/** The tags of a document. */
export const TagsSchema = Type.Array(TagSchema, {
  maxItems: DOCUMENT_FIELDS.tags,
  description: 'The tags of the document, by which searches and lists can be filtered.',
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
    description: 'Names and values of the metadata of a document: texts, numbers, truth values or null.',
  },
)

/** Characters of all names and values together, of which a document may have fewer than its fields allow each. */
export function countMetadata(metadata: Readonly<Record<string, unknown>>): number {
  return Object.entries(metadata).reduce((sum, [name, value]) => sum + name.length + String(value).length, 0)
}

/** What a correction says. */
export const StatementSchema = Type.String({
  ...SOMETHING,
  maxLength: CORRECTION_FIELDS.statementCharacters,
  description: 'What is so.',
})

/** What a correction is about. */
export const TopicsSchema = Type.Array(Type.String({ ...SOMETHING, maxLength: CORRECTION_FIELDS.topicCharacters }), {
  maxItems: CORRECTION_FIELDS.topics,
  description: 'What the correction is about.',
})

/** How much a correction counts. */
export const BOOST = { exclusiveMinimum: 0, maximum: CORRECTION_BOOST.max } as const

/** The name of a memory. */
export const MEMORY_NAME = {
  ...SOMETHING,
  minLength: MEMORY_NAME_CHARACTERS.min,
  maxLength: MEMORY_NAME_CHARACTERS.max,
} as const

/** The part of a form that holds the file. OpenAPI 3.1 tells bytes by the media type, generators of clients still by `format: binary`. */
export function FilePart(description: string) {
  return Type.Unsafe<string>({
    type: 'string',
    format: 'binary',
    contentMediaType: 'application/octet-stream',
    description,
  })
}
