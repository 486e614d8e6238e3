import { fold } from './fold.ts'

/**
 * A number as it stands in a text, with the marks in it: `12,500`, `4.2.1`, `2026/0417`. Groups may
 * be parted by a space without a break or an apostrophe.
 */
export const WRITTEN_NUMBER = String.raw`\p{Nd}+(?:[.,\/–\-]\p{Nd}+|[\u00a0\u2009\u202f'’]\p{Nd}{3}(?!\p{Nd}))*`
const WRITTEN_NUMBERS = new RegExp(WRITTEN_NUMBER, 'gu')
const BETWEEN_GROUPS = /(?<=\d)[,\u00a0\u2009\u202f'’](?=\d{3}(?!\d))/g
const LEADING_ZEROS = /(?<!\d)0+(?=\d)/g
/** Zeros behind its mark count: `4.05` is not `4.5`, though `01.02.2026` is `1.2.2026`. */
const DECIMAL = /^\d+[.,]\d+$/
const FIRST_ZEROS = /^0+(?=\d)/
const DASHES = /[/–]/g

/**
 * One form for all ways to write a number: `12,500` and `１２５００` as `12500`, `07` as `7`,
 * `2026/0417` as `2026-417`.
 */
export function plainNumber(written: string): string {
  const number = fold(written).replace(BETWEEN_GROUPS, '').replace(DASHES, '-')
  return number.replace(DECIMAL.test(number) ? FIRST_ZEROS : LEADING_ZEROS, '')
}

/** The numbers of a text in order, in that form. */
export function listPlainNumbers(text: string): string[] {
  return [...text.matchAll(WRITTEN_NUMBERS)].map(([number]) => plainNumber(number))
}
