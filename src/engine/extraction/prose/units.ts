import { MEANINGS } from '../labels/synonyms.ts'

/** What numbers in documents count that a label may ask for, by the meanings of the words for it. */
const UNITS: ReadonlySet<string> = new Set(['day_count', 'week', 'month', 'year', 'hour', 'minute'])
const NEXT_WORD = /^\)?[\s-]*(?:(?:working|business|calendar|full|volle|werk)[\s-]?)?(\p{L}+)/u

/** The unit that the text behind a number begins with; `null` where it begins with something else. */
export function getUnit(behind: string): string | null {
  const word = NEXT_WORD.exec(behind)?.[1]?.toLowerCase() ?? ''
  const meaning = MEANINGS.get(word) ?? ''
  return UNITS.has(meaning) ? meaning : null
}

/** The unit a label asks for in brackets or behind "in": `Notice period (days)`; the label without it. */
export function splitUnit(label: string): { label: string; unit: string | null } {
  const match = /\s*(?:\(\s*(?:in\s+)?(\p{L}+)\s*\)|\bin\s+(\p{L}+))\s*$/u.exec(label)
  const meaning = MEANINGS.get((match?.[1] ?? match?.[2] ?? '').toLowerCase()) ?? ''
  if (match === null || !UNITS.has(meaning)) return { label, unit: null }
  return { label: label.slice(0, match.index), unit: meaning }
}
