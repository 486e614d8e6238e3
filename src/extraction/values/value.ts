/** The types that have a form of their own; every other hint is a `string` (contract, "extract"). */
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

/** What a field of an extraction schema may hold. */
export type ValueType = (typeof VALUE_TYPES)[number]

/** `currency` is an ISO 4217 code; `null` where the text does not say. */
type Money = { amount: number; currency: string | null }

/** A value of one of these types. */
export type Value = string | number | boolean | string[] | Money

/** A value and the place it was read from, in UTF-16 code units of the text. */
export type FoundValue = { value: Value; start: number; end: number }

/** How a document writes what can be read in two ways; see `readConventions`. */
export type Conventions = {
  /** What `03/01/2026` means. */
  dateOrder: 'dmy' | 'mdy'
  /** What stands before the fraction where a single mark leaves it open: `1.234`. */
  decimalMark: '.' | ','
  /** The code that `$` stands for. */
  dollar: string
  /** The code that `¥` stands for: the yen's or the yuan's. */
  yen: string
  /** The code that `kr` stands for; `null` where nothing tells the country. */
  krone: string | null
  /** The code that `TL` stands for; `null` where it may be a spoon of tea. */
  lira: string | null
  /** The code that `元` stands for; `null` where it may be that of Taiwan or Hong Kong. */
  yuan: string | null
  /** The one currency of a document that has one; `null` where it has none or several. */
  currency: string | null
}

/** The type that a `data_type` asks for, whatever its case; `string` for none and for an unknown one. */
export function readValueType(hint: string | null): ValueType {
  const name = hint?.trim().toLowerCase() ?? ''
  return VALUE_TYPES.find((type) => type === name) ?? 'string'
}

/** Where something stands in a text. */
type Place = { start: number; end: number }

/** Makes what tells whether a place shares a character with one of these. It looks at few of them: a text may be nothing but amounts. */
export function createOverlaps(places: readonly Place[]): (place: Place) => boolean {
  const rising = places.toSorted((a, b) => a.start - b.start)
  const starts = rising.map(({ start }) => start)
  let furthest = Number.NEGATIVE_INFINITY
  /** Where the last ends of those that begin here or earlier. */
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
