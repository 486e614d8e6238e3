import { type TObject, type TSchema, Type } from 'typebox'
import { PAGE_LIMIT } from '../../limits.ts'

/** The schema or `null`, which stands for what is absent. */
export function Nullable<Schema extends TSchema>(schema: Schema, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
}

/** A secret that only the first answer has. */
export function shownOnce(description: string) {
  const once = 'Shown this once: null in the answer to a repeat under the same Idempotency-Key.'
  return Nullable(Type.String(), `${description} ${once}`)
}

/** One of these texts. */
export function OneOf<const Values extends readonly string[]>(values: Values, description?: string) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...(description && { description }) })
}

/** A moment: ISO 8601, UTC, milliseconds. */
export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, with milliseconds.' })

/** A count, a size in bytes, a time in milliseconds: a whole number from 0. */
export const Count = Type.Integer({ minimum: 0 })

/** Since when and until when a correction holds; `null` for a document. */
export const CorrectionMarkSchema = Nullable(
  Type.Object({ createdAt: Timestamp, expiresAt: Nullable(Timestamp) }),
  'Since when and until when a correction holds; null for a document.',
)

/** The query parameters of every list. */
export function pageParameters(defaultLimit: number) {
  return {
    limit: Type.Optional(
      Type.Integer({
        minimum: PAGE_LIMIT.min,
        maximum: PAGE_LIMIT.max,
        default: defaultLimit,
        description: 'Items of a page.',
      }),
    ),
    cursor: Type.Optional(Type.String({ description: 'nextCursor of the page before, as it came.' })),
  }
}

/** A page of a list under the plural noun of its items. */
export function pageOf<Name extends string, Item extends TObject>(name: Name, item: Item) {
  return Type.Object({
    [name]: Type.Array(item),
    nextCursor: Nullable(Type.String()),
    hasMore: Type.Boolean(),
    total: Count,
  })
}

/** Something that did not go as asked but did not stop the request. */
export const WarningSchema = Type.Object(
  { code: Type.String(), message: Type.String(), param: Nullable(Type.String()) },
  { $id: 'Warning' },
)

/** The shape of every error. */
export const ErrorSchema = Type.Object(
  {
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      param: Nullable(Type.String()),
      details: Type.Array(Type.Object({ param: Type.String(), message: Type.String() })),
      remedy: Type.String(),
      requestId: Type.String(),
    }),
  },
  { $id: 'Error' },
)
