/** Pieces of the tools' schemas. */
import { type TSchema, Type } from 'typebox'
import { DOCUMENT_FIELDS } from '../limits.ts'

/** The argument that names a memory. */
export const MemoryArgument = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'The memory: its id (mem_…) or its exact name. Leave it out where there is one memory only.',
  }),
)

/** The memory that a tool used. */
export const MemorySchema = Type.Object({ id: Type.String(), name: Type.String() })

/** The schema or `null`. */
export function OrNull<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

/** Where a passage stands: what a citation needs. */
export const PLACE = {
  documentId: Type.String(),
  chunkId: Type.String(),
  title: Type.String(),
  page: OrNull(Type.Integer()),
  startOffset: Type.Integer({ description: 'In UTF-16 code units of the extracted text.' }),
  endOffset: Type.Integer(),
}

/** Since when and until when a correction holds; `null` for a document. */
export const CorrectionMark = Type.Union(
  [Type.Object({ createdAt: Type.String(), expiresAt: OrNull(Type.String()) }), Type.Null()],
  { description: 'Since when and until when a correction holds; null for a document.' },
)

/** The metadata of a document, or what a document must have of it. */
export const MetadataArgument = Type.Optional(
  Type.Record(Type.String(), OrNull(Type.Union([Type.String(), Type.Number(), Type.Boolean()])), {
    maxProperties: DOCUMENT_FIELDS.metadataKeys,
    description: 'Names with a text, a number, true or false each.',
  }),
)

/** Whether what is there already is left out. */
export const DeduplicateArgument = Type.Optional(
  Type.Boolean({
    default: false,
    description: 'Leave it out where the memory has the same or nearly the same already.',
  }),
)

/** What did not go as asked but did not stop the call. */
export const WarningsSchema = Type.Array(Type.String())
