import { fold } from '../../engine/analysis/fold.ts'
import { listWords } from '../../engine/languages/language.ts'
import { LANGUAGES } from '../../engine/languages/languages.ts'
import type { Conventions, FoundValue } from './value.ts'

/** Month by folded name. Croatian is left out: its `listopad` is October. */
const MONTHS: ReadonlyMap<string, number> = new Map(
  Object.values(LANGUAGES).flatMap(({ monthNames = '' }) =>
    monthNames.split(',').flatMap((names, index) => listWords(names).map((name) => [fold(name), index + 1] as const)),
  ),
)

/** Returns 1 to 12 for a month name or its usual abbreviation; `null` for other words. */
function getMonth(word: string): number | null {
  return MONTHS.get(fold(word.toLowerCase())) ?? null
}

type DateParts = { year: string; month: string; day?: string | undefined }
type DateFormat = { pattern: RegExp; read: (match: RegExpExecArray, order: Conventions['dateOrder']) => DateParts }

/** Matches any word; month names are looked up, so `May 2026` matches and `Room 2026` does not. */
const WORD = String.raw`\p{L}[\p{L}\p{M}]{1,11}`
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th|er|\.|º)?`
const START = String.raw`(?<![\p{L}\p{N}]|\d[.,/\-])`
const END = String.raw`(?![\p{L}\p{N}]|[.,/\-]\d)`

/** Year before the first year of each Japanese era. */
const ERAS: Readonly<Record<string, number>> = { 令和: 2018, 平成: 1988, 昭和: 1925, 大正: 1911, 明治: 1867 }

/**
 * Date formats, most specific first. A later format never matches text that an earlier format has
 * taken.
 */
const DATE_FORMATS: readonly DateFormat[] = [
  {
    pattern: createDatePattern(
      String.raw`(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+\-]\d{2}:?\d{2})?)?`,
    ),
    read: ([, year = '', , month = '', day]) => ({ year, month, day }),
  },
  {
    pattern: createEastAsianPattern(String.raw`(\d{4})`),
    read: ([, year = '', month = '', day]) => ({ year, month, day }),
  },
  {
    pattern: createEastAsianPattern(String.raw`(${Object.keys(ERAS).join('|')})\s?(元|\d{1,2})`),
    read: ([, era = '', year = '', month = '', day]) => ({ year: toGregorianYear(era, year), month, day }),
  },
  {
    pattern: createDatePattern(String.raw`(\d{1,2})([./\-])\s?(\d{1,2})\2\s?(\d{4}|\d{2})`),
    read: ([, first = '', mark, second = '', year = ''], order) => readNumeric({ first, second, year, mark, order }),
  },
  {
    pattern: createDatePattern(
      String.raw`${DAY}[\s\-]+(?:(?:day )?of |de |d['’])?(${WORD})\.?,?[\s\-]+(?:de |of )?(\d{4})`,
    ),
    read: ([, day, month = '', year = '']) => ({ year, month: readMonth(month), day }),
  },
  {
    pattern: createDatePattern(String.raw`(${WORD})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})`),
    read: ([, month = '', day, year = '']) => ({ year, month: readMonth(month), day }),
  },
  {
    pattern: createDatePattern(String.raw`(${WORD})\.?,?\s+(?:de |of )?(\d{4})`),
    read: ([, month = '', year = '']) => ({ year, month: readMonth(month) }),
  },
  { pattern: createDatePattern(String.raw`(\d{4})-(\d{2})`), read: ([, year = '', month = '']) => ({ year, month }) },
  { pattern: createDatePattern(String.raw`(\d{1,2})/(\d{4})`), read: ([, month = '', year = '']) => ({ year, month }) },
]

/** Plausible years; excludes `1 2 3456` and part numbers. */
const YEARS = { first: 1800, last: 2199 } as const
/** Two-digit years from here on are 19xx. POSIX strptime (%y) uses 69. */
const PIVOT_YEAR = 69

/**
 * Finds the dates of a text. Dates without a year and relative words such as "tomorrow" are
 * skipped: nothing is inferred.
 *
 * `03/01/2026` follows the conventions unless one number is over 12. With full stops the day comes
 * first.
 */
export function findDates(text: string, { dateOrder }: Pick<Conventions, 'dateOrder'>): FoundValue[] {
  const found: (Omit<FoundValue, 'value'> & { value: string | null })[] = []
  for (const { pattern, read } of DATE_FORMATS) {
    for (const match of text.matchAll(pattern)) {
      const span = { start: match.index, end: match.index + match[0].length }
      if (found.some((other) => other.start < span.end && span.start < other.end)) continue
      // An impossible day invalidates the whole date, including its month.
      const parts = read(match, dateOrder)
      if (parts.month !== NO_MONTH) found.push({ value: toIso(parts), ...span })
    }
  }
  return found
    .flatMap(({ value, ...span }) => (value === null ? [] : [{ value, ...span }]))
    .sort((a, b) => a.start - b.start)
}

/**
 * Returns the order that the text's own dates prove, such as `mdy` for `03/14/2026`; `null` if none
 * or contradictory.
 */
export function findDateOrder(text: string): Conventions['dateOrder'] | null {
  const orders = new Set<Conventions['dateOrder']>()
  for (const [, first, second] of text.matchAll(/(?<![\d/-])(\d{1,2})[/-](\d{1,2})[/-](?:\d{4}|\d{2})(?![\d/-])/g)) {
    if (Number(first) > 12 && Number(second) <= 12) orders.add('dmy')
    if (Number(second) > 12 && Number(first) <= 12) orders.add('mdy')
  }
  const [only] = orders
  return orders.size === 1 && only !== undefined ? only : null
}

function createDatePattern(pattern: string): RegExp {
  return new RegExp(`${START}${pattern}${END}`, 'gu')
}

/** Dates with the characters for year, month and day. Words may be adjacent on both sides. */
function createEastAsianPattern(year: string): RegExp {
  return new RegExp(String.raw`(?<!\d[.,/\-]?)${year}\s?[年년]\s?(\d{1,2})\s?[月월](?:\s?(\d{1,2})\s?[日일])?`, 'gu')
}

/** The first year of an era is also written as a word. */
function toGregorianYear(era: string, year: string): string {
  return String((ERAS[era] ?? 0) + (year === '元' ? 1 : Number(year)))
}

type Numeric = {
  first: string
  second: string
  year: string
  mark: string | undefined
  order: Conventions['dateOrder']
}

function readNumeric({ first, second, year, mark, order }: Numeric): DateParts {
  const isMonthFirst = Number(second) > 12 || (order === 'mdy' && mark !== '.' && Number(first) <= 12)
  return isMonthFirst ? { year, month: first, day: second } : { year, month: second, day: first }
}

const NO_MONTH = '0'

/** Returns digits; `0`, which no date has, for a word that is not a month. */
function readMonth(word: string): string {
  return String(getMonth(word) ?? NO_MONTH)
}

function toIso({ year, month, day }: DateParts): string | null {
  const fullYear = year.length === 2 ? Number(year) + (Number(year) < PIVOT_YEAR ? 2000 : 1900) : Number(year)
  if (fullYear < YEARS.first || fullYear > YEARS.last || Number(month) < 1 || Number(month) > 12) return null
  const start = `${fullYear}-${month.padStart(2, '0')}`
  if (day === undefined) return start
  const days = new Date(Date.UTC(fullYear, Number(month), 0)).getUTCDate()
  return Number(day) < 1 || Number(day) > days ? null : `${start}-${day.padStart(2, '0')}`
}
