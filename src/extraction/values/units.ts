import { SYNONYMS } from '../../engine/synonyms.ts'

/** Time units that a label may name, by meaning. */
const TIME_UNITS: ReadonlySet<string> = new Set(['day_count', 'week', 'month', 'year', 'hour', 'minute'])
const NEXT_WORD = /^\)?[\s-]*(?:(?:working|business|calendar|full|volle|werk)[\s-]?)?(\p{L}+)/u
const IN_BRACKETS = /\s*(?:\(\s*(?:in\s+)?([^\s()]+)\s*\)|\bin\s+(\p{L}+))\s*$/u

/** Returns the time unit at the start of the text after a number; `null` for none. */
export function readTimeUnit(behind: string): string | null {
  const word = NEXT_WORD.exec(behind)?.[1]?.toLowerCase() ?? ''
  const meaning = SYNONYMS.get(word) ?? ''
  return TIME_UNITS.has(meaning) ? meaning : null
}

/** Measures by symbol. Symbols are compared whole, as `m` is a prefix of `mm`. */
const MEASURES: ReadonlySet<string> = new Set(
  'kg g mg t lb lbs oz km m cm mm ft l ml cl w kw kwh mw mwh kb mb gb tb'.split(' '),
)

/** True if the text after a number starts with the unit, as given by {@link splitUnit}. */
export function hasUnit(behind: string, unit: string): boolean {
  if (TIME_UNITS.has(unit)) return readTimeUnit(behind) === unit
  const sign = readSymbol(behind)
  return MEASURES.has(sign) ? sign === unit : /^[\s)]*(\S+)/.exec(behind)?.[1]?.toLowerCase().startsWith(unit) === true
}

/** True if the text starts with a different unit: grams are not kilograms. */
export function hasOtherUnit(behind: string, unit: string): boolean {
  return (
    !hasUnit(behind, unit) &&
    (readTimeUnit(behind) !== null || (MEASURES.has(unit) && MEASURES.has(readSymbol(behind))))
  )
}

const PERIOD_WORD = /^[ \u00a0]*(?:\/[ ]?|\p{L}{1,4}[ ])?(\p{L}+)/u

/** True if an amount is for another period than asked for: "£900 a year" is no monthly rent. */
export function isForOtherPeriod(behind: string, keys: ReadonlySet<string>): boolean {
  if (![...keys].some((key) => TIME_UNITS.has(key))) return false
  const unit = readTimeUnit(PERIOD_WORD.exec(behind)?.[1] ?? '')
  return unit !== null && !keys.has(unit)
}

function readSymbol(behind: string): string {
  return /^[\s)]*(\p{L}+)/u.exec(behind)?.[1]?.toLowerCase() ?? ''
}

/**
 * Splits the unit from a label, in brackets or after "in": `day_count` for `Notice period (days)`,
 * `kg` for `Weight (kg)`.
 */
export function splitUnit(label: string): { label: string; unit: string | null } {
  const match = IN_BRACKETS.exec(label)
  const word = (match?.[1] ?? match?.[2] ?? '').toLowerCase()
  const meaning = SYNONYMS.get(word) ?? ''
  const isBracketed = match?.[1] !== undefined
  if (match === null || !(TIME_UNITS.has(meaning) || isBracketed)) return { label, unit: null }
  return { label: label.slice(0, match.index), unit: TIME_UNITS.has(meaning) ? meaning : word }
}
