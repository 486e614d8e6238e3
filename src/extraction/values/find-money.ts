import { CURRENCY_MARK, CURRENCY_WORD, currencyOf } from './currencies.ts'
import { NUMBER, parseNumber, SCALE_WORD, scaleOf } from './find-numbers.ts'
import { BOUND_BEFORE, SCALE_END } from './free-number.ts'
import { narrowDigits } from './narrow-digits.ts'
import { createOverlaps } from './overlaps.ts'
import type { Conventions, FoundValue } from './value.ts'

/** `k` and `m` scale an amount of money only: elsewhere `3 m` are metres. */
const SCALE = String.raw`(?:\s?(k|K|m|M|${SCALE_WORD})${SCALE_END}\.?)?`
const SHORT_SCALES: Readonly<Record<string, number>> = { k: 1e3, m: 1e6 }
const SIGN = '[-−–]'
const BEHIND_WORD = /[\p{L}\p{N},;]\s$/u

const MARK_FIRST = new RegExp(
  String.raw`(\(|(?<=^|\s)${SIGN})?(${CURRENCY_MARK})\s?(${SIGN})?(${NUMBER})${SCALE}(\))?`,
  'gu',
)
const MARK_LAST = new RegExp(
  String.raw`(?<!${BOUND_BEFORE}|\d[.,])(\(|${SIGN})?(${NUMBER})${SCALE}(?:,[-–—]|\sde(?=\s)|\sd['’])?\s?(${CURRENCY_MARK}|${CURRENCY_WORD})(\))?`,
  'gui',
)

/**
 * The amounts of money of a text: with a symbol, a code or the name of a currency on either side. Bare numbers are none;
 * see `findBareMoney`. `(1,200)` in brackets and with a minus are negative.
 */
export function findMoney(text: string, conventions: Conventions): FoundValue[] {
  const first = [...text.matchAll(MARK_FIRST)].map((match) => {
    const [whole, before, mark = '', sign, digits = '', , scale, after] = match
    return moneyOf({ match, whole, before, mark, digits, scale, after, isSigned: sign !== undefined }, conventions)
  })
  const last = [...text.matchAll(MARK_LAST)].map((match) => {
    const [whole, before, digits = '', , scale, mark = '', after] = match
    return moneyOf({ match, whole, before, mark, digits, scale, after, isSigned: false }, conventions)
  })
  // "Total EUR 5 USD 6": what an amount has taken is no mark of the next one.
  const isTaken = createOverlaps(first)
  return [...first, ...last.filter((money) => !isTaken(money))]
    .filter(({ value }) => value.currency !== null && Number.isFinite(value.amount))
    .sort((a, b) => a.start - b.start)
}

const BARE = new RegExp(String.raw`^\s*(\(|${SIGN})?(${NUMBER})${SCALE}(\))?\s*$`, 'u')

/** The amount that a cell or a line is, where it is nothing but a number; its currency is that of the document, or `null`. */
export function findBareMoney(text: string, conventions: Conventions): FoundValue[] {
  const narrow = narrowDigits(text)
  const match = BARE.exec(narrow)
  if (match === null) return []
  const [whole, before, digits = '', , scale, after] = match
  const trimmed = whole.trim()
  const facts = { match, whole: trimmed, before, mark: '', digits, scale, after, isSigned: false }
  const { value } = moneyOf(facts, conventions)
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

function moneyOf(money: MoneyMatch, conventions: Conventions) {
  const { match, whole, before, mark, digits, scale, after, isSigned } = money
  const isEnclosed = before === '(' && after === ')'
  // "(€20)" and "five weeks' rent (£1,326.92)" in sentences are no debts; "(1,200)" and "($1,200.00)" in accounts are.
  const isApart = isEnclosed && !BEHIND_WORD.test(match.input.slice(Math.max(0, match.index - 2), match.index))
  const isNegative = isSigned || (before !== undefined && before !== '(') || (isApart && /[.,' ]\d/.test(digits))
  // Nobody writes thousandths of a currency: three digits behind any mark are thousands.
  const decimalMark = /\.\d{3}$/.test(digits) ? ',' : /,\d{3}$/.test(digits) ? '.' : conventions.decimalMark
  const size = parseNumber(digits, { decimalMark }) * (SHORT_SCALES[scale?.toLowerCase() ?? ''] ?? scaleOf(scale))
  const amount = Math.round(size * 1e6) / 1e6
  const leading = whole.length - whole.trimStart().length
  const start = match.index + leading + (before === '(' && !(isApart && isNegative) ? 1 : 0)
  const end = match.index + whole.length - (after !== undefined && !(isApart && isNegative) ? 1 : 0)
  return { value: { amount: isNegative ? -amount : amount, currency: currencyOf(mark, conventions) }, start, end }
}
