import { normalizeForMatch } from '../../engine/analysis/fold.ts'
import type { FieldSearch } from '../field.ts'
import type { LabelWord } from '../label-words.ts'
import { findCompoundNumbers } from '../values/number-words.ts'
import { readTimeUnit } from '../values/units.ts'
import type { FoundValue } from '../values/value.ts'

/** Years are no counts, unless the counted thing follows: `2000 guests`. */
const YEAR = /^(?:1[5-9]|20|21)\d{2}$/
/** Labels that ask for a year: `Year built`, `Baujahr`. */
const YEAR_LABEL = new RegExp(
  String.raw`(?<!(?<!\p{L})(?:per|a|pro|je|par|por|all|na|в|за)\s)(?:(?<!\p{L})(?:year|ann[ée]e|a[ñn]o|anno|rok|год|` +
    String.raw`jaartal)|jahr|jaar|(?<=bygg|tillverknings|modell)[åa]r)(?!\p{L})|年份|年度`,
  'iu',
)

/** True for a label that asks for a year. */
export function asksForYear({ name }: Pick<FieldSearch, 'name'>): boolean {
  return YEAR_LABEL.test(name.trim())
}

/** True for four digits that are most likely a year. */
export function looksLikeYear(raw: string): boolean {
  return YEAR.test(raw.trim())
}

/** Words of a label that say "how many" and name nothing. */
const COUNTING_KEYS = ['quantity', 'number', 'total', 'maximum', 'minimum']
const MIN_NOUN_WEIGHT = 0.5

/** Returns the words of a label that name what is counted: the bedrooms of `Number of bedrooms`. */
export function listCountedWords(asked: readonly LabelWord[]): LabelWord[] {
  return asked.filter(
    ({ keys, weight }) => weight >= MIN_NOUN_WEIGHT && !keys.some((key) => COUNTING_KEYS.includes(key)),
  )
}

/** True for a label such as `Number of rooms`. */
export function asksForCount(asked: readonly LabelWord[]): boolean {
  return asked.some(({ keys }) => keys.includes('quantity') || keys.includes('number'))
}

type Place = { start: number; end: number }
/** Words between a number and the counted thing, and between the thing and its number. */
const BETWEEN_AFTER = /^[\s-]*(?:[\p{Ll}'’-]+\s+){0,2}$/u
const BETWEEN_BEFORE = /^\s*(?:[:=–-]|\p{Ll}+(?:\s+\p{Ll}+){0,2})?\s*$/u
const MAX_BETWEEN_CHARACTERS = 40

/**
 * Creates a function that returns the side on which the counted thing is: `three large rooms` or
 * `the number of rooms is three`; `null` if it is elsewhere.
 */
export function createCountTest(text: string, nouns: readonly Place[]): (value: Place) => 'after' | 'before' | null {
  return (value) => {
    const isAfter = nouns.some(({ start }) => {
      const between = start >= value.end && start - value.end <= MAX_BETWEEN_CHARACTERS && text.slice(value.end, start)
      return between !== false && (between.length <= 1 || BETWEEN_AFTER.test(between))
    })
    if (isAfter) return 'after'
    const isBefore = nouns.some(({ end }) => {
      const between = end <= value.start && value.start - end <= MAX_BETWEEN_CHARACTERS && text.slice(end, value.start)
      return between !== false && BETWEEN_BEFORE.test(between)
    })
    return isBefore ? 'before' : null
  }
}

/** A number in a compound, and its noun as a word of the label. */
export type CompoundCount = { value: FoundValue; word: LabelWord }

/**
 * Finds the compounds whose noun is asked for: `three-bedroom` for the bedrooms,
 * `Dreizimmerwohnung` for the rooms, `zweimonatig` for a duration in months.
 */
export function findCompoundCounts(text: string, { name, unit, conventions, asked }: FieldSearch): CompoundCount[] {
  const words = listCountedWords(asked)
  const labels = name.split(/[^\p{L}]+/u).filter((word) => word.length >= MIN_NOUN_CHARACTERS)
  return findCompoundNumbers(text, conventions.languages).flatMap(({ noun, ...value }): CompoundCount[] => {
    const isAsked = unit === null ? labels.some((label) => isSameNoun(label, noun)) : readUnitOf(noun) === unit
    if (!isAsked) return []
    // The word starts one character further, as after a space.
    const place = { start: value.end + 1, end: value.end + 1 + noun.length }
    return [{ value, word: { keys: words.flatMap(({ keys }) => keys), ...place, weight: 1 } }]
  })
}

const MIN_NOUN_CHARACTERS = 3
const MAX_ENDING_CHARACTERS = 2

/** `bedroom` is `bedrooms`, `комнатная` is `комнат`, `zimmerwohnung` is `Zimmer`. */
function isSameNoun(label: string, noun: string): boolean {
  const own = normalizeForMatch(noun).trim()
  const stem = label.slice(0, Math.max(MIN_NOUN_CHARACTERS, label.length - MAX_ENDING_CHARACTERS))
  return own.startsWith(stem) || label.startsWith(own)
}

/** `monatig` is a month, with an ending. */
function readUnitOf(noun: string): string | null {
  for (let length = noun.length; length >= MIN_NOUN_CHARACTERS; length -= 1) {
    const unit = readTimeUnit(` ${noun.slice(0, length)}`)
    if (unit !== null) return unit
  }
  return null
}
