/**
 * Numbers and dates of answers and their sources, in any usual form. `1,670` is `1.670` and
 * `1 670`, and `1 March 2026` is `2026-03-01`. `three` is `3`, and `十五` is `15`.
 */
import { readStatedDates } from '../analysis/find-dates.ts'
import { findPeriods } from '../analysis/find-periods.ts'
import { fold, normalizeWordForMatch } from '../analysis/fold.ts'
import { findSpelledNumbers, HAN_NUMERALS, readHanNumber } from '../analysis/number-words.ts'
import { plainNumber, WRITTEN_NUMBER } from '../analysis/plain-number.ts'
import type { Span } from '../chunking/split-text.ts'
import { DEFAULT_LANGUAGE } from '../languages/languages.ts'

/** A number or date as written, with the values that it may have. */
export type Fact = Span & {
  written: string
  /** Any of the values, or all `parts` of a range or list, make the fact known. */
  values: readonly string[]
  parts: readonly string[]
  dates: readonly PartialDate[]
}

/** Parts of a date; at least two are known. */
type PartialDate = { day: number | null; month: number | null; year: number | null }

/** Numbers and dates of texts. */
export type FactIndex = { has(fact: Fact): boolean }

/** Creates the index of texts. `languages` (ISO 639-1) are those of number words and months. */
export function indexFacts(texts: readonly string[], languages: readonly string[]): FactIndex {
  const values = new Set<string>()
  const dates: PartialDate[] = []
  for (const text of texts) {
    for (const fact of [...readTimes(text, languages), ...readNumbers(text), ...readNumberWords(text, languages)]) {
      for (const value of [...fact.values, ...fact.parts]) values.add(value)
      dates.push(...fact.dates)
    }
  }
  const hasDate = (date: PartialDate) =>
    dates.some((other) => isSameDate(date, other) && (other.year !== null || date.year === null)) ||
    (date.year !== null && values.has(String(date.year)) && dates.some((other) => isSameDate(date, other)))
  return {
    has({ values: own, parts, dates: asked }) {
      if (asked.length > 0) return asked.some(hasDate)
      return own.some((value) => values.has(value)) || (parts.length > 0 && parts.every((part) => values.has(part)))
    },
  }
}

function isSameDate(a: PartialDate, b: PartialDate): boolean {
  const keys = ['day', 'month', 'year'] as const
  if (keys.some((key) => a[key] !== null && b[key] !== null && a[key] !== b[key])) return false
  return a.month === b.month && (a.day === null || b.day !== null)
}

/**
 * Lists the numbers and dates that a sentence states. A spelled number counts only with a noun of
 * `known`, the sources as `normalizeForMatch` returns them: "two ways" are words of the answer.
 */
export function listFacts(text: string, { languages, known }: { languages: readonly string[]; known: string }): Fact[] {
  const times = readTimes(text, languages)
  const words = readNumberWords(text, languages).filter((fact) => {
    const [, noun] = /^[\s-]+(\p{L}+)/u.exec(text.slice(fact.end)) ?? []
    const isKnown = noun === undefined || known.includes(` ${stemOf(normalizeWordForMatch(noun))}`)
    return !isWithin(fact, times) && fact.isStated && isKnown
  })
  const figures = words.filter(({ written }) => /\d/.test(written))
  const numbers = readNumbers(text).filter(
    (fact) => !isWithin(fact, times) && !isWithin(fact, figures) && !isItemNumber(text, fact),
  )
  return [...times, ...numbers, ...words]
}

function isWithin({ start, end }: Span, others: readonly Span[]): boolean {
  return others.some((other) => start < other.end && other.start < end)
}

/** `(1)`, `2)` */
function isItemNumber(text: string, { start, end }: Span): boolean {
  return end - start <= 2 && text[end] === ')' && /(?:^|[\s(])$/.test(text.slice(0, start))
}

const ENDING_LETTERS = 3
const MIN_STEM_LETTERS = 3

/** Inflection changes at most the last letters of a word. */
function stemOf(word: string): string {
  return word.slice(0, Math.max(MIN_STEM_LETTERS, word.length - ENDING_LETTERS))
}

/** Includes groups that spaces separate. */
const NUMBERS = new RegExp(String.raw`\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?![\d])|${WRITTEN_NUMBER}`, 'gu')
const GROUPED = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/
const GROUPED_DECIMAL = /^(\d{1,3}(?:([.,])\d{3})+)(?!\2)[.,](\d+)$/
const SCALES: readonly (readonly [pattern: RegExp, factor: number])[] = [
  [/^ ?(?:k\b|thousand|tausend|Tsd|mille\b|mila\b|mil\b|tys|тыс|duizend|tusen)/iu, 1e3],
  [/^ ?[万萬만]/u, 1e4],
  [/^ ?(?:m\b|mn\b|million|Mio|millones|millón|milion|milhões|miljoen|miljon|млн|миллион)/iu, 1e6],
  [/^ ?[億亿억]/u, 1e8],
  [/^ ?(?:bn\b|billion|Mrd|Milliard|млрд|miliard|miljard)/iu, 1e9],
]
/** An hour of the afternoon has two numbers: `17:00` and `5 pm`. */
const HOUR_AFTER = /^(?::\d\d| ?(?:Uhr|h\b|時|时|点|시))/u
const HALF_DAY_AFTER = /^(?:[:.]\d\d)? ?[ap]\.?m\b/iu

/** `5.30 pm`, `17.30 Uhr` */
const CLOCK = /^\d{1,2}\.[0-5]\d$/
const TIME_AFTER = /^ ?(?:[ap]\.?m\b|Uhr|h\b)/iu

function readNumbers(text: string): Fact[] {
  return [...text.matchAll(NUMBERS)].flatMap((match) => {
    const [written] = match
    const end = match.index + written.length
    const after = text.slice(end, end + 16)
    const values = valuesOf(written)
    const factor = SCALES.find(([pattern]) => pattern.test(after))?.[1]
    const scaled = factor === undefined ? [] : values.map((value) => String(Number(value) * factor))
    const [hour] = values.map(Number).filter((value) => Number.isInteger(value) && value > 0 && value < 24)
    const hours = hour !== undefined && (HOUR_AFTER.test(after) || HALF_DAY_AFTER.test(after)) ? otherHour(hour) : []
    const isMinutes = /^00$/.test(written) && /[:.]$/.test(text.slice(0, match.index))
    const parts = CLOCK.test(written) && TIME_AFTER.test(after) ? written.split('.') : splitParts(written)
    return isMinutes
      ? []
      : [{ start: match.index, end, written, values: [...values, ...scaled, ...hours], parts, dates: [] }]
  })
}

function otherHour(hour: number): string[] {
  return [String(hour > 12 ? hour - 12 : hour + 12)]
}

/** Both values of `1.670`, which is a thousand in some languages. */
function valuesOf(written: string): string[] {
  const number = fold(written).replace(/(?<=\d)[ \u00a0\u2009\u202f'’](?=\d{3}(?!\d))/g, '')
  const decimal = /^\d+[.,]\d+$/.test(number) ? [toValue(number.replace(',', '.'))] : []
  if (GROUPED.test(number)) return [toValue(number.replace(/[.,]/g, '')), ...decimal]
  const [, whole, , rest] = GROUPED_DECIMAL.exec(number) ?? []
  if (whole !== undefined) return [toValue(`${whole.replace(/[.,]/g, '')}.${rest}`)]
  if (/^\d+$/.test(number)) return [toValue(number)]
  return decimal.length > 0 ? decimal : [plainNumber(written)]
}

/** Long identifiers keep their digits. */
function toValue(number: string): string {
  return /^\d{16,}$/.test(number) ? number.replace(/^0+(?=\d)/, '') : String(Number(number))
}

/** Numbers of a range, a date, a fraction or an identifier; empty for a single number. */
function splitParts(written: string): string[] {
  const parts = fold(written).split(/[-–/ \u00a0\u202f]|\.(?=\d+\.)|(?<=\.\d+)\./)
  return parts.length > 1 ? parts.flatMap(valuesOf) : []
}

/** A spelled number counts as a fact only with its noun. */
type SpelledFact = Fact & { isStated: boolean }

const HAN = `[${HAN_NUMERALS}]`
const HAN_RUN = new RegExp(`(?:\\d+(?:\\.\\d+)?(?=${HAN}))?${HAN}+(?:\\d+${HAN}*)*`, 'gu')
/** After a single digit, which is often part of a word. */
const HAN_UNIT = /^(?:个|個|つ|天|日|月|年|元|円|週|周|時|时|分|秒|名|人|次|回|歳|岁|%|％|ヶ|か|カ)/u
/** Spelled ones and twos are articles and pronouns in many languages. */
const MIN_SPELLED = 2

function readNumberWords(text: string, languages: readonly string[]): SpelledFact[] {
  const spelled = findSpelledNumbers(text, languages).map(({ start, end, value }) =>
    toSpelled(start, text.slice(start, end), { value, isStated: value >= MIN_SPELLED }),
  )
  const han = [...text.matchAll(HAN_RUN)].flatMap((match) => {
    const value = readHanNumber(match[0])
    const isStated = match[0].length > 1 || HAN_UNIT.test(text.slice(match.index + 1, match.index + 2))
    return value === null ? [] : [toSpelled(match.index, match[0], { value, isStated: isStated && value > 1 })]
  })
  return [...spelled, ...han]
}

function toSpelled(
  start: number,
  written: string,
  { value, isStated }: { value: number; isStated: boolean },
): SpelledFact {
  return { start, end: start + written.length, written, values: [String(value)], parts: [], dates: [], isStated }
}

/** Dates, and quarters, halves and weeks of a year. */
function readTimes(text: string, languages: readonly string[]): Fact[] {
  const dates = readDates(text, languages)
  const periods = findPeriods(text, languages[0] ?? DEFAULT_LANGUAGE).flatMap(({ start, end, values }): Fact[] => {
    const [, year, part] = /^(\d{4}|-)-([qhw]\d{1,2})$/.exec(values[0] ?? '') ?? []
    if (year === undefined || part === undefined) return []
    const parts = year === '-' ? [part] : [part, year]
    return [{ start, end, written: text.slice(start, end).trim(), values: [], parts, dates: [] }]
  })
  return [...periods, ...dates.filter((date) => !isWithin(date, periods))]
}

/** Two days of one month are both stated; other values are readings of one date. */
function readDates(text: string, languages: readonly string[]): Fact[] {
  return readStatedDates(text, languages[0] ?? DEFAULT_LANGUAGE).flatMap(({ start, end, values: read }) => {
    const areDays =
      read.every((value) => DAY.test(value)) && new Set(read.map((value) => value.slice(0, -3))).size === 1
    return (areDays ? read.map((value) => [value]) : [read]).map((readings) => {
      const dates = readings.map(toPartialDate)
      const values = dates.flatMap(({ day, month, year }) =>
        [day, month, year].flatMap((part) => part ?? []).map(String),
      )
      return { start, end, written: text.slice(start, end).trim(), values, parts: [], dates }
    })
  })
}

const DAY = /-\d{2}-\d{2}$/

/** Reads `2026-03-21`, `2026-03` or `--03-21`. */
function toPartialDate(value: string): PartialDate {
  const [, year, month, day] = /^(\d{4}|-)-(\d{2})(?:-(\d{2}))?$/.exec(value) ?? []
  const toPart = (part: string | undefined) => (part === undefined || part === '-' ? null : Number(part))
  return { year: toPart(year), month: toPart(month), day: toPart(day) }
}
