import type { Analyzer } from '../analysis/analyzer.ts'
import type { Token } from '../analysis/split-words.ts'
import { splitSentences } from '../answering/split-sentences.ts'
import type { Span } from '../chunking/split-text.ts'
import { contentTerms, isNegated } from './compare-polarity.ts'
import { type Claim, readClaims } from './read-claims.ts'
import type { PlacedCitation } from './resolve-citations.ts'

/** A citation with the supporting part of its source. */
type SupportedCitation = PlacedCitation & Span

/** An answer with citations and their texts; the first is number 1. */
type CitedAnswer = {
  answer: string
  citations: readonly PlacedCitation[]
  sources: readonly string[]
  languages: readonly string[]
}

/** Finds the supporting part of the source for each citation; see {@link findSupport}. */
export function supportCitations(analyzer: Analyzer, cited: CitedAnswer): SupportedCitation[] {
  const claims = readClaims(cited.answer, cited.citations)
  return cited.citations.map((citation) => support(analyzer, { claims, citation, cited }))
}

/**
 * Same for an answer that is still being generated: skips the first `known` citations, and those
 * whose sentence is incomplete.
 */
export function supportSettledCitations(analyzer: Analyzer, cited: CitedAnswer, known: number): SupportedCitation[] {
  const claims = readClaims(cited.answer, cited.citations)
  const open = claims.at(-1)
  return cited.citations
    .slice(known)
    .filter((citation) => (findClaim(claims, citation) ?? open) !== open)
    .map((citation) => support(analyzer, { claims, citation, cited }))
}

function support(
  analyzer: Analyzer,
  { claims, citation, cited }: { claims: readonly Claim[]; citation: PlacedCitation; cited: CitedAnswer },
): SupportedCitation {
  const text = cited.sources[citation.index - 1] ?? ''
  const claim = findClaim(claims, citation)?.text ?? ''
  return { ...citation, ...findSupport(analyzer, { claim, text, languages: cited.languages }) }
}

/**
 * A mark after a full stop belongs to that sentence, so that the last sentence with the source
 * wins.
 */
function findClaim(claims: readonly Claim[], { index, answerStart }: PlacedCitation): Claim | undefined {
  return claims.findLast(({ start, sources }) => start <= answerStart && sources.includes(index))
}

/** Maximum number of sentences in a supporting passage. */
const MAX_SENTENCES = 3
/** Minimum gain of a further sentence, as a share of the claim's terms. */
const MIN_GAIN = 0.15

/** A sentence with a third of the claim's terms and its negation wins over some more terms. */
const SAME_NEGATION = 0.4
const MIN_NEGATED_SHARE = 1 / 3

/**
 * Finds the part of a source that supports a claim: the run of one to three sentences with most
 * terms of the claim. A negated claim prefers negated sentences. Shorter and earlier runs win ties.
 * Returns the whole trimmed text if no term matches.
 */
export function findSupport(
  analyzer: Analyzer,
  { claim, text, languages }: { claim: string; text: string; languages: readonly string[] },
): Span {
  const terms = contentTerms(analyzer, claim, languages)
  const language = languages[0] ?? null
  const claimIsNegated = isNegated(claim, language)
  const matches = analyzer.findTerms(text, terms, languages)
  const sentences = splitSentences(text)
  const termsOf = sentences.map((sentence) => termsWithin(matches, sentence))
  const negates = sentences.map(
    ({ start, end }, place) =>
      claimIsNegated &&
      (termsOf[place]?.size ?? 0) >= MIN_NEGATED_SHARE * terms.length &&
      isNegated(text.slice(start, end), language),
  )
  let best = whole(text)
  let most = 0
  for (let first = 0; first < sentences.length; first++) {
    const held = new Set<string>()
    for (let last = first; last < Math.min(sentences.length, first + MAX_SENTENCES); last++) {
      for (const term of termsOf[last] ?? []) held.add(term)
      const bonus = negates.slice(first, last + 1).every(Boolean) ? SAME_NEGATION : 0
      const worth = held.size / Math.max(1, terms.length) + bonus - (last - first) * MIN_GAIN
      if (held.size === 0 || worth <= most) continue
      most = worth
      best = { start: sentences[first]?.start ?? 0, end: sentences[last]?.end ?? text.length }
    }
  }
  return best
}

function termsWithin(matches: readonly Token[], { start, end }: Span): Set<string> {
  let low = 0
  let high = matches.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((matches[middle]?.start ?? 0) < start) low = middle + 1
    else high = middle
  }
  const found = new Set<string>()
  for (let index = low; index < matches.length && (matches[index]?.start ?? 0) < end; index++) {
    found.add(matches[index]?.term ?? '')
  }
  return found
}

function whole(text: string): Span {
  const start = text.length - text.trimStart().length
  return { start, end: Math.max(start, text.trimEnd().length) }
}
