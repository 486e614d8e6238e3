import { WRITTEN, wordPattern } from '../../engine/phrases.ts'
import { findNumberWords } from './number-words.ts'
import type { Conventions, FoundValue } from './value.ts'

/**
 * Digits, plain or in groups of three. Separators are space, narrow space, apostrophe, comma or
 * full stop. Indian numbers group by two before the last group: `12,50,000`.
 */
export const NUMBER =
  String.raw`(?:\d{1,2}(?:,\d{2})+(?=,)|\d{1,3})(?:(?<gap>[ \u00a0\u202f'’.,])\d{3})(?:\k<gap>\d{3})*` +
  String.raw`(?:[.,]\d{1,4})?(?!\d)|\d+(?:[.,]\d+)?`

const SCALE_WORDS: Readonly<Record<string, number>> = {
  thousand: 1e3,
  tsd: 1e3,
  mille: 1e3,
  million: 1e6,
  millions: 1e6,
  millionen: 1e6,
  mio: 1e6,
  mn: 1e6,
  billion: 1e9,
  billions: 1e9,
  bn: 1e9,
  mrd: 1e9,
  milliarden: 1e9,
  milliard: 1e9,
  milliards: 1e9,
  millón: 1e6,
  millones: 1e6,
  milione: 1e6,
  milioni: 1e6,
  miliardo: 1e9,
  miliardi: 1e9,
  milhão: 1e6,
  milhões: 1e6,
  тыс: 1e3,
  млн: 1e6,
  миллион: 1e6,
  миллиона: 1e6,
  миллионов: 1e6,
  млрд: 1e9,
  миллиард: 1e9,
  миллиарда: 1e9,
  миллиардов: 1e9,
  万: 1e4,
  萬: 1e4,
  만: 1e4,
  億: 1e8,
  亿: 1e8,
  억: 1e8,
}
/** Scripts without a space between number and word (`预付款5000元`). */
const UNSPACED_SCRIPT = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`
/** Numerals that continue a number: in `1万2000` neither `1` nor `2000` is the whole number. */
const NUMERALS = '万萬億亿兆千百十만억천'

/** A letter of a script with spaces, for patterns with the flag `u`. */
export const SPACED_LETTER = String.raw`(?!${UNSPACED_SCRIPT})\p{L}`

/**
 * Characters before a number that make the number part of a word, number or ordinal (`第5条`). For
 * lookbehinds.
 */
export const BLOCKING_BEFORE = String.raw`${SPACED_LETTER}|[\p{N}_${NUMERALS}第]`

/**
 * Characters after a number that make the number part of a word, date, time or numeral. Counters of
 * East Asian scripts may follow directly (`1,200件`, `30개`). For lookaheads.
 */
const BLOCKING_AFTER =
  String.raw`(?!${UNSPACED_SCRIPT}|\p{Script=Hangul})[\p{L}_]|(?<=\d{4})[年년]|` +
  `[月日号號時时分월일시분호${NUMERALS}]`

/** End of a scale word such as `million`; after `万` the next word follows directly. */
export const SCALE_END = String.raw`(?:(?<=[万萬億亿만억])(?![\p{N}千百十천])|(?<![万萬億亿만억])(?![\p{L}\p{N}]))`

/**
 * Pattern of scale words, longest first. Korean and Chinese numerals also begin other words, after
 * a space (`5 만기`) or on the next line.
 */
export const SCALE_WORD = Object.keys(SCALE_WORDS)
  .sort((a, b) => b.length - a.length)
  .map((word) => (/\p{Script=Hangul}/u.test(word) ? String.raw`(?<!\s)${word}` : word))
  .map((word) => (/\p{Script=Han}/u.test(word) ? String.raw`(?<![\n\r])${word}` : word))
  .join('|')
const SCALE = String.raw`(?:\s?(${SCALE_WORD})${SCALE_END}\.?)?`

/** A number that is not part of a word, code, date or longer digit sequence. */
const FREE_NUMBER = new RegExp(
  String.raw`(?<!${BLOCKING_BEFORE}|\d[.,:/\-]|[#№]|[\p{L}][\-/])([-−–+]|\()?(${NUMBER})${SCALE}(?!${BLOCKING_AFTER}|` +
    String.raw`[.,:/\-]?\d|-\p{L})(\))?`,
  'giu',
)
const PERCENT_WORD = wordPattern(({ answers }) => answers?.percent, WRITTEN)
/** Percent sign or word after a number. */
const PERCENT_UNIT = String.raw`(?:%|(?:pct|percent|v\.\s?H|${PERCENT_WORD})(?!\p{L})\.?|процент\p{Ll}{0,3})`
const PERCENT = new RegExp(
  String.raw`(?<!${BLOCKING_BEFORE}|\d[.,])([-−+])?(${NUMBER})[\s-]?${PERCENT_UNIT}|百分之(?<han>\d+(?:\.\d+)?)`,
  'giu',
)
const MAX_PERCENT_CHARACTERS = 20
const PERCENT_AFTER = new RegExp(String.raw`^[\s-]${PERCENT_UNIT}`, 'iu')

/**
 * Finds numbers, including percentages. Digit sequences beyond the number range are skipped.
 * `(1,200)` is negative as in accounting; `ninety (90)` is not.
 */
export function findNumbers(text: string, conventions: Conventions): FoundValue[] {
  return [...text.matchAll(FREE_NUMBER)].flatMap((match) => {
    const [whole, before, digits = '', group, scale, after] = match
    const isEnclosed = before === '(' && after === ')'
    const isNegative = before === '-' || before === '−' || (isEnclosed && group !== undefined)
    const value = parseNumber(digits, conventions) * getScale(scale)
    const start = match.index + (before !== undefined && !isNegative ? before.length : 0)
    const end = match.index + whole.length - (after !== undefined && !(isEnclosed && isNegative) ? 1 : 0)
    return Number.isFinite(value) ? [{ value: isNegative ? -value : value, start, end }] : []
  })
}

/** Finds whole numbers, including small numbers in words. Fractions and percentages are skipped. */
export function findIntegers(text: string, conventions: Conventions): FoundValue[] {
  const percents = new Set(findPercents(text, conventions).map(({ start }) => start))
  const numbers = findNumbers(text, conventions).filter(
    ({ value, start }) => Number.isSafeInteger(value) && !percents.has(start),
  )
  return [...numbers, ...findNumberWords(text, conventions.languages)].sort((a, b) => a.start - b.start)
}

/** The percentages of a text, in percent: 20 for `20 %` and for `twenty per cent`. */
export function findPercents(text: string, conventions: Conventions): FoundValue[] {
  const figures = [...text.matchAll(PERCENT)].flatMap((match) => {
    const [whole, sign, digits = match.groups?.['han'] ?? ''] = match
    const value = parseNumber(digits, conventions)
    const isNegative = sign === '-' || sign === '−'
    const start = match.index + (sign === '+' ? 1 : 0)
    return Number.isFinite(value)
      ? [{ value: isNegative ? -value : value, start, end: match.index + whole.length }]
      : []
  })
  const words = findNumberWords(text, conventions.languages).flatMap((word) => {
    const unit = PERCENT_AFTER.exec(text.slice(word.end, word.end + MAX_PERCENT_CHARACTERS))
    return unit === null ? [] : [{ ...word, end: word.end + unit[0].length }]
  })
  return [...figures, ...words].sort((a, b) => a.start - b.start)
}

/**
 * Parses digits with separators. Of two kinds of separators the last is the decimal mark; a
 * repeated separator is never decimal.
 */
export function parseNumber(digits: string, { decimalMark }: Pick<Conventions, 'decimalMark'>): number {
  const plain = digits.replaceAll(/[ \u00a0\u202f'’]/g, '')
  const marks = plain.match(/[.,]/g) ?? []
  const last = marks.at(-1)
  if (last === undefined) return Number(plain)
  const isMixed = marks.some((mark) => mark !== last)
  const isGrouped = /^\d{1,3}[.,]\d{3}$/.test(plain) && !plain.startsWith('0')
  const isDecimal = isMixed || (marks.length === 1 && (!isGrouped || (last === decimalMark && plain === digits)))
  const [whole = '', fraction = ''] = isDecimal ? splitAt(plain, plain.lastIndexOf(last)) : [plain]
  return Number(`${whole.replaceAll(/[.,]/g, '')}.${fraction}`)
}

/**
 * Returns the decimal mark that the text's own numbers prove (`8.450,00`, `74,5`); `null` if none.
 */
export function findDecimalMark(text: string): Conventions['decimalMark'] | null {
  const votes = { '.': 0, ',': 0 }
  for (const [, mark] of text.matchAll(/(?<![\d.,])(?:\d{1,3}(?:[.,'’ ]\d{3})*|\d+)([.,])\d{1,2}(?![\d.,/-])/g)) {
    if (mark === '.' || mark === ',') votes[mark] += 1
  }
  return votes['.'] === votes[','] ? null : votes['.'] > votes[','] ? '.' : ','
}

/** Returns the factor of a scale word such as `million`; 1 for none. */
export function getScale(word: string | undefined): number {
  return SCALE_WORDS[word?.toLowerCase() ?? ''] ?? 1
}

function splitAt(text: string, index: number): [string, string] {
  return [text.slice(0, index), text.slice(index + 1)]
}

const FULL_WIDTH_DIGIT = /[０-９]/g
const FULL_WIDTH_MARK = /(?<=\d)[，．／－：](?=\d)|(?<=\d)％/g
/** Offset from full-width characters (U+FF01 to U+FF5E) to ASCII. */
const TO_ASCII = 0xfee0

/**
 * Converts full-width digits and their separators to ASCII: `￥１，０００` becomes `￥1,000`. Offsets are
 * preserved.
 */
export function toHalfWidthDigits(text: string): string {
  return text.replace(FULL_WIDTH_DIGIT, toAscii).replace(FULL_WIDTH_MARK, toAscii)
}

function toAscii(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) - TO_ASCII)
}
