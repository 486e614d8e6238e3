/**
 * Numbers and dates of answers and their sources, in any usual form. `1,670` is `1.670` and
 * `1 670`, and `1 March 2026` is `2026-03-01`. `three` is `3`, and `十五` is `15`.
 */
import { fold, normalizeWordForMatch } from '../analysis/fold.ts'
import { plainNumber, WRITTEN_NUMBER } from '../analysis/plain-number.ts'
import type { Span } from '../chunking/split-text.ts'
import { CALENDARS } from '../languages/calendars.ts'
import { HAN_DIGITS, NUMBER_WORDS, readHanNumber } from './number-words.ts'

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

/** Creates the index of texts. `languages` (ISO 639-1) are those of number words. */
export function indexFacts(texts: readonly string[], languages: readonly string[]): FactIndex {
  const values = new Set<string>()
  const dates: PartialDate[] = []
  for (const text of texts) {
    for (const fact of [...readDates(text), ...readNumbers(text), ...readNumberWords(text, languages)]) {
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
  const dates = readDates(text)
  const isDate = ({ start, end }: Span) => dates.some((date) => start < date.end && date.start < end)
  const numbers = readNumbers(text).filter((fact) => !isDate(fact) && !isItemNumber(text, fact))
  const words = readNumberWords(text, languages).filter((fact) => {
    const [, noun] = /^[\s-]+(\p{L}+)/u.exec(text.slice(fact.end)) ?? []
    const isKnown = noun === undefined || known.includes(` ${stemOf(normalizeWordForMatch(noun))}`)
    return !isDate(fact) && fact.isStated && isKnown
  })
  return [...dates, ...numbers, ...words]
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
const NUMBERS = new RegExp(String.raw`\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?![\d])|${WRITTEN_NUMBER}`, 'gu')
const GROUPED = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/
const GROUPED_DECIMAL = /^(\d{1,3}(?:([.,])\d{3})+)(?!\2)[.,](\d+)$/
const SCALES: readonly (readonly [pattern: RegExp, factor: number])[] = [
  [/^ ?(?:k\b|thousand|tausend|Tsd|mille\b|mila\b|mil\b|tys|тыс|duizend|tusen)/iu, 1e3],
  [/^ ?[万萬만]/u, 1e4],
  [/^ ?(?:million|Mio|millones|millón|milion|milhões|miljoen|miljon|млн|миллион)/iu, 1e6],
  [/^ ?[億亿억]/u, 1e8],
  [/^ ?(?:billion|Mrd|Milliard|млрд|miliard|miljard)/iu, 1e9],
]
/** An hour of the afternoon has two numbers: `17:00` and `5 pm`. */
const HOUR_AFTER = /^(?::\d\d| ?(?:Uhr|h\b|時|时|点|시))/u
const HALF_DAY_AFTER = /^(?:[:.]\d\d)? ?[ap]\.?m\b/iu

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
    const parts = splitParts(written)
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

const WORD = /\p{L}[\p{L}\p{M}]*(?:-\p{L}[\p{L}\p{M}]*)?/gu
const HAN_RUN = new RegExp(`[${HAN_DIGITS}]+`, 'gu')
/** After a single digit, which is often part of a word. */
const HAN_UNIT = /^(?:个|個|つ|天|日|月|年|元|円|週|周|時|时|分|秒|名|人|次|回|歳|岁|%|％|ヶ|か|カ)/u
/** Spelled ones and twos are articles and pronouns in many languages. */
const MIN_SPELLED = 2

function readNumberWords(text: string, languages: readonly string[]): SpelledFact[] {
  const words = languages.map((language) => NUMBER_WORDS[language]).filter((list) => list !== undefined)
  const spelled = [...text.matchAll(WORD)].flatMap((match) => {
    const key = normalizeWordForMatch(match[0])
    const value = words.map((list) => list.get(key)).find((found) => found !== undefined)
    return value === undefined ? [] : [toSpelled(match.index, match[0], { value, isStated: value >= MIN_SPELLED })]
  })
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

/** Months by name; some names mean another month in another language. */
const MONTHS: ReadonlyMap<string, readonly number[]> = listMonths()

function listMonths(): Map<string, number[]> {
  const months = new Map<string, number[]>()
  for (const { monthNames: list = '' } of Object.values(CALENDARS)) {
    for (const [index, names] of list.split(',').entries())
      for (const name of names.trim().split(/\s+/)) {
        const key = normalizeWordForMatch(name)
        months.set(key, [...new Set([...(months.get(key) ?? []), index + 1])])
      }
  }
  return months
}

/** True for the name of a month in any language. */
export function isMonth(word: string): boolean {
  return MONTHS.has(normalizeWordForMatch(word))
}

const ISO = /(?<!\d)(\d{4})(?:[-/.]|\s?[年년]\s?)(\d{1,2})(?:(?:[-/.]|\s?[月월]\s?)(\d{1,2})(?!\d)\s?[日일]?)?(?!\d)/gu
const DAY_FIRST = /(?<![\d.])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?![\d]|\.\d)/g
const MONTH_DAY = /(?<![\d年년]\s?)(?<!\d)(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号号]/gu
const ORDINAL_END = '(?:st|nd|rd|th|er|[.ºª])?'
const BEFORE_MONTH = new RegExp(
  String.raw`(?:(\d{1,2})${ORDINAL_END}\s?(?:[–-]|\p{L}{1,5})\s?)?` +
    String.raw`(?<!\d)(\d{1,2})${ORDINAL_END}\s(?:of |de |d['’])?$`,
  'u',
)
const AFTER_MONTH = /^\.?,?\s(?:de |del )?(?:(\d{1,2})(?:st|nd|rd|th)?(?![\d.:]*\d)(?:,?\s(\d{4}))?|(\d{4}))(?!\d)/
const MONTH_REACH_CHARACTERS = 28

function readDates(text: string): Fact[] {
  const facts: Fact[] = []
  const add = (start: number, end: number, dates: readonly PartialDate[]) => {
    const isTaken = facts.some((fact) => start < fact.end && fact.start < end)
    const possible = dates.filter(isPossible)
    if (isTaken || possible.length === 0) return
    const written = text.slice(start, end).trim()
    const values = possible.flatMap(({ day, month, year }) =>
      [day, month, year].filter((part) => part !== null).map(String),
    )
    facts.push({ start, end, written, values, parts: [], dates: possible })
  }
  for (const { 0: all, 1: year, 2: month, 3: day, index } of text.matchAll(ISO))
    add(index, index + all.length, [toDate(day, month, year)])
  for (const { 0: all, 1: first, 3: second, 4: year, index } of text.matchAll(DAY_FIRST))
    add(index, index + all.length, [toDate(first, second, year), toDate(second, first, year)])
  for (const { 0: all, 1: month, 2: day, index } of text.matchAll(MONTH_DAY))
    add(index, index + all.length, [toDate(day, month, undefined)])
  for (const match of text.matchAll(WORD)) {
    const months = MONTHS.get(normalizeWordForMatch(match[0]))
    if (months !== undefined) addNamed(text, match, { months, add })
  }
  return facts
}

type AddDates = (start: number, end: number, dates: readonly PartialDate[]) => void

/** `1 to 15 March 2026`, `March 15, 2026`, `March 2026`. */
function addNamed(
  text: string,
  { 0: name, index }: RegExpExecArray,
  { months, add }: { months: readonly number[]; add: AddDates },
): void {
  const end = index + name.length
  const before = BEFORE_MONTH.exec(text.slice(Math.max(0, index - MONTH_REACH_CHARACTERS), index))
  const after = AFTER_MONTH.exec(text.slice(end, end + MONTH_REACH_CHARACTERS))
  const [all = '', from, until] = before ?? []
  const year = after?.[2] ?? after?.[3]
  const days = until === undefined ? [after?.[1]] : [until, from].filter((day) => day !== undefined)
  const isNamed = until !== undefined || after !== null
  const last = until !== undefined && after?.[3] === undefined ? end : end + (after?.[0].length ?? 0)
  if (!isNamed) return
  add(
    index - all.length,
    last,
    months.flatMap((month) => days.map((day) => toDate(day, String(month), year))),
  )
}

function toDate(day: string | undefined, month: string | undefined, year: string | undefined): PartialDate {
  const toPart = (part: string | undefined) => (part === undefined ? null : Number(part))
  const whole = toPart(year)
  return { day: toPart(day), month: toPart(month), year: whole !== null && whole < 100 ? 2000 + whole : whole }
}

function isPossible({ day, month }: PartialDate): boolean {
  return (month === null || (month >= 1 && month <= 12)) && (day === null || (day >= 1 && day <= 31))
}
