import type { LabelWord } from './labels/label-words.ts'
import { isAskedCell, scoreLabel } from './labels/score-label.ts'
import type { Candidate, FieldSearch } from './reading/field-search.ts'
import type { ReadPassage } from './reading/read-passage.ts'
import { readValue } from './reading/read-value.ts'

/** A label word for word goes before one that means the same: `Amount due` before `Total`. More than what makes a rival, and than some places in the ranking. */
const NAMED_BONUS = 0.05

/** `Buffet, per person £18.90    £2,268.00`: what such a line says beside its label is its sum. */
const PRICED = /\d[.,]\d{2}(?!\d)/
const COUNTS = ['hour', 'quantity', 'day_count', 'percent']
/** Who asks for the guest is answered by `Guest name: Erik Lind` before `Guests: 2 adults`. */
const PLURAL_FACTOR = 0.85

/** The values of the entries whose label is, more or less, the one asked for. */
export function listEntryCandidates(passage: ReadPassage, search: FieldSearch): Candidate[] {
  const surroundings = new Set([...search.surroundings, ...passage.surroundings])
  const rows = new Map<readonly LabelWord[], boolean>()
  const isAskedRow = (words: readonly LabelWord[]): boolean => {
    const isAsked = rows.get(words) ?? words.some(({ keys }) => keys.some((key) => search.keys.has(key)))
    rows.set(words, isAsked)
    return isAsked
  }
  return passage.entries.flatMap((entry): Candidate[] => {
    const isAsked = isAskedRow(entry.words)
    const besides = isAsked ? [...entry.besideWords, ...entry.perWords] : entry.besideWords
    const label = { words: entry.words, besides, surroundings }
    if (entry.isCell === true && !(isAsked && isAskedCell(search.asked, label))) return []
    if (search.type === 'currency' && (isOfCounts(entry.besideWords) || PRICED.test(entry.label))) return []
    const likeness = scoreLabel(search.asked, label)
    if (likeness === 0) return []
    const read = readValue(passage.text, entry, search)
    const named = entry.name === search.name ? NAMED_BONUS : 0
    const counted = search.type === 'string' && isPluralOf(entry.name, search.name) ? PLURAL_FACTOR : 1
    return read === null ? [] : [{ ...read, score: likeness * counted * entry.trust * read.fit + named }]
  })
}

/** No hours and no quantity are an amount of money. */
function isOfCounts(column: readonly LabelWord[]): boolean {
  return column.length > 0 && column.every(({ keys }) => keys.some((key) => COUNTS.includes(key)))
}

function isPluralOf(name: string, other: string): boolean {
  return name.trim() === `${other.trim()}s`
}
