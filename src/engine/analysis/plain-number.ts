import { fold } from './fold.ts'

/**
 * A number with separators as written: `12,500`, `4.2.1`, `2026/0417`. A no-break space or an
 * apostrophe may separate groups.
 */
export const WRITTEN_NUMBER = String.raw`\p{Nd}+(?:[.,\/–\-]\p{Nd}+|[\u00a0\u2009\u202f'’]\p{Nd}{3}(?!\p{Nd}))*`
const WRITTEN_NUMBERS = new RegExp(WRITTEN_NUMBER, 'gu')
const BETWEEN_GROUPS = /(?<=\d)[,\u00a0\u2009\u202f'’](?=\d{3}(?!\d))/g
const LEADING_ZEROS = /(?<!\d)0+(?=\d)/g
/**
 * Decimals keep their leading zeros: `4.05` differs from `4.5`, but `01.02.2026` equals `1.2.2026`.
 */
const DECIMAL = /^\d+[.,]\d+$/
const FIRST_ZEROS = /^0+(?=\d)/
const DASHES = /[/–]/g

/** Normalizes a number: `12,500` and `１２５００` to `12500`, `07` to `7`, `2026/0417` to `2026-417`. */
export function plainNumber(written: string): string {
  const number = fold(written).replace(BETWEEN_GROUPS, '').replace(DASHES, '-')
  return number.replace(DECIMAL.test(number) ? FIRST_ZEROS : LEADING_ZEROS, '')
}

/** Lists the numbers of a text in order, normalized. */
export function listPlainNumbers(text: string): string[] {
  return [...text.matchAll(WRITTEN_NUMBERS)].map(([number]) => plainNumber(number))
}
