import { estimateTokens } from '../../models/models/estimate-tokens.ts'
import { renderSource } from './answer-prompt.ts'
import type { Source } from './answer-writer.ts'

/** Sources that fit, and the order in which they are read. */
export type PackedSources = {
  /** The best ones, best first, the very first of them cut where it alone is too long. */
  sources: Source[]
  /** Their numbers: corrections, then document by document, the best one first, each in its own order. */
  order: number[]
}

/** Takes as many sources as fit into so many tokens, the best first. */
export function packSources(
  given: readonly Source[],
  { maxTokens, fence }: { maxTokens: number; fence: string },
): PackedSources {
  const sources: Source[] = []
  let left = maxTokens
  for (const [index, source] of given.entries()) {
    const tokens = estimateTokens(renderSource(index + 1, source, fence))
    if (tokens > left && index > 0) break
    sources.push(tokens > left ? cutToFit(source, left / tokens) : source)
    left -= tokens
  }
  return { sources, order: listInReadingOrder(sources) }
}

/** Ends before half a character. */
function cutToFit(source: Source, share: number): Source {
  const text = source.text.slice(0, Math.max(1, Math.floor(source.text.length * share)))
  return { ...source, text: text.isWellFormed() ? text : text.slice(0, -1) }
}

function listInReadingOrder(sources: readonly Source[]): number[] {
  const ranks = new Map<string, number>()
  for (const [rank, { document }] of sources.entries()) if (!ranks.has(document)) ranks.set(document, rank)
  const placed = sources.map(({ kind, document, startOffset }, index) => {
    const rank = kind === 'correction' ? index - sources.length : (ranks.get(document) ?? index)
    return { number: index + 1, rank, startOffset }
  })
  return placed.sort((a, b) => a.rank - b.rank || a.startOffset - b.startOffset).map(({ number }) => number)
}
