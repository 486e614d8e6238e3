import type { Analyzer } from '../analysis/analyzer.ts'
import { readQuestionUnits } from '../answering/question-units.ts'
import type { Span } from '../chunking/split-text.ts'
import { readClaims } from './read-claims.ts'
import type { PlacedCitation } from './resolve-citations.ts'

/** How far an answer's words stand in what it cites. It is a measure of words, no proof of truth. */
export type Grounding = {
  /** 0 to 1: the mean over the sentences, by their number of words; 1 where no sentence says anything to look for. */
  score: number
  /** Sentences whose words mostly stand in no cited source, or whose numbers do not, as places in the answer. */
  unsupported: Span[]
}

/** An answer and what it was made from. */
export type GroundingInput = {
  answer: string
  citations: readonly PlacedCitation[]
  /** The texts of the sources; the first is number 1. */
  sources: readonly string[]
  languages: readonly string[]
}

/** Half of a sentence's words may be the answer's own: it is put in other words. */
const LEAST_SUPPORT = 0.5
/** A number that the sources do not have is worse than any word. */
const MISSING_NUMBER_FACTOR = 0.4
const NUMBER = /\p{Nd}/u

/**
 * Compares each sentence of an answer with the sources it cites, one that cites none with all that the answer cites,
 * and those with all sources where it cites nothing at all. Stop words and inflection do not count.
 */
export function measureGrounding(analyzer: Analyzer, input: GroundingInput): Grounding {
  const { answer, citations, sources, languages } = input
  const termsOf = createTermsOf(analyzer, sources, languages)
  const cited = [...new Set(citations.map(({ index }) => index))]
  const all = cited.length > 0 ? cited : sources.map((_, index) => index + 1)
  const unsupported: Span[] = []
  let words = 0
  let supported = 0
  for (const { start, end, text, sources: own } of readClaims(answer, citations)) {
    const units = readQuestionUnits(analyzer, text, languages).map(({ terms }) => terms)
    const against = (own.length > 0 ? own : all).map(termsOf)
    const missing = units.filter((terms) => !terms.some((term) => against.some((known) => known.has(term))))
    const lacksNumber = missing.some((terms) => terms.some((term) => NUMBER.test(term)))
    const share = (units.length - missing.length) / Math.max(1, units.length)
    const support = share * (lacksNumber ? MISSING_NUMBER_FACTOR : 1)
    words += units.length
    supported += support * units.length
    if (units.length > 0 && support < LEAST_SUPPORT) unsupported.push({ start, end })
  }
  return { score: words === 0 ? 1 : Math.round((100 * supported) / words) / 100, unsupported }
}

/** The terms of a source by its number; each is analysed when it is first asked for. */
function createTermsOf(analyzer: Analyzer, sources: readonly string[], languages: readonly string[]) {
  const known = new Map<number, ReadonlySet<string>>()
  return (index: number): ReadonlySet<string> => {
    const there = known.get(index)
    if (there !== undefined) return there
    const text = sources[index - 1] ?? ''
    const terms = new Set(languages.flatMap((language) => analyzer.terms(text, language)))
    known.set(index, terms)
    return terms
  }
}
