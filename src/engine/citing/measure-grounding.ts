import type { Analyzer } from '../analysis/analyzer.ts'
import type { Span } from '../chunking/split-text.ts'
import { readClaims } from './read-claims.ts'
import type { PlacedCitation } from './resolve-citations.ts'
import { createSupportMeter, LEAST_SUPPORT } from './support-meter.ts'

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

/**
 * Compares each sentence of an answer with the sources it cites, one that cites none with all that the answer cites,
 * and those with all sources where it cites nothing at all. Stop words and inflection do not count.
 */
export function measureGrounding(analyzer: Analyzer, input: GroundingInput): Grounding {
  const { answer, citations, sources, languages } = input
  const measure = createSupportMeter(analyzer, { sources, languages })
  const cited = [...new Set(citations.map(({ index }) => index))]
  const all = cited.length > 0 ? cited : sources.map((_, index) => index + 1)
  const unsupported: Span[] = []
  let words = 0
  let supported = 0
  for (const { start, end, text, sources: own } of readClaims(answer, citations)) {
    const support = measure(text, own.length > 0 ? own : all)
    words += support.words
    supported += support.share * support.words
    if (support.words > 0 && support.share < LEAST_SUPPORT) unsupported.push({ start, end })
  }
  return { score: words === 0 ? 1 : Math.round((100 * supported) / words) / 100, unsupported }
}
