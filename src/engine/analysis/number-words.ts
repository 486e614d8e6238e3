/** Numbers in words and in Chinese characters. */
import type { Span } from '../chunking/split-text.ts'
import { listWords } from '../languages/language.ts'
import { NUMBER_WORDS } from '../languages/number-words.ts'

/** A number in words, with its place in the text. */
export type SpelledNumber = Span & { value: number }

/** Number words of a language, in lower case. */
type NumberLexicon = {
  values: ReadonlyMap<string, number>
  /** Forms that are a number only within a larger one: `ein` in `einhundert`. */
  bound: ReadonlyMap<string, number>
  and: ReadonlySet<string>
  /** Words before "hundred" in "percent". */
  percent: ReadonlySet<string>
  isJoined: boolean
}

/** Values of the comma-separated groups: 1 to 20, then 30 to 100. */
const FIRST_TENS = 20

/** Reads comma-separated groups of forms, from 1; see {@link NUMBER_WORDS}. */
export function readNumberGroups(list = ''): Map<string, number> {
  return new Map(
    list.split(',').flatMap((forms, index) => {
      const value = index < FIRST_TENS ? index + 1 : 10 * (index - FIRST_TENS + 3)
      return listWords(forms).map((form) => [form, value] as const)
    }),
  )
}

const LEXICONS: ReadonlyMap<string, NumberLexicon> = new Map(
  Object.entries(NUMBER_WORDS).map(([code, { cardinals, hundreds = '', thousand, one = '', and = '', ...words }]) => {
    const larger = [...readNumberGroups(hundreds)].map(([word, place]) => [word, 100 * (place + 1)] as const)
    const thousands = listWords(thousand).map((word) => [word, 1000] as const)
    const ones = listWords(one).map((word) => [word, 1] as const)
    return [
      code,
      {
        values: new Map([...readNumberGroups(cardinals), ...larger, ...thousands]),
        bound: new Map([...readNumberGroups(words.beginnings), ...ones]),
        and: new Set(listWords(and)),
        percent: new Set(listWords(words.percent)),
        isJoined: words.isJoined ?? false,
      },
    ]
  }),
)

const WORD = /\p{L}[\p{L}\p{M}]*/gu
/** The shortest number of two joined words: `tjugofem`. */
const MIN_JOINED_LETTERS = 6
/** The longest part: `cuatrocientos`. */
const MAX_PART_LETTERS = 13
/** "5 thousand" is one number in figures. */
const FIGURES_BEFORE = /\d[ \u00a0-]?$/
const HUNDRED = 100

type Part = SpelledNumber & { isBound: boolean }

/**
 * Finds the numbers in words: "six", "twenty-one", "two hundred and fifty", `zweihundertfünfzig`.
 * Only the given languages (ISO 639-1) are read; a word of two languages is found twice.
 */
export function findSpelledNumbers(text: string, languages: readonly string[]): SpelledNumber[] {
  const lexicons = [...new Set(languages)].flatMap((code) => LEXICONS.get(code) ?? [])
  if (lexicons.length === 0) return []
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ word: word.toLowerCase(), index }))
  return lexicons.flatMap((lexicon) => {
    const parts = words.flatMap(({ word, index }, place): Part[] => {
      const value = lexicon.values.get(word) ?? lexicon.bound.get(word) ?? readJoined(word, lexicon)
      if (value === null) return []
      const isBound = !lexicon.values.has(word) && lexicon.bound.has(word)
      const isPercent = value === HUNDRED && lexicon.percent.has(words[place - 1]?.word ?? '')
      const isScale = value >= HUNDRED && FIGURES_BEFORE.test(text.slice(Math.max(0, index - 2), index))
      return isPercent || isScale ? [] : [{ value, isBound, start: index, end: index + word.length }]
    })
    return joinParts(text, parts, lexicon)
  })
}

/** The sum or product of two adjacent numbers; `null` if they are two numbers. */
type Rule = (first: number, second: number, gap: string) => number | null

/** In the order in which numbers are composed: tens with ones first, thousands last. */
const RULES: readonly Rule[] = [
  (first, second, gap) => (first === 4 && second === 20 && gap === '-' ? 80 : null),
  (first, second, gap) => (first === 10 && second > 6 && second < 10 && gap === '-' ? first + second : null),
  (first, second, gap) => (gap === '-' && (first === 60 || first === 80) && second < 20 ? first + second : null),
  (first, second) => (first >= 20 && first < 100 && first % 10 === 0 && second < 10 ? first + second : null),
  (first, second) => (first < 20 && second === 100 ? 100 * first : null),
  (first, second) => (first >= 100 && first < 1000 && first % 100 === 0 && second < 100 ? first + second : null),
  (first, second) => (first < 1000 && second === 1000 ? 1000 * first : null),
  (first, second) => (first >= 1000 && first % 1000 === 0 && second < 1000 ? first + second : null),
]

/** Between two parts: white space, a hyphen, or "and". */
function readGap(text: string, { and }: NumberLexicon): string | null {
  if (/^(?:[ \u00a0]|-|)$/.test(text)) return text
  const [, word = ''] = /^ (\p{L}{1,3}) $/u.exec(text.toLowerCase()) ?? []
  return and.has(word) ? ' ' : null
}

/** Applies each rule to adjacent items, from the left. `join` returns `null` for two numbers. */
function composeNumbers<Item>(items: readonly Item[], join: (rule: Rule, last: Item, next: Item) => Item | null) {
  return RULES.reduce<readonly Item[]>((left, rule) => {
    const done: Item[] = []
    for (const item of left) {
      const last = done.at(-1)
      const joined = last === undefined ? null : join(rule, last, item)
      if (joined === null) done.push(item)
      else done[done.length - 1] = joined
    }
    return done
  }, items)
}

function joinParts(text: string, parts: readonly Part[], lexicon: NumberLexicon): SpelledNumber[] {
  if (parts.length === 0) return []
  const joined = composeNumbers(parts, (rule, last, part) => {
    const gap = readGap(text.slice(last.end, part.start), lexicon)
    const value = gap === null ? null : rule(last.value, part.value, gap)
    return value === null ? null : { value, isBound: false, start: last.start, end: part.end }
  })
  return joined.filter(({ isBound }) => !isBound).map(({ value, start, end }) => ({ value, start, end }))
}

/** Reads a number in one word, such as `zweihundertfünfzig`; `null` for other words. */
function readJoined(word: string, lexicon: NumberLexicon): number | null {
  if (!lexicon.isJoined || word.length < MIN_JOINED_LETTERS) return null
  const parts = splitJoined(word, lexicon)
  if (parts === null) return null
  const numbers = composeNumbers(joinOnes(parts), (rule, last, number) => rule(last, number, ''))
  const [only = null] = numbers
  return numbers.length === 1 ? only : null
}

/** The numbers of a word, with `null` for "and"; `null` if it has other parts. */
function splitJoined(word: string, lexicon: NumberLexicon): (number | null)[] | null {
  const { values, bound, and } = lexicon
  for (let end = Math.min(word.length, MAX_PART_LETTERS); end > 0; end--) {
    const head = word.slice(0, end)
    const value = values.get(head) ?? bound.get(head) ?? null
    if (value === null && !and.has(head)) continue
    const rest = end === word.length ? [] : splitJoined(word.slice(end), lexicon)
    if (rest !== null && (value !== null || rest.length > 0)) return [value, ...rest]
  }
  return null
}

/** `fünf und zwanzig` is 25; in `hundertundfünf` the conjunction means nothing. */
function joinOnes(parts: readonly (number | null)[]): number[] {
  const numbers: number[] = []
  for (let place = 0; place < parts.length; place++) {
    const [part = null, and, ten = null] = parts.slice(place, place + 3)
    if (part !== null && part < 10 && and === null && ten !== null && ten >= FIRST_TENS && ten < 100) {
      numbers.push(part + ten)
      place += 2
    } else if (part !== null) numbers.push(part)
  }
  return numbers
}

const DIGITS = '〇一二三四五六七八九'
const TENS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 }
const MYRIADS: Readonly<Record<string, number>> = { 万: 1e4, 萬: 1e4, 億: 1e8, 亿: 1e8 }

/** Characters of Chinese and Japanese numbers. */
export const HAN_NUMERALS = `${DIGITS}零○两兩十百千万萬億亿`
const HAN_PARTS = /\d+(?:\.\d+)?|./gu

/**
 * Reads a Chinese or Japanese number such as `十五`, `二〇二八` or `12万5千`; `null` for an empty
 * text.
 */
export function readHanNumber(written: string): number | null {
  if (written === '') return null
  const parts = written.match(HAN_PARTS) ?? []
  const digits = parts.map(readHanDigit)
  if (digits.every((digit) => digit !== null)) return Number(digits.join(''))
  let total = 0
  let section = 0
  let digit: number | null = null
  for (const part of parts) {
    const ten = TENS[part]
    const myriad = MYRIADS[part]
    if (ten !== undefined) section += (digit ?? 1) * ten
    else if (myriad !== undefined) {
      total += (section + (digit ?? 0) || 1) * myriad
      section = 0
    }
    digit = ten === undefined && myriad === undefined ? readHanDigit(part) : null
  }
  return total + section + (digit ?? 0)
}

function readHanDigit(part: string): number | null {
  if (/^\d/.test(part)) return Number(part)
  if (part === '两' || part === '兩') return 2
  const place = DIGITS.indexOf(part === '零' || part === '○' ? '〇' : part)
  return place === -1 ? null : place
}
