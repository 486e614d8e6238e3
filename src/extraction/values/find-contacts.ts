import type { FoundValue } from './value.ts'
import { createOverlaps } from './value.ts'

const EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])/gu
const URL =
  /(?<![\p{L}\p{N}@._-])(?:https?:\/\/[^\s<>"'|\\^`{}]{3,2000}|(?:www\.)?(?:[\p{L}\p{N}-]{1,63}\.){1,6}\p{L}{2,24}(?![\p{L}\p{N}@])(?:[/?#][^\s<>"'|\\^`{}]{0,500})?)/giu
/** What closes a sentence or a bracket around an address is no part of it. */
const URL_TAIL = /[.,;:!?)\]*_»”]+$/u
/** A bare name with a dot is an address only where it begins with www., goes on with a path, or ends as sites do. */
// Endings that are words (`no`, `it`, `at`) are none: a full stop without a space behind it is more frequent.
const SITE =
  /^(?:https?:|www\.)|\.\p{L}{2,24}[/?#]|\.(?:com|org|net|example|edu|gov|info|dev|io|eu|de|ch|fr|uk|nl|pl|dk|ie|au|ca)$/iu
const PHONE = /(?<![\p{L}\p{N}.,/-])(?:\+|00)?\(?\d[\d\s()./\u2011–-]{5,24}\d(?![\p{L}\p{N}]|[.,/-]\d)/gu
/** ITU-T E.164 has at most 15 digits; fewer than 7 are no number that can be called from elsewhere. */
const PHONE_DIGITS = { min: 7, max: 15 } as const
/** A number so introduced is another one: accounts, tax numbers, dates. */
const OTHER_NUMBER =
  /(?:IBAN|SIRET|ABN|VAT|account|konto|sort code|no\.|nr\.?|number|nummer|ref\.?|fax|telefax)[^\p{L}]{0,14}$/iu
const PHONE_WORD =
  /(?:tel|phone|fon|mobil|cell|call|handy)\p{L}*[^\p{L}]{0,6}(?:n(?:o|r|umber|ummer)\.?[^\p{L}]{0,4})?$/iu

/** The e-mail addresses of a text, in lower case. */
export function findEmails(text: string): FoundValue[] {
  return [...text.matchAll(EMAIL)].map((match) => {
    const start = match.index
    return { value: match[0].toLowerCase(), start, end: start + match[0].length }
  })
}

/** The web addresses of a text as they stand there, also bare ones like `www.site.example`; e-mail addresses are none. */
export function findUrls(text: string): FoundValue[] {
  const isInEmail = createOverlaps(findEmails(text))
  return [...text.matchAll(URL)].flatMap((match) => {
    const value = match[0].replace(URL_TAIL, '')
    const span = { start: match.index, end: match.index + value.length }
    if (!SITE.test(value) || isInEmail(span)) return []
    return [{ value, ...span }]
  })
}

/**
 * The telephone numbers of a text: `+` where the country stands, then digits alone. The country is never guessed, a zero
 * in brackets behind it (`+49 (0)30`) is not dialled. Rows of digits that are introduced as something else are none.
 */
export function findPhones(text: string): FoundValue[] {
  return [...text.matchAll(PHONE)].flatMap((match) => {
    // "Bob Farrow (07700 900 455)": the bracket is around the number, not of it.
    const lead = match[0].startsWith('(') && !match[0].includes(')') ? 1 : 0
    const raw = match[0].slice(lead)
    const start = match.index + lead
    const before = text.slice(Math.max(0, start - 40), start)
    if (!PHONE_WORD.test(before) && (OTHER_NUMBER.test(before) || !looksDialled(raw))) return []
    const isInternational = /^\(?(?:\+|00)/.test(raw)
    const digits = (isInternational ? raw.replace(/\(0\)/, '') : raw).replaceAll(/\D/g, '').replace(/^00/, '')
    if (digits.length < PHONE_DIGITS.min || digits.length > PHONE_DIGITS.max) return []
    const value = `${isInternational ? '+' : ''}${digits}`
    return [{ value, start, end: start + raw.length }]
  })
}

/** `2014 – 2018`, `01/2014 – 2018`, `0900-1700`; `03-1234-5678` is dialled. */
const YEARS_OR_HOURS = /(?:^\d{4}|(?:1[89]|2[01])\d{2})\s?[–-]\s?\d{4}$/

/** Without a word before it: begins as numbers that are dialled do, in groups, and is no date, pair of years, or row of citations. */
function looksDialled(raw: string): boolean {
  if (/^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/.test(raw) || YEARS_OR_HOURS.test(raw)) return false
  if (/^(?:\+|00|0\d)/.test(raw)) return /\d[\s()./-]+\d/.test(raw) && (raw.match(/\(/g) ?? []).length < 2
  return /^\(\d{2,5}\)\s?\d[\d\s.-]+$/.test(raw) || /^\d{3}[\s.-]\d{3}[\s.-]\d{4}$/.test(raw)
}
