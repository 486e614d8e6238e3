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
/**
 * A pattern, and what a match begins with: a number of one or two digits, one of four, or the name
 * of a month. Such places are found first: trying each takes less time than a scan.
 */
type DatePattern = { pattern: RegExp; begins: 'day' | 'year' | 'month' | 'anything' }
type DateFormat = DatePattern & { read: (match: RegExpExecArray, reading: Reading) => DateParts[] }

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
    ...from(
      'year',
      String.raw`(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+\-]\d{2}:?\d{2})?)?`,
    ),
    read: ([, year = '', , month = '', day]) => [{ year, month, day }],
  },
  {
    ...createEastAsianFormat(String.raw`(\d{4})`),
    read: ([, year = '', month = '', day]) => [{ year, month, day }],
  },
  {
    ...createEastAsianFormat(String.raw`(${Object.keys(ERAS).join('|')})\s?(元|\d{1,2})`),
    read: ([, era = '', year = '', month = '', day]) => [{ year: toGregorianYear(era, year), month, day }],
  },
  {
    ...anywhere(new RegExp(`(${HAN_YEAR})年(${HAN_NUMBER})月(?:(${HAN_NUMBER})[日号號])?`, 'gu')),
    read: ([, year = '', month = '', day]) => [
      { year: toDigits(year), month: toDigits(month), day: day === undefined ? day : toDigits(day) },
    ],
  },
  {
    ...from('day', String.raw`(\d{1,2})([./\-])\s?(\d{1,2})\2\s?(\d{4}|\d{2})`),
    read: ([, first = '', mark, second = '', year = ''], reading) =>
      readNumeric({ first, second, year, mark }, reading),
  },
  {
    ...from('day', String.raw`${DAY}\s+tháng\s+(\d{1,2}),?\s+(?:năm\s+)?(\d{4})`),
    read: ([, day, month = '', year = '']) => [{ year, month, day }],
  },
  {
    ...from('day', String.raw`${DAY}[\s\-]+${OF}(${WORD})\.?,?[\s\-]+${IN_YEAR}(\d{4})`),
    read: ([, day, month = '', year = ''], { language }) => [{ year, month: readMonth(month, language), day }],
  },
  {
    ...from('day', String.raw`(\d{1,2})-(${WORD})-(\d{2})`),
    read: ([, day, month = '', year = ''], { language }) => [{ year, month: readMonth(month, language), day }],
  },
  {
    ...from('month', String.raw`(${WORD})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})`),
    read: ([, month = '', day, year = ''], { language }) => [{ year, month: readMonth(month, language), day }],
  },
  {
    ...from('year', String.raw`(\d{4})(?:\.|ko|\s?m\.)?\s+(${WORD})\s+${DAY}`),
    read: ([, year = '', month = '', day], { language }) => [{ year, month: readMonth(month, language), day }],
  },
  {
    ...from('year', String.raw`(\d{4})\.?\s+gada\s+${DAY}\s+(${WORD})`),
    read: ([, year = '', day, month = ''], { language }) => [{ year, month: readMonth(month, language), day }],
  },
  {
    ...from('month', String.raw`(${WORD})\.?,?\s+${IN_YEAR}(\d{4})`),
    read: ([, month = '', year = ''], { language }) => [{ year, month: readMonth(month, language) }],
  },
  {
    ...from('year', String.raw`(\d{4})-(\d{2})`),
    read: ([, year = '', month = '']) => [{ year, month }],
  },
  {
    ...from('day', String.raw`(\d{1,2})/(\d{4})`),
    read: ([, month = '', year = '']) => [{ year, month }],
  },
]

const NO_YEAR = '0'

/** Two days of one month. */
const RANGE_FORMATS: readonly DateFormat[] = [
  {
    ...from('day', String.raw`(\d{1,2})\.?\s?[–—-]\s?${DAY}\s+${OF}(${WORD})\.?,?\s+${IN_YEAR}(\d{4})`),
    read: ([, first, last, word = '', year = ''], { language }) =>
      [first, last].map((day) => ({ year, month: readMonth(word, language), day })),
  },
]

/** Two days of one month in words: "1 to 15 March 2026", "March 1 to 15, 2026". */
const WORDED_RANGE_FORMATS: readonly DateFormat[] = [
  {
    ...from('day', String.raw`${DAY}\s\p{L}{1,5}\s${DAY}\s+${OF}(${WORD})(?:\.?,?\s+${IN_YEAR}(\d{4}))?`),
    read: ([, first, last, word = '', year = NO_YEAR], { language }) =>
      [first, last].map((day) => ({ year, month: readMonth(word, language), day })),
  },
  {
    ...from('month', String.raw`(${WORD})\.?\s+(\d{1,2})\s?(?:[–—-]|\p{L}{1,5}\s)\s?(\d{1,2})(?:,?\s+(\d{4}))?`),
    read: ([, word = '', first, last, year = NO_YEAR], { language }) =>
      [first, last].map((day) => ({ year, month: readMonth(word, language), day })),
  },
]

/** Dates without a year. */
const DAY_FORMATS: readonly DateFormat[] = [
  {
    ...from('day', String.raw`${DAY}\s+${OF}(${WORD})`),
    read: ([, day, month = ''], { language }) => [{ year: NO_YEAR, month: readMonth(month, language), day }],
  },
  {
    ...from('month', String.raw`(${WORD})\.?\s+(\d{1,2})(?:st|nd|rd|th)?`),
    read: ([, month = '', day], { language }) => [{ year: NO_YEAR, month: readMonth(month, language), day }],
  },
  {
    ...anywhere(/(?<!\d|[年년]\s?)(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号號일]/gu),
    read: ([, month = '', day]) => [{ year: NO_YEAR, month, day }],
  },
  {
    ...from('day', String.raw`${DAY}\s+tháng\s+(\d{1,2})`),
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
  const found = readFormats({ text, numbers: findNumbers(text) }, DATE_FORMATS, { dateOrder, language: null })
  return found.flatMap(({ values, start, end }) => values.slice(0, 1).map((value) => ({ value, start, end })))
}

/** All readings of a date with its range. */
type ReadDate = { values: string[]; start: number; end: number }

/**
 * Finds all dates of a text with its {@link findNumbers numbers}, and all their readings. A day
 * without a year is `--03-21`. The order of numbers follows other dates of the text, then the
 * language: both orders occur in English.
 */
export function readDates(text: string, numbers: readonly NumberPlace[], language: string): ReadDate[] {
  if (numbers.length === 0 && !EAST_ASIAN_UNIT.test(text)) return []
  const dateOrder = findDateOrder(text) ?? (language === 'en' ? null : 'dmy')
  const formats = [...RANGE_FORMATS, ...DATE_FORMATS, ...DAY_FORMATS]
  return readFormats({ text, numbers }, formats, { dateOrder, language })
}

/**
 * Same for the dates that a sentence states, with ranges in words. Both orders of ambiguous numbers
 * are returned.
 */
export function readStatedDates(text: string, language: string): ReadDate[] {
  const formats = [...WORDED_RANGE_FORMATS, ...RANGE_FORMATS, ...DATE_FORMATS, ...DAY_FORMATS]
  return readFormats({ text, numbers: findNumbers(text) }, formats, { dateOrder: findDateOrder(text), language })
}

type NumberedText = { text: string; numbers: readonly NumberPlace[] }

function readFormats({ text, numbers }: NumberedText, formats: readonly DateFormat[], reading: Reading): ReadDate[] {
  const isEastAsian = EAST_ASIAN_UNIT.test(text)
  const found: ReadDate[] = []
  const places = {
    day: numbers.filter(({ length }) => length <= 2).map(({ start }) => start),
    year: numbers.filter(({ length }) => length === 4).map(({ start }) => start),
    month: findMonthNames(text, numbers, reading.language),
  }
  for (const { pattern, read, begins } of formats) {
    if (begins === 'anything' && !isEastAsian) continue
    for (const match of begins === 'anything' ? text.matchAll(pattern) : matchAt(text, pattern, places[begins])) {
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

/** All formats that begin with anything have one of these. */
const EAST_ASIAN_UNIT = /[年년月월]/

const [ZERO, NINE] = [0x30, 0x39]

/** A number of ASCII digits. */
type NumberPlace = { start: number; length: number }

/** Finds the numbers of ASCII digits, in order. */
export function findNumbers(text: string): NumberPlace[] {
  const numbers: NumberPlace[] = []
  let length = 0
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    if (code >= ZERO && code <= NINE) length += 1
    else if (length > 0) {
      numbers.push({ start: at - length, length })
      length = 0
    }
  }
  return numbers
}

const WORD_BEFORE = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{N}])(${WORD})[.,]{0,2}\s+(?:(?:de|of|del) |พ\.ศ\. ?)?$`,
  'u',
)
const WORD_REACH = 40

/** Returns the starts of names of months before a number, in order. */
function findMonthNames(text: string, numbers: readonly NumberPlace[], language: string | null): number[] {
  return numbers.flatMap(({ start, length }) => {
    if (length > 4 || !/^\s/.test(text.slice(start - 1, start))) return []
    const from = Math.max(0, start - WORD_REACH)
    const match = WORD_BEFORE.exec(text.slice(from, start))
    return match !== null && getMonth(match[1] ?? '', language) !== null ? [from + match.index] : []
  })
}

/** Matches a sticky pattern at given places, in order. Matches do not overlap. */
export function matchAt(text: string, pattern: RegExp, places: readonly number[]): RegExpExecArray[] {
  const matches: RegExpExecArray[] = []
  let end = 0
  for (const place of places) {
    if (place < end) continue
    pattern.lastIndex = place
    const match = pattern.exec(text)
    if (match === null) continue
    matches.push(match)
    end = pattern.lastIndex
  }
  return matches
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

function from(begins: DatePattern['begins'], pattern: string): DatePattern {
  return { begins, pattern: new RegExp(`${START}${pattern}${END}`, 'uy') }
}

function anywhere(pattern: RegExp): DatePattern {
  return { begins: 'anything', pattern }
}

/** Dates with the characters for year, month and day. Words may be adjacent on both sides. */
function createEastAsianFormat(year: string): DatePattern {
  const pattern = String.raw`(?<!\d[.,/\-]?)${year}\s?[年년]\s?(\d{1,2})\s?[月월](?:\s?(\d{1,2})\s?[日号號일])?`
  return anywhere(new RegExp(pattern, 'gu'))
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
