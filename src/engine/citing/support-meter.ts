import type { Analyzer } from '../analysis/analyzer.ts'
import { readQuestionUnits } from '../answering/question/question-units.ts'

/** How far the words of a claim stand in sources. */
export type Support = {
  /** Words that say something; of a claim without any there is nothing to look for. */
  words: number
  /** 0 to 1: the share of these words that stand in one of the sources, much less where a number is missing. */
  share: number
}

/** Measures claims against sources, which are named by their number, from 1. */
export type SupportMeter = (claim: string, sources: readonly number[]) => Support

/** Half of a sentence's words may be the answer's own: it is put in other words. */
export const LEAST_SUPPORT = 0.5
/** A number that the sources do not have is worse than any word. */
const MISSING_NUMBER_FACTOR = 0.4
const NUMBER = /\p{Nd}/u

/** Makes the meter for these sources. Stop words and inflection do not count; each source is analysed when it is first asked for. */
export function createSupportMeter(
  analyzer: Analyzer,
  { sources, languages }: { sources: readonly string[]; languages: readonly string[] },
): SupportMeter {
  const known = new Map<number, ReadonlySet<string>>()
  const termsOf = (index: number): ReadonlySet<string> => {
    const there = known.get(index)
    if (there !== undefined) return there
    const text = sources[index - 1] ?? ''
    const terms = new Set(languages.flatMap((language) => analyzer.terms(text, language)))
    known.set(index, terms)
    return terms
  }
  return (claim, against) => {
    const units = readQuestionUnits(analyzer, claim, languages).map(({ terms }) => terms)
    const sets = against.map(termsOf)
    const missing = units.filter((terms) => !terms.some((term) => sets.some((set) => set.has(term))))
    const lacksNumber = missing.some((terms) => terms.some((term) => NUMBER.test(term)))
    const share = (units.length - missing.length) / Math.max(1, units.length)
    return { words: units.length, share: share * (lacksNumber ? MISSING_NUMBER_FACTOR : 1) }
  }
}
