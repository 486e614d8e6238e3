import type { Conventions, FoundValue } from './value.ts'

/**
 * Digits in groups of three, or plain; one space, a narrow one, an apostrophe, a comma or a full stop between groups. In India
 * groups before the last are of two, with commas: `12,50,000`.
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
/** Scripts that write no space between a number and the word before or behind it (`预付款5000元`). */
const SPACELESS = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`
/** Parts of a number that goes on in words: neither `1` nor `2000` is all of `1万2000`. */
const NUMERALS = '万萬億亿兆千百十만억천'

/** A letter that parts what stands beside it from a number, for patterns with the flag `u`. */
export const SPACED_LETTER = String.raw`(?!${SPACELESS})\p{L}`

/** What makes a number behind it a part of something longer: a word, a number, an ordinal (`第5条`). For a lookbehind. */
export const BOUND_BEFORE = String.raw`${SPACED_LETTER}|[\p{N}_${NUMERALS}第]`

/**
 * The same of what stands behind a number: a word, unless of a script whose counters follow directly (`1,200件`, `30개`), a part of a date
 * or time, further numerals. For a lookahead.
 */
const BOUND_BEHIND = String.raw`(?!${SPACELESS}|\p{Script=Hangul})[\p{L}_]|(?<=\d{4})[年년]|[月日号號時时分월일시분호${NUMERALS}]`

/** Between a word like `million` and what may follow; `万` has the next word right behind it. */
export const SCALE_END = String.raw`(?:(?<=[万萬億亿만억])(?![\p{N}千百十천])|(?<![万萬億亿만억])(?![\p{L}\p{N}]))`

/** Alternatives of a pattern, longest first. Numerals of Korean and Chinese begin other words as well: behind a space (`5 만기`), or on the next line. */
export const SCALE_WORD = Object.keys(SCALE_WORDS)
  .sort((a, b) => b.length - a.length)
  .map((word) => (/\p{Script=Hangul}/u.test(word) ? String.raw`(?<!\s)${word}` : word))
  .map((word) => (/\p{Script=Han}/u.test(word) ? String.raw`(?<![\n\r])${word}` : word))
  .join('|')
const SCALE = String.raw`(?:\s?(${SCALE_WORD})${SCALE_END}\.?)?`

/** A number that is no part of a word, a code, a date or a longer row of digits. */
const FREE_NUMBER = new RegExp(
  String.raw`(?<!${BOUND_BEFORE}|\d[.,:/\-]|[#№]|[\p{L}][\-/])([-−–+]|\()?(${NUMBER})${SCALE}(?!${BOUND_BEHIND}|` +
    String.raw`[.,:/\-]?\d|-\p{L})(\))?`,
  'giu',
)
const PERCENT = new RegExp(
  String.raw`(?<!${BOUND_BEFORE}|\d[.,])([-−+])?(${NUMBER})\s?(?:%|percent\b|per cent\b|prozent\b|pour cent\b|` +
    String.raw`v\.\s?H\.)`,
  'giu',
)

/** Small numbers in words, where a contract writes "six months": English, German, French, Spanish. */
const WORDS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fourteen: 14,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  sixty: 60,
  ninety: 90,
  zwei: 2,
  drei: 3,
  vier: 4,
  sechs: 6,
  sieben: 7,
  acht: 8,
  neun: 9,
  zehn: 10,
  zwölf: 12,
  deux: 2,
  trois: 3,
  quatre: 4,
  cinq: 5,
  douze: 12,
  dos: 2,
  tres: 3,
  cuatro: 4,
  cinco: 5,
  seis: 6,
  siete: 7,
  ocho: 8,
  nueve: 9,
  diez: 10,
  doce: 12,
  quince: 15,
  veinte: 20,
  treinta: 30,
  sesenta: 60,
  noventa: 90,
}
const NUMBER_WORD = new RegExp(
  String.raw`(?<![\p{L}\p{N}\-])(?:${Object.keys(WORDS).join('|')})(?![\p{L}\p{N}\-]|\s+\(\d)`,
  'giu',
)

/** The numbers of a text; percentages are among them, rows of digits that no number holds are not. `(1,200)` is negative as in accounts, `ninety (90)` is not. */
export function findNumbers(text: string, conventions: Conventions): FoundValue[] {
  return [...text.matchAll(FREE_NUMBER)].flatMap((match) => {
    const [whole, before, digits = '', group, scale, after] = match
    const isEnclosed = before === '(' && after === ')'
    const isNegative = before === '-' || before === '−' || (isEnclosed && group !== undefined)
    const value = parseNumber(digits, conventions) * scaleOf(scale)
    const start = match.index + (before !== undefined && !isNegative ? before.length : 0)
    const end = match.index + whole.length - (after !== undefined && !(isEnclosed && isNegative) ? 1 : 0)
    return Number.isFinite(value) ? [{ value: isNegative ? -value : value, start, end }] : []
  })
}

/** Whole numbers, also small ones in words; fractions and percentages are none. */
export function findIntegers(text: string, conventions: Conventions): FoundValue[] {
  const percents = new Set(findPercents(text, conventions).map(({ start }) => start))
  const numbers = findNumbers(text, conventions).filter(
    ({ value, start }) => Number.isSafeInteger(value) && !percents.has(start),
  )
  const words = [...text.matchAll(NUMBER_WORD)].map((match) => ({
    value: WORDS[match[0].toLowerCase()] ?? 0,
    start: match.index,
    end: match.index + match[0].length,
  }))
  return [...numbers, ...words].sort((a, b) => a.start - b.start)
}

/** The percentages of a text, in percent: 20 for `20 %`. */
export function findPercents(text: string, conventions: Conventions): FoundValue[] {
  return [...text.matchAll(PERCENT)].flatMap((match) => {
    const [whole, sign, digits = ''] = match
    const value = parseNumber(digits, conventions)
    const isNegative = sign === '-' || sign === '−'
    const start = match.index + (sign === '+' ? 1 : 0)
    return Number.isFinite(value)
      ? [{ value: isNegative ? -value : value, start, end: match.index + whole.length }]
      : []
  })
}

/** Reads digits with their marks: the last of two kinds of marks is the decimal one, a repeated one never is. */
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

/** The mark of a document's fractions, as its own numbers prove it: `8.450,00`, `74,5`; `null` when none does. */
export function findDecimalMark(text: string): Conventions['decimalMark'] | null {
  const votes = { '.': 0, ',': 0 }
  for (const [, mark] of text.matchAll(/(?<![\d.,])(?:\d{1,3}(?:[.,'’ ]\d{3})*|\d+)([.,])\d{1,2}(?![\d.,/-])/g)) {
    if (mark === '.' || mark === ',') votes[mark] += 1
  }
  return votes['.'] === votes[','] ? null : votes['.'] > votes[','] ? '.' : ','
}

/** What a word like `million` multiplies by; 1 where there is none. */
export function scaleOf(word: string | undefined): number {
  return SCALE_WORDS[word?.toLowerCase() ?? ''] ?? 1
}

function splitAt(text: string, index: number): [string, string] {
  return [text.slice(0, index), text.slice(index + 1)]
}

const WIDE_DIGIT = /[０-９]/g
const WIDE_MARK = /(?<=\d)[，．／－：](?=\d)|(?<=\d)％/g
/** From a character of full width (U+FF01 to U+FF5E) to its like in ASCII. */
const TO_ASCII = 0xfee0

/** A text with its digits of full width, and the marks between and behind them, as ASCII: `￥１，０００` becomes `￥1,000`. Places stay what they are. */
export function narrowDigits(text: string): string {
  return text.replace(WIDE_DIGIT, toAscii).replace(WIDE_MARK, toAscii)
}

function toAscii(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) - TO_ASCII)
}
