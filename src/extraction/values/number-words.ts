import { findSpelledNumbers, readHanNumber, readNumberGroups } from '../../engine/analysis/number-words.ts'
import { NUMBER_WORDS } from '../../engine/languages/number-words.ts'
import type { FoundValue } from './value.ts'

/** A number that is the first part of a word: `three-bedroom`, `3-room`, `Dreizimmerwohnung`. */
export type CompoundNumber = FoundValue & {
  /** The letters after the number: `bedroom`, `zimmerwohnung`. */
  noun: string
}

/** Numbers at the beginning of a word, by language. */
const BEGINNINGS: ReadonlyMap<string, { values: ReadonlyMap<string, number>; pattern: RegExp }> = new Map(
  Object.entries(NUMBER_WORDS).flatMap(([code, { beginnings }]) => {
    if (beginnings === undefined) return []
    const values = readNumberGroups(beginnings)
    const words = [...values.keys()].sort((a, b) => b.length - a.length).join('|')
    const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}-])(${words})-?(?=\p{L}{4})(\p{L}{1,40})`, 'giu')
    return [[code, { values, pattern }]]
  }),
)

/** Chinese numerals before a counter: `三个月`, `两室`. */
const HAN_NUMBER =
  /(?<![第〇零一二两兩三四五六七八九十百千万\d])([一二两兩三四五六七八九]?十[一二三四五六七八九]?|[一二两兩三四五六七八九])(?=[个個室厅廳间間房卧层層年月天周次名位人台件])/gu
/** A part of another word, or the same number in figures after it: "three (3) months". */
const PART_BEFORE = /[\p{L}\p{N}-]$/u
const PART_AFTER = /^(?:\p{N}|-[\p{L}\p{N}]|\s+\(\d)/u
const REACH = 4

/** Finds the numbers in words. English and the given languages (ISO 639-1) are read. */
export function findNumberWords(text: string, languages: readonly string[]): FoundValue[] {
  const found = findSpelledNumbers(text, ['en', ...languages]).filter(
    ({ start, end }) =>
      !PART_BEFORE.test(text.slice(Math.max(0, start - 1), start)) && !PART_AFTER.test(text.slice(end, end + REACH)),
  )
  const numerals = languages.includes('zh')
    ? [...text.matchAll(HAN_NUMBER)].map(({ index, 0: digits }) => {
        return { value: readHanNumber(digits) ?? 0, start: index, end: index + digits.length }
      })
    : []
  return [...found, ...numerals]
}

/** Numbers of at most two digits, and number words, before a hyphen. */
const HYPHENATED = /(?<![\p{L}\p{N}.,/:-])(\d{1,2}|\p{L}{3,12})[-‐‑](\p{L}{3,40})/gu

/** Finds the numbers that begin a compound. Most are no counts; the noun decides. */
export function findCompoundNumbers(text: string, languages: readonly string[]): CompoundNumber[] {
  const codes = [...new Set(['en', ...languages])]
  const hyphenated = [...text.matchAll(HYPHENATED)].flatMap((match) => {
    const [, number = '', noun = ''] = match
    const value = /\d/.test(number) ? Number(number) : findSpelledNumbers(number, codes)[0]?.value
    return value === undefined ? [] : [{ value, start: match.index, end: match.index + number.length, noun }]
  })
  const joined = codes.flatMap((code) => {
    const { values, pattern } = BEGINNINGS.get(code) ?? {}
    if (values === undefined || pattern === undefined) return []
    return [...text.matchAll(pattern)].flatMap(({ index, 1: word = '', 2: noun = '' }) => {
      const value = values.get(word.toLowerCase())
      return value === undefined ? [] : [{ value, start: index, end: index + word.length, noun }]
    })
  })
  return [...new Map([...hyphenated, ...joined].map((one) => [one.start, one])).values()]
}
