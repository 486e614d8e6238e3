import { SPACED_LETTER } from './free-number.ts'
import type { Conventions } from './value.ts'

/** ISO 4217: the codes of the currencies that documents are made out in most; a word of three capitals is no code by itself. */
const CODES =
  'EUR USD GBP CHF JPY CNY INR AUD CAD NZD SEK NOK DKK ISK PLN CZK HUF RON BGN TRY RUB UAH ZAR BRL MXN ARS CLP COP SGD HKD TWD KRW THB IDR MYR PHP VND ILS AED SAR EGP KES NGN'.split(
    ' ',
  )

const SYMBOLS: Readonly<Record<string, string>> = {
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
/** Behind an amount only, whatever their case. */
const WORDS: Readonly<Record<string, string>> = {
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
/** The same where no spaces stand between words. */
const UNSPACED_WORDS: Readonly<Record<string, string>> = {
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
/** How the words behind those begin that leave an amount one (`5650元整`, `12,500원입니다`); `2026元旦` is a day. */
const UNSPACED_NEXT = '[整正以的をのでがはにと정은을이의에입까ถต]'

const YUAN = '元'
/** What stands for one currency here and another there. */
const SHARED: Readonly<Record<string, keyof SharedMarks>> = {
  $: 'dollar',
  '¥': 'yen',
  '￥': 'yen',
  kr: 'krone',
  TL: 'lira',
  'kr.': 'krone',
  Kr: 'krone',
  'Kr.': 'krone',
}

/** The currencies that marks of several stand for in a document. */
export type SharedMarks = Pick<Conventions, 'dollar' | 'yen' | 'krone' | 'lira' | 'yuan'>

/**
 * Alternatives of a pattern: codes, symbols and words of currencies, longest first. Case matters but for the words. One or two capitals before a `$`
 * name a country: of one that is not known here (`B$`) no other's dollars are read. Behind a number some of them scale it (`5 M$`).
 */
export const CURRENCY_MARK = [...Object.keys(SYMBOLS), ...Object.keys(SHARED), ...CODES]
  .sort((a, b) => b.length - a.length)
  .map((mark) => mark.replaceAll(/[$.]/g, String.raw`\$&`))
  .map((mark) => (/^\p{L}+(?:\\\.)?$/u.test(mark) ? `(?<!${SPACED_LETTER})${mark}(?!${SPACED_LETTER})` : mark))
  .map((mark) =>
    /^\p{L}*\\\$$/u.test(mark) ? String.raw`(?<!(?<!\p{Lu}|\d\s?(?=(?:[kKmM]|mn|bn)\$))\p{Lu}{1,2})${mark}` : mark,
  )
  .join('|')

/** The same of words that stand behind an amount only. */
export const CURRENCY_WORD = [
  String.raw`(?:${Object.keys(WORDS).join('|')})(?!\p{L})`,
  String.raw`(?:${[...Object.keys(UNSPACED_WORDS), YUAN].join('|')})(?!(?!${UNSPACED_NEXT})\p{L})`,
].join('|')

/** The code a symbol, code or word stands for; `null` for none of them. */
export function currencyOf(mark: string, shared: SharedMarks): string | null {
  const kind = mark === YUAN ? 'yuan' : SHARED[mark]
  if (kind !== undefined) return shared[kind]
  return SYMBOLS[mark] ?? WORDS[mark.toLowerCase()] ?? UNSPACED_WORDS[mark] ?? (CODES.includes(mark) ? mark : null)
}

const MARK = new RegExp(CURRENCY_MARK, 'gu')

/** The distinct currencies a text names, in order; shared marks as what they stand for. */
export function listCurrencies(text: string, shared: SharedMarks): string[] {
  const codes = [...text.matchAll(MARK)].map(([mark]) => currencyOf(mark, shared))
  return [...new Set(codes.filter((code) => code !== null))]
}
