import type { Finding, Passage } from './field.ts'
import { findQuote } from './find-quote.ts'
import { findBareMoney } from './values/find-money.ts'
import { findValues } from './values/find-values.ts'
import { readConventions } from './values/read-conventions.ts'
import { type Conventions, type FoundValue, readValueType, type Value, type ValueType } from './values/value.ts'

/** What someone else read: the words of a passage, and what they are said to mean. */
export type Quotation = { quote: string; value: string }

/** A value that the words themselves give, one that was only said of them, and one that the words contradict. */
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
  const words = text.slice(place.start, place.end)
  const read = findValues(words, type, conventions)
  const found = read.length === 0 && type === 'currency' ? findBareMoney(words, conventions) : read
  const chosen = choose(found, readSaid(value, type, conventions), type)
  if (chosen === null) return null
  const start = place.start + (chosen.start ?? 0)
  const end = chosen.end === undefined ? place.end : place.start + chosen.end
  const rawValue = text.slice(start, end)
  return {
    value: chosen.value,
    rawValue,
    confidence: chosen.confidence,
    isContested: false,
    passage: index,
    start,
    end,
  }
}

type Chosen = { value: Value; start?: number; end?: number; confidence: number }

function choose(found: readonly FoundValue[], said: Value | null, type: ValueType): Chosen | null {
  const [first] = found
  if (first === undefined) return typeof said === 'boolean' ? { value: said, confidence: CONFIDENCE.said } : null
  const same = found.find(({ value }) => isSame(value, said))
  if (same !== undefined) return { ...same, confidence: CONFIDENCE.read }
  // A string is the words themselves, however it was shortened; a number said differently was worked out and not read.
  const isOpen = said === null || !EXACT.has(type)
  return { ...first, confidence: isOpen && found.length === 1 ? CONFIDENCE.read : CONFIDENCE.contradicted }
}

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
