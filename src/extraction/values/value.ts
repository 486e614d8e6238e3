import type { DateOrder } from '../../engine/analysis/find-dates.ts'

/** Types with a format. Every other hint is a `string` (contract, "extract"). */
const VALUE_TYPES = [
  'date',
  'currency',
  'number',
  'integer',
  'percent',
  'boolean',
  'email',
  'phone',
  'url',
  'list',
  'string',
] as const

/** Types of a field in an extraction schema. */
export type ValueType = (typeof VALUE_TYPES)[number]

/** `currency` is an ISO 4217 code; `null` if unknown. */
type Money = { amount: number; currency: string | null }

/** A value of any of the types. */
export type Value = string | number | boolean | string[] | Money

/** A value and its range, in UTF-16 code units of the text. */
export type FoundValue = { value: Value; start: number; end: number }

/** Formats of ambiguous values in a document; see `readConventions`. */
export type Conventions = {
  dateOrder: DateOrder
  /** The decimal mark of ambiguous numbers such as `1.234`. */
  decimalMark: '.' | ','
  /** Currency code of `$`. */
  dollar: string
  /** Currency code of `¥`: yen or yuan. */
  yen: string
  /** Currency code of `kr`; `null` if the country is unknown. */
  krone: string | null
  /** Currency code of `TL`; `null` if it may mean a teaspoon. */
  lira: string | null
  /** Currency code of `元`; `null` if it may be a dollar of Taiwan or Hong Kong. */
  yuan: string | null
  /** The currency of a document with a single currency; else `null`. */
  currency: string | null
  /** Languages of number words (ISO 639-1), in addition to English. */
  languages: readonly string[]
}

/** Returns the type of a `data_type` in any case; `string` for none and for unknown types. */
export function readValueType(hint: string | null): ValueType {
  const name = hint?.trim().toLowerCase() ?? ''
  return VALUE_TYPES.find((type) => type === name) ?? 'string'
}

/** Range in a text. */
type Place = { start: number; end: number }

/**
 * Creates a function that reports if a range overlaps any of `places`. Uses binary search: a text
 * may be nothing but amounts.
 */
export function createOverlapTest(places: readonly Place[]): (place: Place) => boolean {
  const rising = places.toSorted((a, b) => a.start - b.start)
  const starts = rising.map(({ start }) => start)
  let furthest = Number.NEGATIVE_INFINITY
  /** Prefix maximum of the ends. */
  const ends = rising.map(({ end }) => {
    furthest = Math.max(furthest, end)
    return furthest
  })

  return ({ start, end }) => {
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? end) < end) low = middle + 1
      else high = middle
    }
    return (ends[low - 1] ?? Number.NEGATIVE_INFINITY) > start
  }
}
