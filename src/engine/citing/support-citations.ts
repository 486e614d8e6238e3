import type { Analyzer } from '../analysis/analyzer.ts'
import type { Span } from '../chunking/split-text.ts'
import { findSupport } from './find-support.ts'
import { type Claim, readClaims } from './read-claims.ts'
import type { PlacedCitation } from './resolve-citations.ts'

/** A citation and the part of its source that supports what it stands behind. */
export type SupportedCitation = PlacedCitation & Span

/** Finds for each citation of an answer the part of its source that supports the sentence it belongs to; see {@link findSupport}. */
export function supportCitations(
  analyzer: Analyzer,
  {
    answer,
    citations,
    sources,
    languages,
  }: {
    answer: string
    citations: readonly PlacedCitation[]
    sources: readonly string[]
    languages: readonly string[]
  },
): SupportedCitation[] {
  const claims = readClaims(answer, citations)
  return citations.map((citation) => {
    const text = sources[citation.index - 1] ?? ''
    const claim = findClaim(claims, citation)?.text ?? ''
    return { ...citation, ...findSupport(analyzer, { claim, text, languages }) }
  })
}

/** A mark behind a sentence's stop belongs to that sentence, so the last one that names the source is meant. */
function findClaim(claims: readonly Claim[], { index, answerStart }: PlacedCitation): Claim | undefined {
  return claims.findLast(({ start, sources }) => start <= answerStart && sources.includes(index))
}
