import type { Analyzer } from '../analysis/analyzer.ts'
import { readQuestionUnits } from '../answering/question-units.ts'
import type { Span } from '../chunking/split-text.ts'
import { readClaims } from './read-claims.ts'
import type { PlacedCitation } from './resolve-citations.ts'

/**
 * How far an answer's words stand in what it cites. It is a measure of words, no proof of truth.
 */
export type Grounding = {
  /**
   * 0 to 1: the mean over the sentences, by their number of words; 1 where no sentence says
   * anything to look for.
   */
  score: number
  /**
   * Sentences whose words mostly stand in no cited source, or whose numbers do not, as places in
   * the answer.
   */
  unsupported: Span[]
}

/** An answer and what it was made from. */
type GroundingInput = {
  answer: string
  citations: readonly PlacedCitation[]
  /** The texts of the sources; the first is number 1. */
  sources: readonly string[]
  languages: readonly string[]
}

/**
 * Compares each sentence of an answer with the sources it cites, one that cites none with all that
 * the answer cites, and those with all sources where it cites nothing at all. Stop words and
 * inflection do not count.
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

/** How far the words of a claim stand in sources. */
type Support = {
  /** Words that say something; of a claim without any there is nothing to look for. */
  words: number
  /**
   * 0 to 1: the share of these words that stand in one of the sources, much less where a number is
   * missing.
   */
  share: number
}

/** Measures claims against sources, which are named by their number, from 1. */
type SupportMeter = (claim: string, sources: readonly number[]) => Support

/** Half of a sentence's words may be the answer's own: it is put in other words. */
const LEAST_SUPPORT = 0.5
/** A number that the sources do not have is worse than any word. */
const MISSING_NUMBER_FACTOR = 0.4
const NUMBER = /\p{Nd}/u

/**
 * Makes the meter for these sources. Stop words and inflection do not count; each source is
 * analysed when it is first asked for.
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
 * Cites for an answer that cites nothing: each sentence whose words stand in a source gets the
 * number of the one that has most of them, the first of equals. The citations are in order; none
 * where no source has the words of any sentence.
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
    if (words === 0 || share < LEAST_SUPPORT || share <= most) continue
    best = index
    most = share
  }
  return best
}
