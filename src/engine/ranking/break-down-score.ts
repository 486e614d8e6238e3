import { NEIGHBOUR_WEIGHT } from './neighbours.ts'
import type { RankingAccount } from './rank-candidates.ts'
import type { Feature } from './read-features.ts'

/** A part of a score: `share` times `weight`, in points of the score that is shown. */
export type ScorePart = {
  name: 'words' | 'meaning' | Feature['name'] | 'neighbours' | 'alike'
  /** 0 to 1; what neighbours and those alike lend may be more, since they lend of their own totals. */
  share: number
  weight: number
  points: number
}

/**
 * What the score of a ranked candidate is made of, `index` being its place in the list that was ranked: parts whose points add up to the score. Parts that
 * give nothing are among them.
 */
export function breakDownScore(account: RankingAccount, index: number): ScorePart[] {
  const { semanticWeight, lexical, semantic, features, own, besideOthers, alike, totals, confidence } = account
  const best = Math.max(0, ...totals)
  // Of the best total, which is shown as the confidence.
  const scale = best > 0 ? confidence / best : 0
  const lexicalWeight = 1 - semanticWeight
  const lent = (besideOthers[index] ?? 0) - (own[index] ?? 0)
  const parts: Omit<ScorePart, 'points'>[] = [
    { name: 'words', share: lexical[index] ?? 0, weight: lexicalWeight },
    { name: 'meaning', share: semantic[index] ?? 0, weight: semanticWeight },
    ...features.map(({ name, weight, shares }) => ({
      name,
      share: shares[index] ?? 0,
      weight: lexicalWeight * weight,
    })),
    { name: 'neighbours', share: lent / NEIGHBOUR_WEIGHT, weight: NEIGHBOUR_WEIGHT },
    { name: 'alike', share: alike.shares[index] ?? 0, weight: alike.weight },
  ]
  return parts.map((part) => ({ ...part, points: part.share * part.weight * scale }))
}
