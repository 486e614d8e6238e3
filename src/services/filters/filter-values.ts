import type { Metadata } from '../../api/fields.ts'
import { replaceUnstorable } from '../../parsers/encoding/decode-file.ts'
import { isCalendarDay } from '../../text/calendar-day.ts'
import { toNfc } from '../../text/characters.ts'

/** A value of metadata. */
type Scalar = Metadata[string]

/** A value to compare; values of different kinds are neither equal nor in order. */
export type FilterValue =
  | { kind: 'number' | 'date'; value: number }
  | { kind: 'text'; value: string }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'null'; value: null }

/** True for the values admitted by a condition; `undefined` is an absent key. */
export type ValueTest = (value: FilterValue | undefined) => boolean

/** ISO 8601: a month, a day, or a time, with or without a time zone. */
const DATE = /^\d{4}-\d\d(?:-\d\d(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?)?$/i

/** Time of an ISO 8601 date, in milliseconds; UTC without a time zone. `null` for other texts. */
export function toTime(text: string): number | null {
  const found = DATE.exec(text)
  if (found === null) return null
  const [, time, zone] = found
  const time24 = text.replace(' ', 'T').replace(',', '.')
  const timeMs = Date.parse(time !== undefined && zone === undefined ? `${time24}Z` : time24)
  const day = text.slice(0, DAY_LENGTH)
  return isTime(timeMs) && (day.length < DAY_LENGTH || isCalendarDay(day)) ? timeMs : null
}

const DAY_LENGTH = 'YYYY-MM-DD'.length

/** A time zone may move a time out of the years 0 to 9999, which have four digits. */
function isTime(timeMs: number): boolean {
  return !Number.isNaN(timeMs) && /^\d{4}-/.test(new Date(timeMs).toISOString())
}

/** Converts a value of metadata. */
export function toFilterValue(value: Scalar): FilterValue {
  if (value === null) return { kind: 'null', value }
  if (typeof value === 'number') return { kind: 'number', value }
  if (typeof value === 'boolean') return { kind: 'boolean', value }
  const time = toTime(value)
  return time === null ? { kind: 'text', value: normalizeText(value) } : { kind: 'date', value: time }
}

/** Tags, keys and texts are equal after Unicode normalization. */
export function normalizeText(text: string): string {
  return toNfc(replaceUnstorable(text))
}

/** Admits each of `values`. */
export function isOneOf(values: readonly FilterValue[]): ValueTest {
  const byKind = new Map<FilterValue['kind'], Set<FilterValue['value']>>()
  for (const { kind, value } of values) byKind.set(kind, (byKind.get(kind) ?? new Set()).add(value))
  return (value) => value !== undefined && byKind.get(value.kind)?.has(value.value) === true
}

const ORDERS = {
  $gt: (order: number) => order > 0,
  $gte: (order: number) => order >= 0,
  $lt: (order: number) => order < 0,
  $lte: (order: number) => order <= 0,
} as const

/** Operators of order. */
export type OrderOperator = keyof typeof ORDERS
export const ORDER_OPERATORS = Object.keys(ORDERS) as OrderOperator[]

/**
 * Admits values of the same kind in this order to the bound: numbers, dates, or texts by their
 * characters.
 */
export function isInOrder(operator: OrderOperator, bound: FilterValue): ValueTest {
  const admits = ORDERS[operator]
  return (value) => value !== undefined && value.kind === bound.kind && admits(compare(value, bound))
}

function compare({ value: a }: FilterValue, { value: b }: FilterValue): number {
  if (a === b || a === null || b === null) return 0
  return a < b ? -1 : 1
}
