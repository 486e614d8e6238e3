import { SYNONYMS } from '../../engine/meanings.ts'

/** What numbers in documents count that a label may ask for, by the meanings of the words for it. */
const UNITS: ReadonlySet<string> = new Set(['day_count', 'week', 'month', 'year', 'hour', 'minute'])
const NEXT_WORD = /^\)?[\s-]*(?:(?:working|business|calendar|full|volle|werk)[\s-]?)?(\p{L}+)/u
const IN_BRACKETS = /\s*(?:\(\s*(?:in\s+)?([^\s()]+)\s*\)|\bin\s+(\p{L}+))\s*$/u

/** The unit of time that the text behind a number begins with; `null` where it begins with something else. */
export function getUnit(behind: string): string | null {
  const word = NEXT_WORD.exec(behind)?.[1]?.toLowerCase() ?? ''
  const meaning = SYNONYMS.get(word) ?? ''
  return UNITS.has(meaning) ? meaning : null
}

/** Measures by their signs: of two of them one is no other, though it begins so (`m`, `mm`). */
const MEASURES: ReadonlySet<string> = new Set(
  'kg g mg t lb lbs oz km m cm mm ft l ml cl w kw kwh mw mwh kb mb gb tb'.split(' '),
)

/** True where the text behind a number begins with a unit, as {@link splitUnit} gives it. */
export function hasUnit(behind: string, unit: string): boolean {
  if (UNITS.has(unit)) return getUnit(behind) === unit
  const sign = signOf(behind)
  return MEASURES.has(sign) ? sign === unit : /^[\s)]*(\S+)/.exec(behind)?.[1]?.toLowerCase().startsWith(unit) === true
}

/** True where it begins with another one: a weight in grams is none in kilograms. */
export function hasOtherUnit(behind: string, unit: string): boolean {
  return !hasUnit(behind, unit) && (getUnit(behind) !== null || (MEASURES.has(unit) && MEASURES.has(signOf(behind))))
}

function signOf(behind: string): string {
  return /^[\s)]*(\p{L}+)/u.exec(behind)?.[1]?.toLowerCase() ?? ''
}

/**
 * The unit a label asks for in brackets or behind "in", and the label without it: `day_count` for `Notice period (days)`, `kg` for
 * `Weight (kg)`; no unit where nothing stands there.
 */
export function splitUnit(label: string): { label: string; unit: string | null } {
  const match = IN_BRACKETS.exec(label)
  const word = (match?.[1] ?? match?.[2] ?? '').toLowerCase()
  const meaning = SYNONYMS.get(word) ?? ''
  const isBracketed = match?.[1] !== undefined
  if (match === null || !(UNITS.has(meaning) || isBracketed)) return { label, unit: null }
  return { label: label.slice(0, match.index), unit: UNITS.has(meaning) ? meaning : word }
}
