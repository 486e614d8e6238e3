/** Pieces of the tools' schemas. */
import { type TSchema, Type } from 'typebox'

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

/** What did not go as asked but did not stop the call. */
export const WarningsSchema = Type.Array(Type.String())
