import { CALENDARS } from '../languages/calendars.ts'
import { listWords } from '../languages/language.ts'
import { findNumbers, matchAt, readDates, toFullYear } from './find-dates.ts'
import { fold } from './fold.ts'
import type { Token } from './split-words.ts'

/**
 * A date or period of a text with all its readings: `2026-03-21`, `2026-03`, `2025-q4`, `2026-h1`,
 * `2026-w12`, and without a year `--03-21`, `--q4`. Offsets are UTF-16 code units.
 */
type FoundPeriod = { values: string[]; start: number; end: number }

/** A part of a year: its mark in the value, and its highest number. */
type Part = { mark: 'q' | 'h' | 'w'; last: number }

const QUARTER: Part = { mark: 'q', last: 4 }
const HALF: Part = { mark: 'h', last: 2 }
const WEEK: Part = { mark: 'w', last: 53 }
const PARTS = [QUARTER, HALF, WEEK]

const ALL_CALENDARS = Object.values(CALENDARS)
/** Number by folded ordinal, the first language first. */
const ORDINALS: ReadonlyMap<string, number> = new Map(
  ALL_CALENDARS.flatMap(({ ordinals = '' }) =>
    ordinals.split(',').flatMap((forms, index) => listWords(forms).map((form) => [fold(form), index + 1] as const)),
  ).toReversed(),
)
/** Letters of an ending of an ordinal: `drittes`, `четвёртый`. */
const MAX_ENDING = 2
const ROMAN = ['i', 'ii', 'iii', 'iv']
const HAN = ['一', '二', '三', '四']
const UNSPACED_WORD = /[\p{Script=Han}\p{Script=Thai}\p{Script=Hangul}]/u
/** Letters of an ending: `quarters`, `Quartals`, `квартала`. */
const ENDING = String.raw`\p{L}{0,3}(?![\p{L}\p{N}])`

const WORDS_OF = [
  { part: QUARTER, words: ALL_CALENDARS.flatMap(({ quarters }) => listWords(quarters)) },
  { part: HALF, words: ALL_CALENDARS.flatMap(({ halves }) => listWords(halves)) },
  { part: WEEK, words: ALL_CALENDARS.flatMap(({ weeks }) => listWords(weeks)) },
]
const PART_OF: ReadonlyMap<string, Part> = new Map(
  WORDS_OF.flatMap(({ part, words }) => words.map((word) => [word, part] as const)),
)
/** One pattern of all words, longer words first: one for each part takes three times as long. */
const PART_WORD = createWordPattern([...PART_OF.keys()].sort((a, b) => b.length - a.length))

function createWordPattern(words: readonly string[]): RegExp {
  const unspaced = words.filter((word) => UNSPACED_WORD.test(word))
  const spaced = words.filter((word) => !UNSPACED_WORD.test(word))
  return new RegExp(String.raw`(?<!\p{L})(${spaced.join('|')})${ENDING}|(${unspaced.join('|')})`, 'giu')
}

const LETTERS = [...new Set(ALL_CALENDARS.flatMap(({ quarterLetters }) => listWords(quarterLetters)))].join('')
const YEAR = String.raw`(?:(?:FY\s?)?((?:1[89]|2[0-6])\d{2}|['’]?\d{2}))`
const FULL_YEAR = String.raw`((?:1[89]|2[01])\d{2}|2[4-7]\d{2})`
const START = String.raw`(?<![\p{L}\p{N}])`
const END = String.raw`(?![\p{L}\p{N}])`
const GAP = String.raw`[\s\/.,\-–]{0,3}`

type Coded = { pattern: RegExp; read: (match: RegExpExecArray) => { mark: string; number: string; year: string } }

/**
 * Letters with numbers, from a number or the letter before. Letters other than Q are quarters with
 * a year only.
 */
const CODES: readonly Coded[] = [
  {
    pattern: new RegExp(`${START}${FULL_YEAR}${GAP}([QHW])0?(\\d{1,2})${END}`, 'iuy'),
    read: ([, year = '', mark = '', number = '']) => ({ mark, number, year }),
  },
  {
    pattern: new RegExp(`${START}([QHW${LETTERS}])0?(\\d{1,2})${GAP}(?:of\\s)?${YEAR}${END}`, 'iuy'),
    read: ([, mark = '', number = '', year = '']) => ({ mark, number, year }),
  },
  {
    pattern: new RegExp(`${START}([1-4])([QH${LETTERS}])${GAP}${YEAR}${END}`, 'iuy'),
    read: ([, number = '', mark = '', year = '']) => ({ mark, number, year }),
  },
  {
    pattern: new RegExp(`${START}(?:Q([1-4])|([1-4])Q)${END}`, 'iuy'),
    read: ([, after, before]) => ({ mark: 'q', number: after ?? before ?? '', year: '' }),
  },
]

/**
 * Finds the dates and periods of a text: days, months, quarters, halves and weeks of a year. Names
 * of the language (ISO 639-1) come first; names of all other languages are known as well.
 */
export function findPeriods(written: string, language: string): FoundPeriod[] {
  const text = toAsciiDigits(written)
  const parts: FoundPeriod[] = []
  const numbers = findNumbers(text)
  for (const part of [...findCoded(text, numbers), ...findWorded(text)])
    if (!parts.some((other) => other.start < part.end && part.start < other.end)) parts.push(part)
  const dates = readDates(text, numbers, language)
  // `KW 12/2026` is a week, not a month.
  const free = dates.filter(({ start, end }) => !parts.some((part) => part.start <= start && end <= part.end))
  return [...free, ...parts].sort((a, b) => a.start - b.start)
}

function findCoded(text: string, numbers: ReturnType<typeof findNumbers>): FoundPeriod[] {
  const places = numbers.flatMap(({ start }) => (start === 0 ? [start] : [start - 1, start]))
  return CODES.flatMap(({ pattern, read }) =>
    matchAt(text, pattern, places).flatMap((match) => {
      const { mark, number, year } = read(match)
      const value = toValue(partOf(mark), Number(number), year)
      return value === null ? [] : [{ values: [value], start: match.index, end: match.index + match[0].length }]
    }),
  )
}

function partOf(letter: string): Part | undefined {
  const mark = letter.toLowerCase()
  return PARTS.find((part) => part.mark === (LETTERS.includes(mark) ? 'q' : mark))
}

function toValue(part: Part | undefined, number: number, year: string): string | null {
  if (part === undefined || number < 1 || number > part.last) return null
  const digits = year.replace(/\D/g, '')
  // Halves and weeks without a year are too frequent: "the first half".
  if (digits === '') return part.mark === 'q' ? `--q${number}` : null
  const padded = part.mark === 'w' ? String(number).padStart(2, '0') : String(number)
  return `${toFullYear(digits)}-${part.mark}${padded}`
}

/** Characters examined before and after a word: an ordinal and a year with a few words between. */
const REACH = 40
/** Up to two words. Before the ordinal, a comma ends the year: "week 9 of 2026, the first half". */
const TWO_WORDS = String.raw`(?:[\p{L}\p{M}\u200c’']{1,8}[\s.\-–]+){0,2}`
const WORDS_AFTER = String.raw`[\s\/.,'’\-–年년度]*${TWO_WORDS}`
const WORDS_BEFORE = String.raw`[\s\/.'’\-–年년度]*${TWO_WORDS}`
const YEAR_AFTER = new RegExp(String.raw`^${WORDS_AFTER}(?:FY\s?)?${FULL_YEAR}(?![\p{L}\p{N}]|[.,]\d)`, 'u')
const YEAR_BEFORE = new RegExp(
  String.raw`(?<![\p{L}\p{N}]|\d[.,])${FULL_YEAR}(?:[년年]?度?|['’]\p{L}{1,4}|-\p{L}{1,4})${WORDS_BEFORE}第?$`,
  'u',
)
const NUMBER_AFTER = /^[\s\-–]*(?:no\.?\s*|ที่\s*)?([\p{L}\p{M}]{1,12}|\d{1,2})(?![\p{L}\p{N}])/iu
const NUMBER_BEFORE = /(?:^|[^\p{L}\p{N}]|第|年)([\p{L}\p{M}]{1,14}|\d{1,2})(?:[-]?\p{L}{1,3}|[º°ª])?[.\s\-–]{0,3}$/u

/** Finds parts of a year in words: "fourth quarter of 2025", "4. Quartal", 第四四半期. */
function findWorded(text: string): FoundPeriod[] {
  return [...text.matchAll(PART_WORD)].flatMap((match) => {
    const part = PART_OF.get((match[1] ?? match[2] ?? '').toLowerCase())
    const place = { start: match.index, end: match.index + match[0].length }
    return (part && readWorded(text, part, place)) ?? []
  })
}

type Place = Pick<FoundPeriod, 'start' | 'end'>
type Numbered = Place & { number: number }

function readWorded(text: string, part: Part, place: Place): FoundPeriod | null {
  const numbered = findNumber(text, place)
  if (numbered === null) return null
  const year = findYear(text, numbered)
  const value = toValue(part, numbered.number, year?.year ?? '')
  if (value === null) return null
  return {
    values: [value],
    start: Math.min(numbered.start, year?.start ?? numbered.start),
    end: Math.max(numbered.end, year?.end ?? 0),
  }
}

/** Finds the number next to the word; extends the place. */
function findNumber(text: string, { start, end }: Place): Numbered | null {
  const before = text.slice(Math.max(0, start - REACH), start)
  const han = /第?([一二三四])$/u.exec(before)
  if (han !== null) return { number: HAN.indexOf(han[1] ?? '') + 1, start: start - han[0].length, end }
  const [, ordinal = ''] = NUMBER_BEFORE.exec(before) ?? []
  const number = readNumber(ordinal)
  if (number !== null) return { number, start: start - before.length + before.lastIndexOf(ordinal), end }
  const after = NUMBER_AFTER.exec(text.slice(end, end + REACH))
  const following = readNumber(after?.[1] ?? '')
  return following === null ? null : { number: following, start, end: end + (after?.[0].length ?? 0) }
}

function readNumber(written: string): number | null {
  if (/^\d+$/.test(written)) return Number(written)
  const word = fold(written.toLowerCase())
  const roman = ROMAN.indexOf(word)
  if (roman >= 0) return roman + 1
  const stems = Array.from({ length: MAX_ENDING + 1 }, (_, cut) => word.slice(0, word.length - cut))
  return stems.map((stem) => ORDINALS.get(stem)).find((number) => number !== undefined) ?? null
}

function findYear(text: string, { start, end }: Place): (Place & { year: string }) | null {
  const after = YEAR_AFTER.exec(text.slice(end, end + REACH))
  if (after !== null) return { year: after[1] ?? '', start, end: end + after[0].length }
  const before = YEAR_BEFORE.exec(text.slice(Math.max(0, start - REACH), start))
  return before === null ? null : { year: before[1] ?? '', start: start - before[0].length, end }
}

/** Digits of other scripts, without the few outside the basic plane: offsets stay. */
const OTHER_DIGITS = /[\p{Nd}--[0-9]]/gv
/** Characters from the first digit of another script on. */
const BEYOND_LATIN = /[\u0660-\uffff]/

function toAsciiDigits(text: string): string {
  if (!BEYOND_LATIN.test(text)) return text
  return text.replace(OTHER_DIGITS, (digit) => (digit.length === 1 ? fold(digit) : digit))
}

const NO_YEAR = '-'
const ANY_YEAR = '*'

/**
 * Terms of the dates and periods of a text, distinct. A day is indexed with its month and as the
 * day of any year: `2026-03-21`, `2026-03`, `*-03-21`.
 */
export function listPeriodTerms(text: string, language: string): string[] {
  return [...new Set(findPeriods(text, language).flatMap(({ values }) => toIndexTerms(values)))]
}

function toIndexTerms(values: readonly string[]): string[] {
  return values.flatMap((value) => {
    const [year = '', ofYear = ''] = splitYear(value)
    if (year === NO_YEAR) return [value]
    if (isMonth(ofYear)) return [value]
    const isDay = /^\d/.test(ofYear)
    return [value, ...(isDay ? [`${year}-${ofYear.slice(0, 2)}`] : []), `${ANY_YEAR}-${ofYear}`]
  })
}

/**
 * Terms that find a period of a query in any form, distinct. A text without the year matches too,
 * and any year matches a query without one.
 */
export function toPeriodQueryTerms(values: readonly string[]): string[] {
  const terms = values.flatMap((value) => {
    const [year = '', ofYear = ''] = splitYear(value)
    if (year === NO_YEAR) return [value, `${ANY_YEAR}-${ofYear}`]
    return isMonth(ofYear) ? [value] : [value, `${NO_YEAR}-${ofYear}`]
  })
  return [...new Set(terms)]
}

/** Dates and periods of a query, in order. */
export function listAskedPeriods(query: string, language: string): AskedPeriod[] {
  return findPeriods(query, language).map(({ values, start, end }) => ({ values, text: query.slice(start, end) }))
}

const PERIOD_TERM = /^(?:\d{4}|[-*])-(?:\d{2}(?:-\d{2})?|[qhw]\d{1,2})$/

/** True for a term of a date or period. */
export function isPeriodTerm(term: string): boolean {
  return PERIOD_TERM.test(term)
}

/** Occurrences of period terms in a text. */
export function findPeriodTokens(text: string, terms: ReadonlySet<string>, language: string): Token[] {
  return findPeriods(text, language).flatMap(({ values, start, end }) =>
    toIndexTerms(values)
      .filter((term) => terms.has(term))
      .map((term) => ({ term, start, end })),
  )
}

/** Share of a period without its year in a text. */
const YEARLESS_SHARE = 0.5

/** A date or period of a query: all its readings, and the text as written. */
export type AskedPeriod = { values: readonly string[]; text: string }

/**
 * Share of the periods of a query that a text has, 0 to 1; 0 without periods. `terms` are those of
 * {@link listPeriodTerms}.
 */
export function sharePeriods(periods: readonly AskedPeriod[], terms: ReadonlySet<string>): number {
  const shares = periods.map(({ values }) => {
    if (values.some((value) => terms.has(value.startsWith(`${NO_YEAR}-`) ? `${ANY_YEAR}${value.slice(1)}` : value)))
      return 1
    const isNear = toPeriodQueryTerms(values).some((term) => terms.has(term))
    return isNear && values.every((value) => !value.startsWith(NO_YEAR)) ? YEARLESS_SHARE : Number(isNear)
  })
  return shares.length === 0 ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length
}

/** Splits `2026-03-21` into the year and the rest; the year is `-` if unknown. */
function splitYear(value: string): string[] {
  const at = value.indexOf('-', 1)
  return [value.slice(0, at), value.slice(at + 1)]
}

function isMonth(ofYear: string): boolean {
  return /^\d{2}$/.test(ofYear)
}
