import type { Analyzer } from '../analysis/analyzer.ts'
import { readQuestionUnits } from '../answering/question-units.ts'
import type { Span } from '../chunking/split-text.ts'
import { readClaims } from './read-claims.ts'
import type { PlacedCitation } from './resolve-citations.ts'

/** Share of an answer's words that its sources contain. A measure of words, no proof of truth. */
export type Grounding = {
  /**
   * 0 to 1: mean over sentences, weighted by their number of words; 1 if no sentence has words to
   * search for.
   */
  score: number
  /** Spans of sentences whose words or numbers the cited sources mostly lack. */
  unsupported: Span[]
}

/** An answer and its sources. */
type GroundingInput = {
  answer: string
  citations: readonly PlacedCitation[]
  /** Texts of the sources; the first is number 1. */
  sources: readonly string[]
  languages: readonly string[]
}

/**
 * Compares each sentence of an answer with its cited sources. A sentence without citations is
 * compared with all cited sources, and an answer without citations with all sources. Ignores stop
 * words and inflection.
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
    if (support.words > 0 && support.share < MIN_SUPPORT) unsupported.push({ start, end })
  }
  return { score: words === 0 ? 1 : Math.round((100 * supported) / words) / 100, unsupported }
}

/** Support of a claim by sources. */
type Support = {
  /** Number of meaningful words. */
  words: number
  /** 0 to 1: share of the words in one of the sources, much lower if a number is missing. */
  share: number
}

/** Measures a claim against sources by number, from 1. */
type SupportMeter = (claim: string, sources: readonly number[]) => Support

/** Half of the words may be the answer's own, because answers paraphrase. */
const MIN_SUPPORT = 0.5
/** A number that is missing in the sources weighs more than any word. */
const MISSING_NUMBER_FACTOR = 0.4
const NUMBER = /\p{Nd}/u

/**
 * Creates the meter for the sources. Ignores stop words and inflection; analyses each source on
 * first use.
 */
function createSupportMeter(
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

/**
 * Adds citations to an answer without any. Each sentence with support cites the source with most of
 * its words, the first of equals. Citations are in order; none if no source has the words of any
 * sentence.
 */
export function citeClaims(
  analyzer: Analyzer,
  { answer, sources, languages }: { answer: string; sources: readonly string[]; languages: readonly string[] },
): { answer: string; citations: PlacedCitation[] } {
  const measure = createSupportMeter(analyzer, { sources, languages })
  const citations: PlacedCitation[] = []
  let cited = ''
  let position = 0
  for (const { end, text } of readClaims(answer, [])) {
    const index = findBestSource(measure, text, sources.length)
    if (index === null) continue
    cited += `${answer.slice(position, end)} `
    position = end
    const answerStart = cited.length
    cited += `[${index}]`
    citations.push({ index, answerStart, answerEnd: cited.length })
  }
  return { answer: cited + answer.slice(position), citations }
}

function findBestSource(measure: SupportMeter, claim: string, sources: number): number | null {
  let best: number | null = null
  let most = 0
  for (let index = 1; index <= sources; index++) {
    const { words, share } = measure(claim, [index])
    if (words === 0 || share < MIN_SUPPORT || share <= most) continue
    best = index
    most = share
  }
  return best
}
