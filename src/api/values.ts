/** The kinds of values that the schemas of the API are made of, and what every list and every error looks like. */
import {
  type Static,
  type TArray,
  type TBoolean,
  type TInteger,
  type TNull,
  type TObject,
  type TSchema,
  type TString,
  type TUnion,
  Type,
} from 'typebox'
import { PAGE_LIMIT } from '../limits.ts'

/** A text. */
export function Text(description: string, options: { minLength?: number; maxLength?: number } = {}) {
  return Type.String({ ...options, description })
}

/** A count, a size in bytes, a time in milliseconds: a whole number from 0. */
export function Count(description: string) {
  return Type.Integer({ minimum: 0, description })
}

/** A number from 0 to 1. */
export function Share(description: string) {
  return Type.Number({ minimum: 0, maximum: 1, description })
}

/** True or false. */
export function Flag(description: string) {
  return Type.Boolean({ description })
}

/** A moment: ISO 8601, UTC, milliseconds. */
export function Timestamp(description: string) {
  return Type.String({ format: 'date-time', description: `${description} ISO 8601, UTC, with milliseconds.` })
}

/** One of these texts. */
export function OneOf<const Values extends readonly string[]>(values: Values, description?: string) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...(description && { description }) })
}

/** Items of one kind. */
export function List<Item extends TSchema>(item: Item, description: string, options: { maxItems?: number } = {}) {
  return Type.Array(item, { ...options, description })
}

/** A value or `null`, which stands for what is absent. */
export function Nullable<Schema extends TSchema>(schema: Schema, description: string) {
  return Type.Union([schema, Type.Null()], { description })
}

/** A moment or `null`. */
export function NullableTimestamp(description: string) {
  return Nullable(Type.String({ format: 'date-time' }), description)
}

/** A secret that only the first answer has. */
export function ShownOnce(description: string) {
  const once = 'It is shown this once: an answer to a repeat under the same Idempotency-Key has null here.'
  return Nullable(Type.String(), `${description} ${once}`)
}

/** The query parameters of every list. */
export function pageParameters(defaultLimit: number) {
  return {
    limit: Type.Optional(
      Type.Integer({
        minimum: PAGE_LIMIT.min,
        maximum: PAGE_LIMIT.max,
        default: defaultLimit,
        description: 'The most items of a page.',
      }),
    ),
    cursor: Type.Optional(Type.String({ description: 'nextCursor of the page before, as it came.' })),
  }
}

/** A page of a list under the plural noun of its items. */
export function pageOf<Name extends string, Item extends TObject>(name: Name, item: Item) {
  const page = {
    [name]: Type.Array(item, { description: 'The items of this page, newest first.' }),
    nextCursor: Nullable(Type.String(), 'The cursor of the next page; null on the last page.'),
    hasMore: Flag('Whether a next page exists.'),
    total: Count('The items of all pages.'),
  }
  // A computed name widens to any text, and the page would have no field of that name.
  return Type.Object(page) as unknown as TObject<
    { [key in Name]: TArray<Item> } & { nextCursor: TUnion<[TString, TNull]>; hasMore: TBoolean; total: TInteger }
  >
}

/** The example of such a page: one item and no more. */
export function pageExample<Name extends string, Item>(name: Name, item: Item) {
  return { [name]: [item], nextCursor: null, hasMore: false, total: 1 } as { [key in Name]: Item[] } & {
    nextCursor: null
    hasMore: false
    total: 1
  }
}

/** Something that did not go as asked but did not stop the request. */
const WarningSchema = Type.Object(
  {
    code: Text('The name of the warning, such as unknown_field.'),
    message: Text('What was done otherwise, as a sentence.'),
    param: Nullable(Type.String(), 'The field of the request that the warning is about; null where it is about none.'),
  },
  { $id: 'Warning', description: 'Something that did not go as asked, in a request that is answered all the same.' },
)

/** What is worth knowing of a request that is answered all the same. */
export type Warning = Static<typeof WarningSchema>

/** The warnings of an answer. */
export const WarningsSchema = List(WarningSchema, 'What did not go as asked; empty where all did.')

/** The shape of every error. */
export const ErrorSchema = Type.Object(
  {
    error: Type.Object(
      {
        code: Text('The name of the error, such as validation_failed. Programs decide by it.'),
        message: Text('What went wrong, as a sentence for people.'),
        param: Nullable(Type.String(), 'The field that the error is about; null where it is about none.'),
        details: List(
          Type.Object({
            param: Text('The path of the field, such as options.limit.'),
            message: Text('What the field has to be.'),
          }),
          'Every wrong field, at most 50; empty where the error is about none.',
        ),
        remedy: Text('What the caller can do about it.'),
        requestId: Text('The identifier of the request, as in the header X-Request-Id.'),
      },
      { description: 'What went wrong.' },
    ),
  },
  { $id: 'Error', description: 'The body of every answer with a status from 400 on.' },
)

/** The body of every error. */
export type ErrorBody = Static<typeof ErrorSchema>
