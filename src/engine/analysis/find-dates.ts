import { CALENDARS } from '../languages/calendars.ts'
import { listWords } from '../languages/language.ts'
import { fold } from './fold.ts'
import { readHanNumber } from './number-words.ts'

/** Meaning of `03/01/2026`. */
export type DateOrder = 'dmy' | 'mdy'

type MonthName = { name: string; month: number; isAbbreviation: boolean }

/** An abbreviation of three letters or fewer begins another form of its month. */
function listMonthNames(monthNames = ''): MonthName[] {
  return monthNames.split(',').flatMap((forms, index) => {
    const names = listWords(forms).map(fold)
    return names.map((name) => ({
      name,
      month: index + 1,
      isAbbreviation: name.length <= 3 && names.some((other) => other !== name && other.startsWith(name)),
    }))
  })
}

type MonthTable = ReadonlyMap<string, number>

/** The first language wins: `listopad` is November in Polish and Czech, October in Croatian. */
function toMonthTable(names: readonly MonthName[]): MonthTable {
  return new Map(names.toReversed().map(({ name, month }) => [name, month]))
}

const NAMES = Object.entries(CALENDARS).map(([language, { monthNames }]) => ({
  language,
  names: listMonthNames(monthNames),
}))
const MONTHS_OF: ReadonlyMap<string, MonthTable> = new Map(
  NAMES.map(({ language, names }) => [language, toMonthTable(names)]),
)
const ALL_MONTHS = toMonthTable(NAMES.flatMap(({ names }) => names))
/** English abbreviations are usual everywhere; `out` and `set` are months in Portuguese only. */
const FULL_MONTHS = toMonthTable(
  NAMES.flatMap(({ language, names }) => names.filter(({ isAbbreviation }) => language === 'en' || !isAbbreviation)),
)

/**
 * Returns 1 to 12 for a month name or its usual abbreviation; `null` for other words. Names of the
 * language come first. Without a language, abbreviations of all languages are known.
 */
function getMonth(word: string, language: string | null): number | null {
  const name = fold(word.toLowerCase())
  const others = language === null ? ALL_MONTHS : FULL_MONTHS
  return MONTHS_OF.get(language ?? '')?.get(name) ?? others.get(name) ?? null
}

/** True for the name of a month in any language. */
export function isMonthName(word: string): boolean {
  return getMonth(word, null) !== null
}

/** Conventions that dates are read with. */
type Reading = {
  /** `null`: both readings of an ambiguous date are returned. */
  dateOrder: DateOrder | null
  /** Language (ISO 639-1) whose month names come first; `null` if unknown. */
  language: string | null
}
type DateParts = { year: string; month: string; day?: string | undefined }
type DateFormat = {
  pattern: RegExp
  read: (match: RegExpExecArray, reading: Reading) => DateParts[]
  /** True if the pattern begins with the name of a month, which is looked up first. */
  isMonthFirst?: boolean
}

/** Matches any word; month names are looked up, so `May 2026` matches and `Room 2026` does not. */
const WORD = String.raw`\p{L}[\p{L}\p{M}]{1,13}`
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th|er|re|ste|de|e|\.|[º°ª]|-?го)?`
/** Words between day and month, and between month and year. */
const OF = `(?:(?:day )?of |de |d['’]|ng )?`
const IN_YEAR = String.raw`(?:de |of |del |พ\.ศ\. ?)?`
const START = String.raw`(?<![\p{L}\p{N}]|\d[.,/\-])`
const END = String.raw`(?![\p{L}\p{N}]|[.,/\-]\d)`
const HAN_YEAR = '[〇零○一二三四五六七八九]{4}'
const HAN_NUMBER = '[一二三四五六七八九十]{1,3}'

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
    read: ([, year = '', , month = '', day]) => [{ year, month, day }],
  },
  {
    pattern: createEastAsianPattern(String.raw`(\d{4})`),
    read: ([, year = '', month = '', day]) => [{ year, month, day }],
  },
  {
    pattern: createEastAsianPattern(String.raw`(${Object.keys(ERAS).join('|')})\s?(元|\d{1,2})`),
    read: ([, era = '', year = '', month = '', day]) => [{ year: toGregorianYear(era, year), month, day }],
  },
  {
    pattern: new RegExp(`(${HAN_YEAR})年(${HAN_NUMBER})月(?:(${HAN_NUMBER})[日号號])?`, 'gu'),
    read: ([, year = '', month = '', day]) => [
      { year: toDigits(year), month: toDigits(month), day: day === undefined ? day : toDigits(day) },
    ],
  },
  {
    pattern: createDatePattern(String.raw`(\d{1,2})([./\-])\s?(\d{1,2})\2\s?(\d{4}|\d{2})`),
    read: ([, first = '', mark, second = '', year = ''], reading) =>
      readNumeric({ first, second, year, mark }, reading),
  },
  {
    pattern: createDatePattern(String.raw`${DAY}\s+tháng\s+(\d{1,2}),?\s+(?:năm\s+)?(\d{4})`),
    read: ([, day, month = '', year = '']) => [{ year, month, day }],
  },
  {
    pattern: createDatePattern(String.raw`${DAY}[\s\-]+${OF}(${WORD})\.?,?[\s\-]+${IN_YEAR}(\d{4})`),
    read: ([, day, month = '', year = ''], { language }) => [{ year, month: readMonth(month, language), day }],
  },
  {
    pattern: createDatePattern(String.raw`(\d{1,2})-(${WORD})-(\d{2})`),
    read: ([, day, month = '', year = ''], { language }) => [{ year, month: readMonth(month, language), day }],
  },
  {
    isMonthFirst: true,
    pattern: createMonthPattern(String.raw`(${WORD})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})`),
    read: ([, month = '', day, year = ''], { language }) => [{ year, month: readMonth(month, language), day }],
  },
  {
    pattern: createDatePattern(String.raw`(\d{4})(?:\.|ko|\s?m\.)?\s+(${WORD})\s+${DAY}`),
    read: ([, year = '', month = '', day], { language }) => [{ year, month: readMonth(month, language), day }],
  },
  {
    pattern: createDatePattern(String.raw`(\d{4})\.?\s+gada\s+${DAY}\s+(${WORD})`),
    read: ([, year = '', day, month = ''], { language }) => [{ year, month: readMonth(month, language), day }],
  },
  {
    isMonthFirst: true,
    pattern: createMonthPattern(String.raw`(${WORD})\.?,?\s+${IN_YEAR}(\d{4})`),
    read: ([, month = '', year = ''], { language }) => [{ year, month: readMonth(month, language) }],
  },
  { pattern: createDatePattern(String.raw`(\d{4})-(\d{2})`), read: ([, year = '', month = '']) => [{ year, month }] },
  {
    pattern: createDatePattern(String.raw`(\d{1,2})/(\d{4})`),
    read: ([, month = '', year = '']) => [{ year, month }],
  },
]

const NO_YEAR = '0'

/** Two days of one month. */
const RANGE_FORMATS: readonly DateFormat[] = [
  {
    pattern: createDatePattern(String.raw`(\d{1,2})\.?\s?[–—-]\s?${DAY}\s+${OF}(${WORD})\.?,?\s+${IN_YEAR}(\d{4})`),
    read: ([, first, last, word = '', year = ''], { language }) => {
      const month = readMonth(word, language)
      return [
        { year, month, day: first },
        { year, month, day: last },
      ]
    },
  },
]

/** Two days of one month in words: "1 to 15 March 2026", "March 1 to 15, 2026". */
const WORDED_RANGE_FORMATS: readonly DateFormat[] = [
  {
    pattern: createDatePattern(String.raw`${DAY}\s\p{L}{1,5}\s${DAY}\s+${OF}(${WORD})(?:\.?,?\s+${IN_YEAR}(\d{4}))?`),
    read: ([, first, last, word = '', year = NO_YEAR], { language }) => {
      const month = readMonth(word, language)
      return [
        { year, month, day: first },
        { year, month, day: last },
      ]
    },
  },
  {
    isMonthFirst: true,
    pattern: createMonthPattern(
      String.raw`(${WORD})\.?\s+(\d{1,2})\s?(?:[–—-]|\p{L}{1,5}\s)\s?(\d{1,2})(?:,?\s+(\d{4}))?`,
    ),
    read: ([, word = '', first, last, year = NO_YEAR], { language }) => {
      const month = readMonth(word, language)
      return [
        { year, month, day: first },
        { year, month, day: last },
      ]
    },
  },
]

/** Dates without a year. */
const DAY_FORMATS: readonly DateFormat[] = [
  {
    pattern: createDatePattern(String.raw`${DAY}\s+${OF}(${WORD})`),
    read: ([, day, month = ''], { language }) => [{ year: NO_YEAR, month: readMonth(month, language), day }],
  },
  {
    isMonthFirst: true,
    pattern: createMonthPattern(String.raw`(${WORD})\.?\s+(\d{1,2})(?:st|nd|rd|th)?`),
    read: ([, month = '', day], { language }) => [{ year: NO_YEAR, month: readMonth(month, language), day }],
  },
  {
    pattern: /(?<!\d|[年년]\s?)(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号號일]/gu,
    read: ([, month = '', day]) => [{ year: NO_YEAR, month, day }],
  },
  {
    pattern: createDatePattern(String.raw`${DAY}\s+tháng\s+(\d{1,2})`),
    read: ([, day, month = '']) => [{ year: NO_YEAR, month, day }],
  },
]

/** Plausible years; excludes `1 2 3456` and part numbers. */
const YEARS = { first: 1800, last: 2199 } as const
/** Thai documents count years from 543 years earlier. */
const THAI_YEARS = { first: 2400, last: 2742, ahead: 543 } as const
/** Two-digit years from here on are 19xx. POSIX strptime (%y) uses 69. */
const PIVOT_YEAR = 69

/** A date with its range, in UTF-16 code units. */
export type FoundDate = { value: string; start: number; end: number }

/**
 * Finds the dates of a text, in ISO 8601. Dates without a year and relative words such as
 * "tomorrow" are skipped: nothing is inferred.
 *
 * `03/01/2026` follows the conventions unless one number is over 12. With full stops the day comes
 * first.
 */
export function findDates(text: string, { dateOrder }: { dateOrder: DateOrder }): FoundDate[] {
  const found = readFormats(text, DATE_FORMATS, { dateOrder, language: null })
  return found.flatMap(({ values, start, end }) => values.slice(0, 1).map((value) => ({ value, start, end })))
}

/** All readings of a date with its range. */
type ReadDate = { values: string[]; start: number; end: number }

/**
 * Finds all dates of a text with all their readings. A day without a year is `--03-21`. The order
 * of numbers follows other dates of the text, then the language: both orders occur in English.
 */
export function readDates(text: string, language: string): ReadDate[] {
  const order = findDateOrder(text) ?? (language === 'en' ? null : 'dmy')
  return readFormats(text, [...RANGE_FORMATS, ...DATE_FORMATS, ...DAY_FORMATS], { dateOrder: order, language })
}

/**
 * Same for the dates that a sentence states, with ranges in words. Both orders of ambiguous numbers
 * are returned.
 */
export function readStatedDates(text: string, language: string): ReadDate[] {
  const formats = [...WORDED_RANGE_FORMATS, ...RANGE_FORMATS, ...DATE_FORMATS, ...DAY_FORMATS]
  return readFormats(text, formats, { dateOrder: findDateOrder(text), language })
}

function readFormats(text: string, formats: readonly DateFormat[], reading: Reading): ReadDate[] {
  const found: ReadDate[] = []
  const months = findMonthNames(text, reading.language)
  for (const { pattern, read, isMonthFirst = false } of formats) {
    for (const match of isMonthFirst ? matchAt(text, pattern, months) : text.matchAll(pattern)) {
      const span = { start: match.index, end: match.index + match[0].length }
      if (found.some((other) => other.start < span.end && span.start < other.end)) continue
      // An impossible day invalidates the whole date, including its month.
      const parts = read(match, reading)
      if (parts.every(({ month }) => month !== NO_MONTH))
        found.push({ values: parts.map(toIso).filter((value) => value !== null), ...span })
    }
  }
  return found.filter(({ values }) => values.length > 0).sort((a, b) => a.start - b.start)
}

/** A number after a word; matching from the number is a tenth of the time of matching each word. */
const NUMBER_AFTER_WORD = /(?<=[\p{L}\p{M}][.,]{0,2}\s+(?:(?:de|of|del) |พ\.ศ\. ?)?)\d{1,4}/gu
const WORD_BEFORE = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{N}])(${WORD})[.,]{0,2}\s+(?:(?:de|of|del) |พ\.ศ\. ?)?$`,
  'u',
)
const WORD_REACH = 40

/** Returns the starts of names of months before a number. */
function findMonthNames(text: string, language: string | null): number[] {
  return [...text.matchAll(NUMBER_AFTER_WORD)].flatMap(({ index }) => {
    const from = Math.max(0, index - WORD_REACH)
    const match = WORD_BEFORE.exec(text.slice(from, index))
    return match !== null && getMonth(match[1] ?? '', language) !== null ? [from + match.index] : []
  })
}

function matchAt(text: string, pattern: RegExp, starts: readonly number[]): RegExpExecArray[] {
  return starts.flatMap((start) => {
    pattern.lastIndex = start
    const match = pattern.exec(text)
    return match === null ? [] : [match]
  })
}

function createMonthPattern(pattern: string): RegExp {
  return new RegExp(`${START}${pattern}${END}`, 'uy')
}

/**
 * Returns the order that the text's own dates prove, such as `mdy` for `03/14/2026`; `null` if none
 * or contradictory.
 */
export function findDateOrder(text: string): DateOrder | null {
  const orders = new Set<DateOrder>()
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
  return new RegExp(
    String.raw`(?<!\d[.,/\-]?)${year}\s?[年년]\s?(\d{1,2})\s?[月월](?:\s?(\d{1,2})\s?[日号號일])?`,
    'gu',
  )
}

/** The first year of an era is also written as a word. */
function toGregorianYear(era: string, year: string): string {
  return String((ERAS[era] ?? 0) + (year === '元' ? 1 : Number(year)))
}

type Numeric = { first: string; second: string; year: string; mark: string | undefined }

function readNumeric({ first, second, year, mark }: Numeric, { dateOrder }: Reading): DateParts[] {
  const dayFirst = { year, month: second, day: first }
  const monthFirst = { year, month: first, day: second }
  if (Number(second) > 12) return [monthFirst]
  if (mark === '.' || Number(first) > 12 || dateOrder === 'dmy') return [dayFirst]
  return dateOrder === 'mdy' ? [monthFirst] : [dayFirst, monthFirst]
}

function toDigits(han: string): string {
  return String(readHanNumber(han) ?? NO_MONTH)
}

const NO_MONTH = '0'

/** Returns digits; `0`, which no date has, for a word that is not a month. */
function readMonth(word: string, language: string | null): string {
  return String(getMonth(word, language) ?? NO_MONTH)
}

function toIso({ year, month, day }: DateParts): string | null {
  const fullYear = toFullYear(year)
  const isYear = year === NO_YEAR || (fullYear >= YEARS.first && fullYear <= YEARS.last)
  if (!isYear || Number(month) < 1 || Number(month) > 12) return null
  const start = `${year === NO_YEAR ? '-' : fullYear}-${month.padStart(2, '0')}`
  if (day === undefined) return start
  // A leap year, if the year is unknown.
  const days = new Date(Date.UTC(year === NO_YEAR ? 2000 : fullYear, Number(month), 0)).getUTCDate()
  return Number(day) < 1 || Number(day) > days ? null : `${start}-${day.padStart(2, '0')}`
}

/** Four digits of a year of the Gregorian calendar. */
export function toFullYear(year: string): number {
  const number = Number(year)
  if (year.length === 2) return number + (number < PIVOT_YEAR ? 2000 : 1900)
  return number >= THAI_YEARS.first && number <= THAI_YEARS.last ? number - THAI_YEARS.ahead : number
}
