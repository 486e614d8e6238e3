/** Shared parts of the tool schemas. */
import { type TSchema, Type } from 'typebox'
import type { Filter } from '../client/requests.ts'
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

/** Arguments for a search in some documents, as the filter of the API. */
export const FILTER_ARGUMENTS = {
  tags: Type.Optional(Type.Array(Type.String(), { maxItems: 100, description: 'Only documents with these tags.' })),
  documentIds: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 100,
      description: 'Only these documents. An empty list means all documents.',
    }),
  ),
  metadata: Type.Optional(
    Type.Unsafe<NonNullable<Filter['metadata']>>({
      type: 'object',
      description:
        'Only documents with this metadata: {"team": "sales", "year": {"$gte": 2020}}. Operators: $eq, $ne, $in, ' +
        '$nin, $gt, $gte, $lt, $lte, $exists; beside keys $and, $or, $not.',
    }),
  ),
  createdAfter: Type.Optional(Type.String({ description: 'Only documents added after this ISO 8601 date or time.' })),
  createdBefore: Type.Optional(Type.String({ description: 'Only documents added before this ISO 8601 date or time.' })),
  sourceType: Type.Optional(
    Type.Unsafe<NonNullable<Filter['sourceType']>>({
      type: 'string',
      enum: ['file', 'text', 'url', 'ocr', 'correction'],
      description: 'Only documents with this source.',
    }),
  ),
}

/** The filter of such arguments. Models often send an empty list for an absent argument. */
export function toFilter({ documentIds = [], ...others }: Filter): Filter {
  return documentIds.length === 0 ? others : { ...others, documentIds }
}

/** Metadata to store. */
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
