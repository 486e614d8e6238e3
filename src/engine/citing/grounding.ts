import type { Analyzer } from '../analysis/analyzer.ts'
import { normalizeForMatch, normalizeWordForMatch } from '../analysis/fold.ts'
import { readQuestionUnits } from '../answering/question-units.ts'
import type { Span } from '../chunking/split-text.ts'
import { isContradicted, isNegationAdverb } from './compare-polarity.ts'
import { type Claim, readClaims } from './read-claims.ts'
import { type FactIndex, indexFacts, listFacts } from './read-facts.ts'
import type { PlacedCitation } from './resolve-citations.ts'

/** Share of an answer's words that its sources contain. A measure of words, no proof of truth. */
export type Grounding = {
  /**
   * 0 to 1: mean over sentences, weighted by their number of words; 1 if no sentence has words to
   * search for.
   */
  score: number
  /** Spans of sentences that the cited sources mostly lack, or whose opposite they contain. */
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

/** A sentence of an answer and its support. */
export type MeasuredClaim = Claim & Support & { isContradicted: boolean }

/**
 * Compares each sentence of an answer with its cited sources. A sentence without citations is
 * compared with all cited sources, and an answer without citations with all sources. Ignores stop
 * words and inflection.
 */
export function measureClaims(analyzer: Analyzer, input: GroundingInput): MeasuredClaim[] {
  const { answer, citations, sources, languages } = input
  const measure = createSupportMeter(analyzer, { sources, languages })
  const cited = [...new Set(citations.map(({ index }) => index))]
  const all = cited.length > 0 ? cited : sources.map((_, index) => index + 1)
  return readClaims(answer, citations).map((claim) => {
    const texts = claim.sources.map((index) => sources[index - 1] ?? '')
    const contradicted = isContradicted(analyzer, { claim: claim.text, texts, languages })
    const { words, share } = measure(claim.text, claim.sources.length > 0 ? claim.sources : all)
    return { ...claim, words, share: share * (contradicted ? CONTRADICTED_FACTOR : 1), isContradicted: contradicted }
  })
}

/** Summarizes the support of all sentences. */
export function summarizeGrounding(claims: readonly MeasuredClaim[]): Grounding {
  const unsupported = claims.filter(({ words, share }) => words > 0 && share < MIN_SUPPORT)
  return { score: meanSupport(claims), unsupported: unsupported.map(({ start, end }) => ({ start, end })) }
}

/** Mean support of sentences, 0 to 1, weighted by their words; 1 without words. */
export function meanSupport(claims: readonly MeasuredClaim[]): number {
  const words = claims.reduce((sum, claim) => sum + claim.words, 0)
  const supported = claims.reduce((sum, claim) => sum + claim.share * claim.words, 0)
  return words === 0 ? 1 : Math.round((100 * supported) / words) / 100
}

/** Support of a claim by sources. */
type Support = {
  /** Number of meaningful words, numbers and dates. */
  words: number
  /** 0 to 1: share of the words in one of the sources, much lower if a number is missing. */
  share: number
}

/** Measures a claim against sources by number, from 1. */
type SupportMeter = (claim: string, sources: readonly number[]) => Support

/** Half of the words may be the answer's own, because answers paraphrase. */
const MIN_SUPPORT = 0.5
/** A number or date that is missing in the sources weighs more than any word. */
const MISSING_FACT_FACTOR = 0.4
/** Words of a sentence whose opposite the source contains support nothing. */
const CONTRADICTED_FACTOR = 0.4
const LETTER = /\p{L}/u

/**
 * Creates the meter for the sources. Ignores stop words, inflection and adverbs of negation;
 * numbers and dates match in any form. Analyses each source on first use.
 */
function createSupportMeter(
  analyzer: Analyzer,
  { sources, languages }: { sources: readonly string[]; languages: readonly string[] },
): SupportMeter {
  const read = new Map<number, { terms: ReadonlySet<string>; facts: FactIndex }>()
  const sourceOf = (index: number) => {
    const text = sources[index - 1] ?? ''
    const source = read.get(index) ?? {
      terms: new Set(languages.flatMap((language) => analyzer.terms(text, language))),
      facts: indexFacts([text], languages),
    }
    read.set(index, source)
    return source
  }
  const known = normalizeForMatch(sources.join('\n'))
  return (claim, against) => {
    const own = against.map(sourceOf)
    const facts = listFacts(claim, { languages, known })
    const written = facts.map((fact) => ` ${normalizeForMatch(fact.written)} `).join('')
    const units = readQuestionUnits(analyzer, claim, languages).filter(
      ({ word }) =>
        LETTER.test(word) && !isNegationAdverb(word) && !written.includes(` ${normalizeWordForMatch(word)} `),
    )
    const missing = units.filter(({ terms }) => !terms.some((term) => own.some((source) => source.terms.has(term))))
    const unknown = facts.filter((fact) => !own.some((source) => source.facts.has(fact)))
    const words = units.length + facts.length
    const share = (words - missing.length - unknown.length) / Math.max(1, words)
    return { words, share: share * (unknown.length > 0 ? MISSING_FACT_FACTOR : 1) }
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
