import {
  BLOCKING_BEFORE,
  getScale,
  NUMBER,
  parseNumber,
  SCALE_END,
  SCALE_WORD,
  SPACED_LETTER,
  toHalfWidthDigits,
} from './find-numbers.ts'
import { type Conventions, createOverlapTest, type FoundValue } from './value.ts'

/** Common ISO 4217 codes. Three capitals alone do not make a code. */
const CURRENCY_CODES = [
  'EUR USD GBP CHF JPY CNY INR AUD CAD NZD SEK NOK DKK ISK PLN CZK HUF RON BGN TRY RUB UAH ZAR',
  'BRL MXN ARS CLP COP SGD HKD TWD KRW THB IDR MYR PHP VND ILS AED SAR EGP KES NGN',
].flatMap((codes) => codes.split(' '))

const CURRENCY_SYMBOLS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  '₽': 'RUB',
  '₺': 'TRY',
  '₴': 'UAH',
  '₩': 'KRW',
  '₪': 'ILS',
  '₫': 'VND',
  '฿': 'THB',
  RMB: 'CNY',
  A$: 'AUD',
  C$: 'CAD',
  CA$: 'CAD',
  AU$: 'AUD',
  NZ$: 'NZD',
  US$: 'USD',
  HK$: 'HKD',
  NT$: 'TWD',
  S$: 'SGD',
  R$: 'BRL',
  MX$: 'MXN',
  zł: 'PLN',
  Kč: 'CZK',
  Fr: 'CHF',
  'Fr.': 'CHF',
  SFr: 'CHF',
  'SFr.': 'CHF',
}
/** Names allowed after an amount only, in any case. */
const CURRENCY_NAMES: Readonly<Record<string, string>> = {
  euro: 'EUR',
  euros: 'EUR',
  dollars: 'USD',
  pounds: 'GBP',
  francs: 'CHF',
  franken: 'CHF',
  rupees: 'INR',
  yen: 'JPY',
  руб: 'RUB',
  рубль: 'RUB',
  рубля: 'RUB',
  рублей: 'RUB',
  đ: 'VND',
  đồng: 'VND',
}
/** Names in scripts without spaces. */
const UNSPACED_CURRENCY_NAMES: Readonly<Record<string, string>> = {
  円: 'JPY',
  日元: 'JPY',
  美元: 'USD',
  ドル: 'USD',
  欧元: 'EUR',
  歐元: 'EUR',
  ユーロ: 'EUR',
  英镑: 'GBP',
  英鎊: 'GBP',
  港元: 'HKD',
  港币: 'HKD',
  港幣: 'HKD',
  원: 'KRW',
  บาท: 'THB',
}
/**
 * Characters that may follow such a name (`5650元整`, `12,500원입니다`). `2026元旦` is a date, not an
 * amount.
 */
const UNSPACED_NEXT = '[整正以的をのでがはにと정은을이의에입까ถต]'

const YUAN = '元'
/** Marks of several currencies. */
const SHARED_MARKS: Readonly<Record<string, keyof SharedMarks>> = {
  $: 'dollar',
  '¥': 'yen',
  '￥': 'yen',
  kr: 'krone',
  TL: 'lira',
  'kr.': 'krone',
  Kr: 'krone',
  'Kr.': 'krone',
}

/** Meanings of shared marks in this document. */
type SharedMarks = Pick<Conventions, 'dollar' | 'yen' | 'krone' | 'lira' | 'yuan'>

/**
 * Pattern of codes and symbols, longest first, case-sensitive.
 *
 * Capitals before `$` name a country; an unknown country (`B$`) must not match as `$`. After a
 * number they may be a scale (`5 M$`).
 */
const CURRENCY_MARK = [...Object.keys(CURRENCY_SYMBOLS), ...Object.keys(SHARED_MARKS), ...CURRENCY_CODES]
  .sort((a, b) => b.length - a.length)
  .map((mark) => mark.replaceAll(/[$.]/g, String.raw`\$&`))
  .map((mark) => (/^\p{L}+(?:\\\.)?$/u.test(mark) ? `(?<!${SPACED_LETTER})${mark}(?!${SPACED_LETTER})` : mark))
  .map((mark) =>
    /^\p{L}*\\\$$/u.test(mark) ? String.raw`(?<!(?<!\p{Lu}|\d\s?(?=(?:[kKmM]|mn|bn)\$))\p{Lu}{1,2})${mark}` : mark,
  )
  .join('|')

/** Pattern of the names that follow an amount. */
const CURRENCY_WORD = [
  String.raw`(?:${Object.keys(CURRENCY_NAMES).join('|')})(?!\p{L})`,
  String.raw`(?:${[...Object.keys(UNSPACED_CURRENCY_NAMES), YUAN].join('|')})(?!(?!${UNSPACED_NEXT})\p{L})`,
].join('|')

/** Returns the ISO code of a symbol, code or name; `null` if unknown. */
export function resolveCurrency(mark: string, shared: SharedMarks): string | null {
  const kind = mark === YUAN ? 'yuan' : SHARED_MARKS[mark]
  if (kind !== undefined) return shared[kind]
  return (
    CURRENCY_SYMBOLS[mark] ??
    CURRENCY_NAMES[mark.toLowerCase()] ??
    UNSPACED_CURRENCY_NAMES[mark] ??
    (CURRENCY_CODES.includes(mark) ? mark : null)
  )
}

const MARK = new RegExp(CURRENCY_MARK, 'gu')

/** Returns the distinct currencies of a text in order, with shared marks resolved. */
export function listCurrencies(text: string, shared: SharedMarks): string[] {
  const codes = [...text.matchAll(MARK)].map(([mark]) => resolveCurrency(mark, shared))
  return [...new Set(codes.filter((code) => code !== null))]
}

/** `k` and `m` scale an amount of money only: elsewhere `3 m` are metres. */
const SCALE = String.raw`(?:\s?(k|K|m|M|${SCALE_WORD})${SCALE_END}\.?)?`
const SHORT_SCALES: Readonly<Record<string, number>> = { k: 1e3, m: 1e6 }
const SIGN = '[-−–]'
const AFTER_WORD = /[\p{L}\p{N},;]\s$/u

const MARK_FIRST = new RegExp(
  String.raw`(\(|(?<=^|\s)${SIGN})?(${CURRENCY_MARK})\s?(${SIGN})?(${NUMBER})${SCALE}(\))?`,
  'gu',
)
const MARK_LAST = new RegExp(
  String.raw`(?<!${BLOCKING_BEFORE}|\d[.,])(\(|${SIGN})?(${NUMBER})${SCALE}(?:,[-–—]|\sde(?=\s)|` +
    String.raw`\sd['’])?\s?(${CURRENCY_MARK}|${CURRENCY_WORD})(\))?`,
  'gui',
)

/**
 * Finds amounts of money with a symbol, code or name on either side. Bare numbers are skipped; see
 * `findBareMoney`. `(1,200)` and a minus sign mean negative.
 */
export function findMoney(text: string, conventions: Conventions): FoundValue[] {
  const first = [...text.matchAll(MARK_FIRST)].map((match) => {
    const [whole, before, mark = '', sign, digits = '', , scale, after] = match
    return readAmount({ match, whole, before, mark, digits, scale, after, isSigned: sign !== undefined }, conventions)
  })
  const last = [...text.matchAll(MARK_LAST)].map((match) => {
    const [whole, before, digits = '', , scale, mark = '', after] = match
    return readAmount({ match, whole, before, mark, digits, scale, after, isSigned: false }, conventions)
  })
  // In "Total EUR 5 USD 6" a mark belongs to a single amount.
  const isTaken = createOverlapTest(first)
  return [...first, ...last.filter((money) => !isTaken(money))]
    .filter(({ value }) => value.currency !== null && Number.isFinite(value.amount))
    .sort((a, b) => a.start - b.start)
}

const BARE_AMOUNT = new RegExp(String.raw`^\s*(\(|${SIGN})?(${NUMBER})${SCALE}(\))?\s*$`, 'u')

/**
 * Returns the amount of a cell or line that is a bare number. The currency is the document's, or
 * `null`.
 */
export function findBareMoney(text: string, conventions: Conventions): FoundValue[] {
  const narrow = toHalfWidthDigits(text)
  const match = BARE_AMOUNT.exec(narrow)
  if (match === null) return []
  const [whole, before, digits = '', , scale, after] = match
  const trimmed = whole.trim()
  const facts = { match, whole: trimmed, before, mark: '', digits, scale, after, isSigned: false }
  const { value } = readAmount(facts, conventions)
  if (!Number.isFinite(value.amount)) return []
  const start = narrow.indexOf(trimmed)
  return [{ value: { ...value, currency: conventions.currency }, start, end: start + trimmed.length }]
}

type MoneyMatch = {
  match: RegExpExecArray
  whole: string
  before: string | undefined
  mark: string
  digits: string
  scale: string | undefined
  after: string | undefined
  isSigned: boolean
}

function readAmount(money: MoneyMatch, conventions: Conventions) {
  const { match, whole, before, mark, digits, scale, after, isSigned } = money
  const isEnclosed = before === '(' && after === ')'
  // "(€20)" and "five weeks' rent (£1,326.92)" in sentences are no debts; "(1,200)" and
  // "($1,200.00)" in accounts are.
  const isApart = isEnclosed && !AFTER_WORD.test(match.input.slice(Math.max(0, match.index - 2), match.index))
  const isNegative = isSigned || (before !== undefined && before !== '(') || (isApart && /[.,' ]\d/.test(digits))
  // Currencies have no thousandths: three digits after any mark are thousands.
  const decimalMark = /\.\d{3}$/.test(digits) ? ',' : /,\d{3}$/.test(digits) ? '.' : conventions.decimalMark
  const size = parseNumber(digits, { decimalMark }) * (SHORT_SCALES[scale?.toLowerCase() ?? ''] ?? getScale(scale))
  const amount = Math.round(size * 1e6) / 1e6
  const leading = whole.length - whole.trimStart().length
  const start = match.index + leading + (before === '(' && !(isApart && isNegative) ? 1 : 0)
  const end = match.index + whole.length - (after !== undefined && !(isApart && isNegative) ? 1 : 0)
  return { value: { amount: isNegative ? -amount : amount, currency: resolveCurrency(mark, conventions) }, start, end }
}
