/** Building blocks of the API schemas, and the common shapes of lists, warnings and errors. */
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

/** String schema. */
export function Text(description: string, options: { minLength?: number; maxLength?: number } = {}) {
  return Type.String({ ...options, description })
}

/** Non-negative integer: a count, a size in bytes, or a time in milliseconds. */
export function Count(description: string) {
  return Type.Integer({ minimum: 0, description })
}

/** Number from 0 to 1. */
export function Share(description: string) {
  return Type.Number({ minimum: 0, maximum: 1, description })
}

/** Boolean schema. */
export function Flag(description: string) {
  return Type.Boolean({ description })
}

/** Timestamp: ISO 8601, UTC, with milliseconds. */
export function Timestamp(description: string) {
  return Type.String({ format: 'date-time', description: `${description} ISO 8601, UTC, with milliseconds.` })
}

/** String enumeration. */
export function OneOf<const Values extends readonly string[]>(values: Values, description?: string) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...(description && { description }) })
}

/** Array schema. */
export function List<Item extends TSchema>(item: Item, description: string, options: { maxItems?: number } = {}) {
  return Type.Array(item, { ...options, description })
}

/** Nullable schema; `null` means absent. */
export function Nullable<Schema extends TSchema>(schema: Schema, description: string) {
  return Type.Union([schema, Type.Null()], { description })
}

/** Nullable timestamp. */
export function NullableTimestamp(description: string) {
  return Nullable(Type.String({ format: 'date-time' }), description)
}

/** Secret that only the first response contains. */
export function ShownOnce(description: string) {
  const once = 'Returned only once: a replayed response (same Idempotency-Key) has null here.'
  return Nullable(Type.String(), `${description} ${once}`)
}

/** Query parameters of every list. */
export function pageParameters(defaultLimit: number) {
  return {
    limit: Type.Optional(
      Type.Integer({
        minimum: PAGE_LIMIT.min,
        maximum: PAGE_LIMIT.max,
        default: defaultLimit,
        description: 'Maximum number of items per page.',
      }),
    ),
    cursor: Type.Optional(Type.String({ description: 'Value of nextCursor from the previous page, unchanged.' })),
  }
}

const DAY = 'ISO 8601 date or time, in UTC without a time zone.'

/** Query parameters of lists with creation times; `name` is the plural name of the items. */
export function creationParameters<const Sorts extends readonly string[] = []>(name: string, sorts?: Sorts) {
  return {
    createdAfter: Type.Optional(Text(`Return only ${name} created after this time. ${DAY}`)),
    createdBefore: Type.Optional(Text(`Return only ${name} created before this time. ${DAY}`)),
    sort: Type.Optional(
      OneOf(
        ['-createdAt', 'createdAt', ...((sorts ?? []) as Sorts)],
        'Order: newest first (default) or oldest first; with a minus sign descending.',
      ),
    ),
  }
}

/** Query parameter for texts that contain a text; the case of Latin letters does not matter. */
export function containedText(things: string) {
  return Type.Optional(
    Type.String({ maxLength: 1000, description: `Return only ${things} that contains this text, in any case.` }),
  )
}

/** Problem that did not stop the request. */
const WarningSchema = Type.Object(
  {
    code: Text('Stable warning code, such as `unknown_field`.'),
    message: Text('Description of the problem, for people.'),
    param: Nullable(Type.String(), 'Request field that caused the warning. Null if there is none.'),
  },
  { $id: 'Warning', description: 'A problem that did not stop the request.' },
)

/** Page of a list, under the plural name of its items. */
export function pageOf<Name extends string, Item extends TObject>(
  name: Name,
  item: Item,
  order = 'newest first unless sorted otherwise',
) {
  const page = {
    [name]: Type.Array(item, { description: `Items of this page, ${order}.` }),
    nextCursor: Nullable(Type.String(), 'Cursor of the next page. Null on the last page.'),
    hasMore: Flag('True if there is a next page.'),
    total: Count('Total number of items on all pages.'),
    warnings: Type.Optional(List(WarningSchema, 'Unknown query parameters. Absent if there were none.')),
  }
  // TypeScript widens a computed property name to `string`, so the page type would lose its item
  // field.
  return Type.Object(page) as unknown as TObject<
    { [key in Name]: TArray<Item> } & { nextCursor: TUnion<[TString, TNull]>; hasMore: TBoolean; total: TInteger }
  >
}

/** Example of a page with one item. */
export function pageExample<Name extends string, Item>(name: Name, item: Item) {
  return { [name]: [item], nextCursor: null, hasMore: false, total: 1 } as { [key in Name]: Item[] } & {
    nextCursor: null
    hasMore: false
    total: 1
  }
}

/** Problem that did not stop the request. */
export type Warning = Static<typeof WarningSchema>

/** Warnings of a response. */
export const WarningsSchema = List(WarningSchema, 'Problems that did not stop the request. Empty if there were none.')

/** Warnings of a response that had none in its first version. */
export const OPTIONAL_WARNINGS = {
  warnings: Type.Optional(List(WarningSchema, 'Unknown fields of the request. Absent if there were none.')),
}

/** Common format of all errors. */
export const ErrorSchema = Type.Object(
  {
    error: Type.Object(
      {
        code: Text('Stable error code, such as `validation_failed`. Use it in your program logic.'),
        message: Text('Description of the error, for people.'),
        param: Nullable(Type.String(), 'Request field that caused the error. Null if there is none.'),
        details: List(
          Type.Object({
            param: Text('Path of the field, such as `options.limit`.'),
            message: Text('Requirement that the value does not meet.'),
          }),
          'All invalid fields, up to 50. Empty if the error has no field.',
        ),
        remedy: Text('Remedy for the caller.'),
        requestId: Text('Identifier of the request, as in the `X-Request-Id` header.'),
      },
      { description: 'Details of the error.' },
    ),
  },
  { $id: 'Error', description: 'Response body of every error (status 400 or higher).' },
)

/** Response body of every error. */
export type ErrorBody = Static<typeof ErrorSchema>
