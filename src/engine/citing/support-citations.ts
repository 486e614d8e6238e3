import type { Analyzer } from '../analysis/analyzer.ts'
import type { Span } from '../chunking/split-text.ts'
import { findSupport } from './find-support.ts'
import { type Claim, readClaims } from './read-claims.ts'
import type { PlacedCitation } from './resolve-citations.ts'

/** A citation and the part of its source that supports what it stands behind. */
export type SupportedCitation = PlacedCitation & Span

/** An answer with its citations, and the texts they lead to; the first is number 1. */
export type CitedAnswer = {
  answer: string
  citations: readonly PlacedCitation[]
  sources: readonly string[]
  languages: readonly string[]
}

/** Finds for each citation of an answer the part of its source that supports the sentence it belongs to; see {@link findSupport}. */
export function supportCitations(analyzer: Analyzer, cited: CitedAnswer): SupportedCitation[] {
  const claims = readClaims(cited.answer, cited.citations)
  return cited.citations.map((citation) => support(analyzer, claims, citation, cited))
}

/**
 * The same of an answer that is still being written, for those citations behind the first `known` whose sentence has ended: they
 * stay as they are.
 */
export function supportSettledCitations(analyzer: Analyzer, cited: CitedAnswer, known: number): SupportedCitation[] {
  const claims = readClaims(cited.answer, cited.citations)
  const open = claims.at(-1)
  return cited.citations
    .slice(known)
    .filter((citation) => (findClaim(claims, citation) ?? open) !== open)
    .map((citation) => support(analyzer, claims, citation, cited))
}

function support(
  analyzer: Analyzer,
  claims: readonly Claim[],
  citation: PlacedCitation,
  { sources, languages }: CitedAnswer,
): SupportedCitation {
  const text = sources[citation.index - 1] ?? ''
  const claim = findClaim(claims, citation)?.text ?? ''
  return { ...citation, ...findSupport(analyzer, { claim, text, languages }) }
}

/** A mark behind a sentence's stop belongs to that sentence, so the last one that names the source is meant. */
function findClaim(claims: readonly Claim[], { index, answerStart }: PlacedCitation): Claim | undefined {
  return claims.findLast(({ start, sources }) => start <= answerStart && sources.includes(index))
}
