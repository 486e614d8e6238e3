import { matchable } from '../../engine/analysis/fold.ts'
import type { Entry } from '../layout/entry.ts'
import { currencyOf } from '../values/currencies.ts'
import { findBareMoney } from '../values/find-money.ts'
import { findValues } from '../values/find-values.ts'
import { leaveOutParts } from '../values/leave-out-parts.ts'
import { hasOtherUnit } from '../values/units.ts'
import type { Conventions, FoundValue } from '../values/value.ts'
import type { FieldSearch, ReadValue } from './field-search.ts'
import { readString } from './read-string.ts'

/** Of a text that was meant to be the value most should be it. */
const STRAY_CHARACTERS = 40
/** Values that have words of other kinds around them in a form's cell are still the cell's value, only less surely. */
const FIT = { exact: 1, stray: 0.9, several: 0.93 } as const
/** Labels of shares and rates, whose bare numbers are percentages and no amounts. */
const RATE = /percent|prozent|rate\b|satz\b|share|taux|%/i

/** The value of an entry; `null` where its text holds none of the type. Offsets are those of the passage. */
export function readValue(text: string, entry: Entry, search: FieldSearch): ReadValue | null {
  const { type, unit, conventions } = search
  if (entry.items !== undefined) {
    const { items, start, end } = entry
    return type === 'list' ? { value: [...items], start, end, fit: FIT.exact } : null
  }
  if (type === 'string') return readString(text, entry, search)
  const region = text.slice(entry.start, type === 'list' ? entry.blockEnd : entry.end)
  const values = findInRegion(region, entry, search)
  const [first] = values
  if (first === undefined) return type === 'percent' ? percentOfLabel(text, entry, conventions) : null
  if (type === 'list' && matchable(entry.label) !== search.name && !isList(first, entry.label)) return null
  const behind = region.slice(first.end)
  if (unit !== null && hasOtherUnit(behind, unit)) return null
  const stray = region.trim().length - (first.end - first.start)
  const fit = values.length > 1 ? FIT.several : stray > STRAY_CHARACTERS ? FIT.stray : FIT.exact
  return { ...first, start: entry.start + first.start, end: entry.start + first.end, fit }
}

function findInRegion(region: string, { label, besides }: Entry, { type, conventions }: FieldSearch): FoundValue[] {
  const local = withNamedCurrency(`${label} ${besides}`, conventions)
  const all = findValues(region, type, local)
  const isNumber = type === 'number' || type === 'integer'
  const found = isNumber ? leaveOutParts(all, region, { of: ['date', 'email', 'phone', 'url'], conventions }) : all
  if (found.length > 0) return found
  const isRate = RATE.test(label)
  if (type === 'currency' && !isRate) return findBareMoney(region, local)
  return type === 'percent' && isRate && /^\s*[-−]?[\d.,]+\s*$/.test(region) ? findValues(region, 'number', local) : []
}

/** One item is a list only where it was clearly meant as one: below the plural of what it is, or the very label that is asked for. */
function isList({ value }: FoundValue, label: string): boolean {
  return Array.isArray(value) && (value.length > 1 || /s$/i.test(label.trim()))
}

/** `Cost (USD)`, `Total (AUD)`: a code in the label says what the symbol or the bare number means. */
function withNamedCurrency(label: string, conventions: Conventions): Conventions {
  const words = [...label.matchAll(/(?<![A-Z])[A-Z]{3}(?![A-Z])/g)]
  const named = words.map(([word]) => currencyOf(word, conventions)).find((code) => code !== null)
  return named === undefined ? conventions : { ...conventions, currency: named, dollar: named }
}

/** `VAT (20%)   £210.00`: a rate stands in the label of its amount, on the same line. */
function percentOfLabel(text: string, entry: Entry, conventions: Conventions): ReadValue | null {
  const line = text.lastIndexOf('\n', entry.start - 1) + 1
  const at = text.slice(line, entry.start).lastIndexOf(entry.label)
  const [percent] = findValues(entry.label, 'percent', conventions)
  if (at < 0 || percent === undefined) return null
  const start = line + at
  return { ...percent, start: start + percent.start, end: start + percent.end, fit: FIT.exact }
}
