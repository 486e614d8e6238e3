import { listWords } from '../../engine/languages/language.ts'
import { NUMBER_WORDS } from '../../engine/languages/number-words.ts'
import type { FoundValue } from './value.ts'

/** A number that is the first part of a word: `three-bedroom`, `3-room`, `Dreizimmerwohnung`. */
export type CompoundNumber = FoundValue & {
  /** The letters after the number: `bedroom`, `zimmerwohnung`. */
  noun: string
}

/** Number words of a language, in lower case. */
type Lexicon = { values: ReadonlyMap<string, number>; words: RegExp; beginnings: RegExp | null }

/** Values of the comma-separated groups: 1 to 20, then 30 to 100. */
const FIRST_TENS = 20
const LEXICONS: ReadonlyMap<string, Lexicon> = new Map(
  Object.entries(NUMBER_WORDS).map(([code, { cardinals, beginnings, joined }]) => {
    const simple = readGroups(cardinals)
    const first = readGroups(beginnings)
    const words = new Map([...joinTens(simple, first, joined), ...simple])
    return [
      code,
      {
        values: new Map([...first, ...words]),
        words: new RegExp(
          String.raw`(?<![\p{L}\p{N}-])(?:${toPattern(words)})(?![\p{L}\p{N}]|-(?=[\p{L}\p{N}])|\s+\(\d)`,
          'giu',
        ),
        beginnings:
          first.size === 0
            ? null
            : new RegExp(String.raw`(?<![\p{L}\p{N}-])(${toPattern(first)})-?(?=\p{L}{4})(\p{L}{1,40})`, 'giu'),
      },
    ]
  }),
)

/** Chinese numerals before a counter: `三个月`, `两室`. */
const HAN_DIGITS = '〇一二三四五六七八九'
const HAN_NUMBER =
  /(?<![第〇零一二两兩三四五六七八九十百千万\d])([一二两兩三四五六七八九]?十[一二三四五六七八九]?|[一二两兩三四五六七八九])(?=[个個室厅廳间間房卧层層年月天周次名位人台件])/gu

/**
 * Finds small numbers in words: `six`, `twenty-one`, `fünfundzwanzig`. English and the given
 * languages (ISO 639-1) are read.
 */
export function findNumberWords(text: string, languages: readonly string[]): FoundValue[] {
  const found = listLexicons(languages).flatMap(({ values, words }) =>
    [...text.matchAll(words)].map((match) => toValue(match, match[0], values)),
  )
  const numerals = languages.includes('zh')
    ? [...text.matchAll(HAN_NUMBER)].map(({ index, 0: digits }) => {
        return { value: readHanNumber(digits), start: index, end: index + digits.length }
      })
    : []
  return [...found, ...numerals]
}

/** Numbers of at most two digits, and number words, before a hyphen. */
const HYPHENATED = /(?<![\p{L}\p{N}.,/:-])(\d{1,2}|\p{L}{3,12})[-‐‑](\p{L}{3,40})/gu

/** Finds the numbers that begin a compound. Most are no counts; the noun decides. */
export function findCompoundNumbers(text: string, languages: readonly string[]): CompoundNumber[] {
  const lexicons = listLexicons(languages)
  const hyphenated = [...text.matchAll(HYPHENATED)].flatMap((match) => {
    const [, number = '', noun = ''] = match
    const word = number.toLowerCase()
    const value = /\d/.test(number) ? Number(number) : lexicons.find(({ values }) => values.has(word))?.values.get(word)
    return value === undefined ? [] : [{ value, start: match.index, end: match.index + number.length, noun }]
  })
  const joined = lexicons.flatMap(({ values, beginnings }) =>
    beginnings === null
      ? []
      : [...text.matchAll(beginnings)].map((match) => ({
          ...toValue(match, match[1] ?? '', values),
          noun: match[2] ?? '',
        })),
  )
  return [...new Map([...hyphenated, ...joined].map((one) => [one.start, one])).values()]
}

function listLexicons(languages: readonly string[]): Lexicon[] {
  return [...new Set(['en', ...languages])].flatMap((code) => LEXICONS.get(code) ?? [])
}

function toValue(match: RegExpExecArray, word: string, values: Lexicon['values']): FoundValue {
  const value = values.get(word.toLowerCase().replaceAll(/\s+/g, ' ')) ?? 0
  return { value, start: match.index, end: match.index + word.length }
}

function readGroups(list: string): Map<string, number> {
  return new Map(
    list.split(',').flatMap((forms, index) => {
      const value = index < FIRST_TENS ? index + 1 : 10 * (index - FIRST_TENS + 3)
      return listWords(forms).map((form) => [form, value] as const)
    }),
  )
}

/** The words for 21 to 99. */
function joinTens(
  simple: ReadonlyMap<string, number>,
  first: ReadonlyMap<string, number>,
  form: string,
): [string, number][] {
  const ones = [...simple, ...first].filter(([, value]) => value < 10)
  const tens = [...simple].filter(([, value]) => value >= FIRST_TENS && value < 100)
  return tens.flatMap(([ten, more]) =>
    ones.map(([one, value]): [string, number] => [
      form.replaceAll(/one|ten/g, (part) => (part === 'one' ? one : ten)),
      more + value,
    ]),
  )
}

/** Alternatives, longest first. */
function toPattern(words: ReadonlyMap<string, number>): string {
  return [...words.keys()]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replaceAll(' ', String.raw`\s`))
    .join('|')
}

function readHanNumber(digits: string): number {
  const [tens = '', ones = ''] = digits.includes('十') ? digits.split('十') : ['0', digits]
  const ten = tens === '0' ? 0 : tens === '' ? 1 : readHanDigit(tens)
  return 10 * ten + readHanDigit(ones)
}

function readHanDigit(digit: string): number {
  return /[两兩]/.test(digit) ? 2 : Math.max(0, HAN_DIGITS.indexOf(digit || '〇'))
}
