import type { Analyzer, Token } from '../analysis/analyzer.ts'
import { splitSentences } from '../answering/reading/split-sentences.ts'
import type { Span } from '../chunking/split-text.ts'

/** Sentences that a supporting passage is made of at most. */
const MOST_SENTENCES = 3
/** A further sentence has to bring so much of the claim that the others lack. */
const LEAST_GAIN = 0.15

/**
 * The part of a cited text that supports a claim: of all runs of one to three sentences the one with most of the
 * claim's words, the shorter and earlier of equals. The whole text, trimmed, where no word of the claim stands in it.
 */
export function findSupport(
  analyzer: Analyzer,
  { claim, text, languages }: { claim: string; text: string; languages: readonly string[] },
): Span {
  const { terms } = analyzer.queryTerms(claim, languages)
  const matches = analyzer.findTerms(text, terms, languages)
  const sentences = splitSentences(text)
  const termsOf = sentences.map((sentence) => termsWithin(matches, sentence))
  let best = whole(text)
  let most = 0
  for (let first = 0; first < sentences.length; first++) {
    const held = new Set<string>()
    for (let last = first; last < Math.min(sentences.length, first + MOST_SENTENCES); last++) {
      for (const term of termsOf[last] ?? []) held.add(term)
      const worth = held.size / Math.max(1, terms.length) - (last - first) * LEAST_GAIN
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
