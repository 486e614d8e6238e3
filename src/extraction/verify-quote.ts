import type { Finding, Passage } from './field.ts'
import { findBareMoney } from './values/find-money.ts'
import { findValues } from './values/find-values.ts'
import { readConventions } from './values/read-conventions.ts'
import { type Conventions, type FoundValue, readValueType, type Value, type ValueType } from './values/value.ts'

/** A model's reading: the passage, the quoted words, and the claimed value. */
type Quotation = { index: number; quote: string; value: string }

/**
 * Confidence of a value read from the quote, of a claimed value, and of a quote that contradicts
 * the claim or is cut.
 */
const CONFIDENCE = { read: 0.9, said: 0.5, contradicted: 0.4 } as const

/**
 * Verifies a quote and returns its finding. Returns `null` if the passage lacks the words, or if
 * the words have no value of the type.
 *
 * The value is read from the quoted words. The claimed value counts only if nothing can be read,
 * such as "pets are not allowed" for no. `languages` are those of the memory (ISO 639-1).
 */
export function verifyQuote(
  passages: readonly Passage[],
  { index, quote, value }: Quotation,
  { dataType, languages }: { dataType: string | null; languages: readonly string[] },
): Finding | null {
  const text = passages[index]?.text ?? ''
  const place = findQuote(text, quote)
  if (place === null) return null
  const type = readValueType(dataType)
  const conventions = readConventions(passages.map((passage) => passage.text).join('\n'), languages[0] ?? null)
  const chosen = chooseValue(
    readQuotedValues(text, place, { type, conventions }),
    readClaimedValue(value, type, conventions),
    type,
  )
  if (chosen === null) return null
  const { start, end } = { ...place, ...chosen }
  return { ...chosen, rawValue: text.slice(start, end), isContested: false, passage: index, start, end }
}

/** `isCut`: the quote covers only part of the value. */
type ReadWords = FoundValue & { isCut: boolean }

/**
 * The values of the quoted words, whole: the quotation may have left out the day of a date, or the
 * sign of a currency.
 */
function readQuotedValues(
  text: string,
  place: Place,
  { type, conventions }: { type: ValueType; conventions: Conventions },
): ReadWords[] {
  const around = DELIMITED_TYPES.has(type) ? findValues(text, type, conventions) : []
  const whole = around.filter(({ start, end }) => start < place.end && place.start < end)
  if (whole.length > 0)
    return whole.map((found) => ({ ...found, isCut: found.start < place.start || found.end > place.end }))
  const words = text.slice(place.start, place.end)
  const read = findValues(words, type, conventions)
  const found = read.length === 0 && type === 'currency' ? findBareMoney(words, conventions) : read
  return found.map(({ value, start, end }) => {
    return { value, start: place.start + start, end: place.start + end, isCut: false }
  })
}

type ChosenValue = { value: Value; start?: number; end?: number; confidence: number }

function chooseValue(found: readonly ReadWords[], said: Value | null, type: ValueType): ChosenValue | null {
  const chosen = found.find(({ value }) => isSame(value, said)) ?? found[0]
  if (chosen === undefined) return typeof said === 'boolean' ? { value: said, confidence: CONFIDENCE.said } : null
  const { isCut, ...read } = chosen
  // A string equals the quoted words, even if the claim is shortened. A number that differs was
  // computed, not read.
  const isOpen = (said === null || !EXACT_TYPES.has(type)) && found.length === 1 && !isCut
  return { ...read, confidence: isOpen || isSame(read.value, said) ? CONFIDENCE.read : CONFIDENCE.contradicted }
}

/** Types whose values have a recognizable start and end. */
const DELIMITED_TYPES: ReadonlySet<ValueType> = new Set([
  'date',
  'currency',
  'number',
  'integer',
  'percent',
  'email',
  'phone',
  'url',
])

/** Types whose values compare exactly. */
const EXACT_TYPES: ReadonlySet<ValueType> = new Set(['date', 'currency', 'number', 'integer', 'percent', 'boolean'])

/** Amounts are equal if their numbers are: the currency is often missing. */
function isSame(one: Value, other: Value | null): boolean {
  return JSON.stringify(amountOf(one)) === JSON.stringify(amountOf(other))
}

function amountOf(value: Value | null): unknown {
  return value !== null && typeof value === 'object' && 'amount' in value ? value.amount : value
}

function readClaimedValue(value: string, type: ValueType, conventions: Conventions): Value | null {
  const local: Conventions = { ...conventions, decimalMark: '.' }
  const found = findValues(value, type, local)
  const [first] = found.length === 0 && type === 'currency' ? findBareMoney(value, local) : found
  if (type === 'percent' && first === undefined) return findValues(value, 'number', local)[0]?.value ?? null
  return first?.value ?? null
}

/** A place in a text, in UTF-16 code units. */
type Place = { start: number; end: number }

/** Typographic variants that copying may change. */
const TYPOGRAPHIC_VARIANTS: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '’': "'",
  '‘': "'",
  '–': '-',
  '—': '-',
  '‑': '-',
}
const SPACE = /\s/

/**
 * Finds the words of a quote: literally, else ignoring white space, case and variants of quotation
 * marks and dashes.
 *
 * Returns the first match that cuts no word or number, or `null`. A quote without letters or digits
 * never matches.
 */
export function findQuote(text: string, quote: string): Place | null {
  const trimmed = quote.trim()
  if (!/[\p{L}\p{N}]/u.test(trimmed)) return null
  const literal = findAllStarts(text, trimmed).map((start) => ({ start, end: start + trimmed.length }))
  return choosePlace(text, literal) ?? choosePlace(text, listVariantMatches(text, trimmed))
}

function findAllStarts(text: string, words: string): number[] {
  const starts: number[] = []
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) starts.push(at)
  return starts
}

function listVariantMatches(text: string, quote: string): Place[] {
  const { signs, places } = normalizeSigns(text)
  const wanted = normalizeSigns(quote).signs
  return findAllStarts(signs, wanted).flatMap((at) => {
    const start = places[at]
    const last = places[at + wanted.length - 1]
    return start === undefined || last === undefined ? [] : [{ start, end: last + 1 }]
  })
}

function choosePlace(text: string, places: readonly Place[]): Place | null {
  const isWhole = (at: number) => !cutsNumber(text, at) && !cutsWord(text, at)
  return places.find(({ start, end }) => isWhole(start) && (isWhole(end) || endsBeforeUnit(text, end))) ?? null
}

/** Characters needed to see if a number continues. */
const NEAR_CHARACTERS = 4

/** "4,500" equals "4,500.00". */
const ZERO_CENTS = /^[.,]00?(?!\d)/

/**
 * True between digits, or next to a separator inside a number. In "1.3.2026", "2026" is a separate
 * number.
 */
function cutsNumber(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - NEAR_CHARACTERS), at)
  const after = text.slice(at, at + NEAR_CHARACTERS)
  if (/\d$/.test(before)) return /^[.,]?\d/.test(after) && !ZERO_CENTS.test(after)
  return /\d[.,]$/.test(before) && /^\d{1,3}(?!\d)/.test(after)
}

/**
 * Scripts without spaces have no word borders, and some attach particles: any position is valid
 * there.
 */
const IN_WORD = '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{M}\\p{Nd}]'
const WORD_BEFORE = new RegExp(`${IN_WORD}$`, 'u')
const WORD_AFTER = new RegExp(`^${IN_WORD}`, 'u')

function cutsWord(text: string, at: number): boolean {
  return WORD_BEFORE.test(text.slice(Math.max(0, at - 2), at)) && WORD_AFTER.test(text.slice(at, at + 2))
}

/** The 10 of "10kg". */
function endsBeforeUnit(text: string, at: number): boolean {
  return /^\d\p{L}/u.test(text.slice(Math.max(0, at - 1), at + 2)) && !cutsNumber(text, at)
}

/** The significant characters of a text, each a single code unit, with their offsets. */
function normalizeSigns(text: string): { signs: string; places: number[] } {
  const places: number[] = []
  let signs = ''
  for (let index = 0; index < text.length; index += 1) {
    const sign = text.charAt(index)
    if (SPACE.test(sign)) continue
    const lower = sign.toLowerCase()
    signs += TYPOGRAPHIC_VARIANTS[sign] ?? (lower.length === 1 ? lower : sign)
    places.push(index)
  }
  return { signs, places }
}
