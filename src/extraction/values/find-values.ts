import { findDates } from '../../engine/analysis/find-dates.ts'
import { ITEM_MARK } from '../../engine/markup.ts'
import { findMoney } from './find-money.ts'
import { findIntegers, findNumbers, findPercents, SPACED_LETTER, toHalfWidthDigits } from './find-numbers.ts'
import { type Conventions, createOverlapTest, type FoundValue, type ValueType } from './value.ts'

const EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])/gu
/** Any character allowed in a URL. */
const URL_CHARACTER = '[^\\s<>"\'|\\\\^`{}]'
const URL = new RegExp(
  String.raw`(?<![\p{L}\p{N}@._-])(?:https?:\/\/${URL_CHARACTER}{3,2000}|(?:www\.)?(?:[\p{L}\p{N}-]{1,63}\.){1,6}` +
    String.raw`\p{L}{2,24}(?![\p{L}\p{N}@])(?:[/?#]${URL_CHARACTER}{0,500})?)`,
  'giu',
)
/** Punctuation after a URL that belongs to the sentence. */
const URL_TAIL = /[.,;:!?)\]*_»”]+$/u
/** A bare host name counts as URL only with "www.", a path, or a known ending. */
// Endings that are words (`no`, `it`, `at`) are excluded: a missing space after a full stop is more
// frequent.
const URL_START = new RegExp(
  String.raw`^(?:https?:|www\.)|\.\p{L}{2,24}[/?#]|\.(?:com|org|net|example|edu|gov|info|dev|io|eu|de|ch|fr|uk|` +
    'nl|pl|dk|ie|au|ca)$',
  'iu',
)
const PHONE = new RegExp(
  String.raw`(?<![\p{N}.,/-]|${SPACED_LETTER})(?:\+|00)?\(?\d[\d\s()./\u2011–-]{5,24}\d` +
    String.raw`(?!\p{N}|${SPACED_LETTER}|[.,/-]\d)`,
  'gu',
)
/** ITU-T E.164 allows at most 15 digits. Fewer than 7 cannot be dialled from elsewhere. */
const PHONE_DIGITS = { min: 7, max: 15 } as const
/** Words that introduce other numbers: accounts, tax numbers, references. */
const OTHER_NUMBER =
  /(?:IBAN|SIRET|ABN|VAT|account|konto|sort code|no\.|nr\.?|number|nummer|ref\.?|fax|telefax)[^\p{L}]{0,14}$/iu
const PHONE_WORD = new RegExp(
  String.raw`(?:tel|тел|phone|fon|mobil|cell|call|handy|电话|電話|热线|手机)\p{L}*[^\p{L}]{0,6}` +
    String.raw`(?:n(?:o|r|umber|ummer)\.?[^\p{L}]{0,4})?$`,
  'iu',
)

/** The e-mail addresses of a text, in lower case. */
function findEmails(text: string): FoundValue[] {
  return [...text.matchAll(EMAIL)].map((match) => {
    const start = match.index
    return { value: match[0].toLowerCase(), start, end: start + match[0].length }
  })
}

/**
 * Finds URLs as written, including bare hosts such as `www.site.example`. E-mail addresses are
 * excluded.
 */
function findUrls(text: string): FoundValue[] {
  const isInEmail = createOverlapTest(findEmails(text))
  return [...text.matchAll(URL)].flatMap((match) => {
    const value = match[0].replace(URL_TAIL, '')
    const span = { start: match.index, end: match.index + value.length }
    if (!URL_START.test(value) || isInEmail(span)) return []
    return [{ value, ...span }]
  })
}

/**
 * Finds telephone numbers: `+` for a country code, then digits. The country is never guessed; the
 * zero in `+49 (0)30` is dropped. Numbers introduced as something else are skipped.
 */
function findPhones(text: string): FoundValue[] {
  return [...text.matchAll(PHONE)].flatMap((match) => {
    // In "Bob Farrow (07700 900 455)" the bracket is not part of the number.
    const lead = match[0].startsWith('(') && !match[0].includes(')') ? 1 : 0
    const raw = match[0].slice(lead)
    const start = match.index + lead
    const before = text.slice(Math.max(0, start - 40), start)
    if (!PHONE_WORD.test(before) && (OTHER_NUMBER.test(before) || !looksLikePhoneNumber(raw))) return []
    const isInternational = /^\(?(?:\+|00)/.test(raw)
    const digits = (isInternational ? raw.replace(/\(0\)/, '') : raw).replaceAll(/\D/g, '').replace(/^00/, '')
    if (digits.length < PHONE_DIGITS.min || digits.length > PHONE_DIGITS.max) return []
    const value = `${isInternational ? '+' : ''}${digits}`
    return [{ value, start, end: start + raw.length }]
  })
}

/** `2014 – 2018`, `01/2014 – 2018`, `0900-1700`; `03-1234-5678` is dialled. */
const YEARS_OR_HOURS = /(?:^\d{4}|(?:1[89]|2[01])\d{2})\s?[–-]\s?\d{4}$/

/**
 * Without a word before: accepts grouped numbers with a dialling prefix, but no dates, year ranges
 * or citations.
 */
function looksLikePhoneNumber(raw: string): boolean {
  if (/^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/.test(raw) || YEARS_OR_HOURS.test(raw)) return false
  if (/^(?:\+|00|0\d)/.test(raw)) return /\d[\s()./-]+\d/.test(raw) && (raw.match(/\(/g) ?? []).length < 2
  return /^\(\d{2,5}\)\s?\d[\d\s.-]+$/.test(raw) || /^\d{3}[\s.-]\d{3}[\s.-]\d{4}$/.test(raw)
}

/**
 * Finds the values of a type, in order and without overlap. Normalizes dates to ISO 8601 (`2026-03`
 * without a day), numbers to numbers, lists to items.
 *
 * For `string` and `list` the value is the whole text, if any. Pure; linear in the length of the
 * text.
 */
export function findValues(text: string, type: ValueType, conventions: Conventions): FoundValue[] {
  const narrow = toHalfWidthDigits(text)
  switch (type) {
    case 'date':
      return findDates(narrow, conventions)
    case 'currency':
      return findMoney(narrow, conventions)
    case 'number':
      return findNumbers(narrow, conventions)
    case 'integer':
      return findIntegers(narrow, conventions)
    case 'percent':
      return findPercents(narrow, conventions)
    case 'boolean':
      return findBooleans(text)
    case 'email':
      return findEmails(text)
    case 'phone':
      return findPhones(narrow)
    case 'url':
      return findUrls(text)
    case 'list':
      return splitList(text)
    case 'string':
      return wholeText(text)
  }
}

/**
 * Removes values that overlap a value of other types: the 800 of `0800 555 0133` is not a number.
 */
export function dropOverlapping(
  values: readonly FoundValue[],
  text: string,
  { of, conventions }: { of: readonly ValueType[]; conventions: Conventions },
): FoundValue[] {
  if (values.length === 0) return []
  const isPart = createOverlapTest(of.flatMap((type) => findValues(text, type, conventions)))
  return values.filter((value) => !isPart(value))
}

function wholeText(text: string): FoundValue[] {
  const trimmed = text.trim()
  const start = text.indexOf(trimmed)
  return trimmed === '' ? [] : [{ value: trimmed.replaceAll(/\s+/g, ' '), start, end: start + trimmed.length }]
}

const YES = 'yes|true|ja|oui|sí|si|sim|tak|да|y|x|是|有|はい|예'
const NO = 'no|false|nein|non|não|nie|нет|n|none|否|没有|沒有|いいえ|아니오'
const YES_NO_WORDS = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:(${YES})|(${NO}))(?![\p{L}\p{N}]|[-'’]\p{L})`, 'giu')
const TICKED = String.raw`\[[xX✓✔]\]|\([xX]\)|[☒☑✓✔✅🗹]`
const UNTICKED = String.raw`\[[ _]?\]|\(\s\)|[☐□◻✗✘❌]`
const BOX = new RegExp(`(${TICKED})|(${UNTICKED})`, 'gu')
const BOX_LABEL = new RegExp(String.raw`^\s*(?:(${YES})|(${NO}))(?![\p{L}\p{N}])`, 'iu')

/**
 * Finds yes and no, as words of several languages or as check boxes. Of labelled boxes the ticked
 * box counts (`[ ] yes [x] no`); an unlabelled box is the answer. Several ticks give no value.
 */
function findBooleans(text: string): FoundValue[] {
  const boxes = [...text.matchAll(BOX)].map((match) => ({
    isTicked: match[1] !== undefined,
    start: match.index,
    end: match.index + match[0].length,
    answer: BOX_LABEL.exec(text.slice(match.index + match[0].length)),
  }))
  if (boxes.length === 0) return findWords(text)
  const named = boxes.filter(({ answer }) => answer !== null)
  if (named.length === 0) return boxes.map(({ isTicked, start, end }) => ({ value: isTicked, start, end }))
  const ticked = named.filter(({ isTicked }) => isTicked)
  return ticked.length > 1
    ? []
    : ticked.map(({ answer, start, end }) => ({
        value: answer?.[1] !== undefined,
        start,
        end: end + (answer?.[0].length ?? 0),
      }))
}

function findWords(text: string): FoundValue[] {
  return [...text.matchAll(YES_NO_WORDS)].map((match) => ({
    value: match[1] !== undefined,
    start: match.index,
    end: match.index + match[0].length,
  }))
}

const BULLET = new RegExp(String.raw`^[ \t]*${ITEM_MARK}[ \t]+(\S.*)$`, 'u')
const LAST_ITEM_SEPARATOR = /,? (?:and|und|et|y|e|&) /iu
/** A line that starts with a year is an item: `2019 – 2022  Engineer, Acme`. */
const STARTS_WITH_YEAR = /^\s*(?:\p{L}{3,9}\.?\s)?(?:\d{1,2}[./])?(?:19|20)\d{2}(?!\d)/u
/** Longer items are prose with commas. */
const MAX_ITEM_CHARACTERS = 120
const MAX_ITEMS = 200

/**
 * Splits a text into list items, as a single value: bullets or numbers, a JSON array, semicolons,
 * commas with a final "and", or lines. Empty for no items and for prose.
 */
function splitList(text: string): FoundValue[] {
  const trimmed = text.trim()
  const start = text.indexOf(trimmed)
  const items = splitItems(trimmed)
    .map((item) =>
      item
        .replaceAll(/\s+/g, ' ')
        .trim()
        .replace(/[.,;]$/, ''),
    )
    .filter((item) => item !== '')
  if (items.length === 0 || items.some((item) => item.length > MAX_ITEM_CHARACTERS)) return []
  return [{ value: items.slice(0, MAX_ITEMS), start, end: start + trimmed.length }]
}

function splitItems(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const bulleted = lines.map((line) => BULLET.exec(line)?.[1])
  if (lines.length > 0 && bulleted.every((item) => item !== undefined)) return bulleted
  if (/^\[.*\]$/s.test(text))
    return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|([^\s,"[\]]+)/g)].map(([, a, b]) => a ?? b ?? '')
  if (lines.length > 1 && lines.every((line) => STARTS_WITH_YEAR.test(line))) return lines
  if (text.includes(';')) return text.split(';')
  if (lines.length > 1 && !text.includes(',')) return lines
  const parts = text.split(/,\s+|\n| [|/·•] /u)
  const last = parts.pop() ?? ''
  // White space is collapsed first: the pattern would take quadratic time on a long run.
  return [...parts, ...last.replaceAll(/\s+/g, ' ').split(LAST_ITEM_SEPARATOR)]
}
