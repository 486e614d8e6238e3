import { findQuote, type Place } from './find-quote.ts'
import type { Finding, Passage } from './reading/field.ts'
import { findBareMoney } from './values/find-money.ts'
import { findValues } from './values/find-values.ts'
import { readConventions } from './values/read-conventions.ts'
import { type Conventions, type FoundValue, readValueType, type Value, type ValueType } from './values/value.ts'

/** What someone else read: the words of a passage, and what they are said to mean. */
export type Quotation = { quote: string; value: string }

/** A value that the words themselves give, one that was only said of them, and one that the words contradict or have a part of. */
const CONFIDENCE = { read: 0.9, said: 0.5, contradicted: 0.4 } as const

/**
 * The finding that a quotation makes; `null` where the passage does not have its words, or they are no value of the type. What counts is
 * what the words say when they are read here: the value that came with them only serves where they cannot be, as in "pets are not
 * allowed" for no. `languages` are those of the memory (ISO 639-1).
 */
export function verifyQuote(
  passages: readonly Passage[],
  index: number,
  { quote, value }: Quotation,
  { dataType, languages }: { dataType: string | null; languages: readonly string[] },
): Finding | null {
  const text = passages[index]?.text ?? ''
  const place = findQuote(text, quote)
  if (place === null) return null
  const type = readValueType(dataType)
  const conventions = readConventions(passages.map((passage) => passage.text).join('\n'), languages[0] ?? null)
  const chosen = choose(readAt(text, place, type, conventions), readSaid(value, type, conventions), type)
  if (chosen === null) return null
  const { start, end } = { ...place, ...chosen }
  return { ...chosen, rawValue: text.slice(start, end), isContested: false, passage: index, start, end }
}

/** `isCut` where the quotation has a part of it only. */
type ReadWords = FoundValue & { isCut: boolean }

/** The values of the quoted words, whole: the quotation may have left out the day of a date, or the sign of a currency. */
function readAt(text: string, place: Place, type: ValueType, conventions: Conventions): ReadWords[] {
  const around = SHAPED.has(type) ? findValues(text, type, conventions) : []
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

type Chosen = { value: Value; start?: number; end?: number; confidence: number }

function choose(found: readonly ReadWords[], said: Value | null, type: ValueType): Chosen | null {
  const chosen = found.find(({ value }) => isSame(value, said)) ?? found[0]
  if (chosen === undefined) return typeof said === 'boolean' ? { value: said, confidence: CONFIDENCE.said } : null
  const { isCut, ...read } = chosen
  // A string is the words themselves, however it was shortened; a number said differently was worked out and not read.
  const isOpen = (said === null || !EXACT.has(type)) && found.length === 1 && !isCut
  return { ...read, confidence: isOpen || isSame(read.value, said) ? CONFIDENCE.read : CONFIDENCE.contradicted }
}

/** Types whose values are seen in a text, where they begin and where they end. */
const SHAPED: ReadonlySet<ValueType> = new Set([
  'date',
  'currency',
  'number',
  'integer',
  'percent',
  'email',
  'phone',
  'url',
])

/** Types whose values are equal or not, however they are written. */
const EXACT: ReadonlySet<ValueType> = new Set(['date', 'currency', 'number', 'integer', 'percent', 'boolean'])

/** Amounts are the same where their numbers are: a currency is often left out. */
function isSame(one: Value, other: Value | null): boolean {
  return JSON.stringify(amountOf(one)) === JSON.stringify(amountOf(other))
}

function amountOf(value: Value | null): unknown {
  return value !== null && typeof value === 'object' && 'amount' in value ? value.amount : value
}

function readSaid(value: string, type: ValueType, conventions: Conventions): Value | null {
  const local: Conventions = { ...conventions, decimalMark: '.' }
  const found = findValues(value, type, local)
  const [first] = found.length === 0 && type === 'currency' ? findBareMoney(value, local) : found
  if (type === 'percent' && first === undefined) return findValues(value, 'number', local)[0]?.value ?? null
  return first?.value ?? null
}
