import { splitSentences } from '../answering/split-sentences.ts'
import type { Span } from '../chunking/split-text.ts'
import type { PlacedCitation } from './resolve-citations.ts'

/** A sentence of an answer with its citations. */
export type Claim = Span & {
  /** Text without citation marks and list markers. */
  text: string
  /** Distinct source numbers, in order; empty without citations. */
  sources: number[]
}

const ITEM_SIGN = /^\s*(?:[-*•+]|\d{1,3}[.)])\s+/u

/**
 * Splits an answer into sentences with their citations. A mark after the full stop belongs to the
 * preceding sentence. Skips sentences of marks only.
 */
export function readClaims(answer: string, citations: readonly PlacedCitation[]): Claim[] {
  const claims: Claim[] = []
  let next = 0
  for (const span of splitSentences(answer)) {
    const own = { ...span, text: '', sources: [] as number[] }
    let position = span.start
    for (; (citations[next]?.answerStart ?? Number.POSITIVE_INFINITY) < span.end; next++) {
      const { index, answerStart, answerEnd } = citations[next] ?? { index: 0, answerStart: 0, answerEnd: 0 }
      own.text += answer.slice(position, Math.max(position, answerStart))
      position = Math.max(position, answerEnd)
      const previous = claims.at(-1)
      const isLate =
        own.text.trim() === '' && previous !== undefined && !answer.slice(previous.end, answerStart).includes('\n')
      if (isLate) addSource(previous, index)
      else addSource(own, index)
    }
    own.text = (own.text + answer.slice(position, span.end)).replace(ITEM_SIGN, '').trim()
    if (/[\p{L}\p{N}]/u.test(own.text)) claims.push(own)
  }
  return claims
}

function addSource(claim: Claim, index: number): void {
  if (!claim.sources.includes(index)) claim.sources.push(index)
}
