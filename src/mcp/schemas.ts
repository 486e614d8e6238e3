/** Shared parts of the tool schemas. */
import { type TSchema, Type } from 'typebox'
import { DOCUMENT_FIELDS } from '../limits.ts'

/** The argument that names a memory. */
export const MemoryArgument = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'Memory id (mem_…) or exact name. Optional if there is only one memory.',
  }),
)

/** The memory that a tool used. */
export const MemorySchema = Type.Object({ id: Type.String(), name: Type.String() })

/** Makes a schema nullable. */
export function OrNull<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

/** Fields that locate a passage, as a citation needs them. */
export const PLACE = {
  documentId: Type.String(),
  chunkId: Type.String(),
  title: Type.String(),
  page: OrNull(Type.Integer()),
  startOffset: Type.Integer({ description: 'Offset in the extracted text, in UTF-16 code units.' }),
  endOffset: Type.Integer(),
}

/** Validity of a correction; `null` for a document. */
export const CorrectionMark = Type.Union(
  [Type.Object({ createdAt: Type.String(), expiresAt: OrNull(Type.String()) }), Type.Null()],
  { description: 'Creation and expiry time of a correction. Null for a document.' },
)

/** Metadata to store, or metadata to filter by. */
export const MetadataArgument = Type.Optional(
  Type.Record(Type.String(), OrNull(Type.Union([Type.String(), Type.Number(), Type.Boolean()])), {
    maxProperties: DOCUMENT_FIELDS.metadataKeys,
    description: 'Key-value pairs. Values are strings, numbers or booleans.',
  }),
)

/** Skips documents that the memory already has. */
export const DeduplicateArgument = Type.Optional(
  Type.Boolean({
    default: false,
    description: 'If true, skip a document that is identical or nearly identical to an existing one.',
  }),
)

/** Problems that did not stop the call. */
export const WarningsSchema = Type.Array(Type.String())
