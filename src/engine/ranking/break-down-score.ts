import { NEIGHBOUR_WEIGHT } from './neighbours.ts'
import type { Confidence, RankingAccount } from './rank-candidates.ts'
import type { Feature } from './read-features.ts'
import type { Scale } from './scores.ts'

/** A part of a score: `share` times `weight`, in points of the score that is shown. */
export type ScorePart = {
  name: 'words' | 'meaning' | Feature['name'] | 'neighbours' | 'alike'
  /**
   * What the share is of; `null` where the candidate has none of it, or the share is all there is.
   */
  raw: number | null
  /** On it `raw` is the share; `null` where there is none. */
  scale: Scale | null
  /**
   * 0 to 1; what neighbours and those alike lend may be more, since they lend of their own totals.
   */
  share: number
  weight: number
  points: number
}

/**
 * What the scores of one ranking begin with: the best candidate has `score`, which is what a total
 * of `total` is shown as, and all others their share of it.
 */
export type TopScore = Confidence & { total: number }

/**
 * What the score of a ranked candidate is made of, `index` being its place in the list that was
 * ranked: parts whose points add up to the score. Parts that give nothing are among them.
 */
export function breakDownScore(account: RankingAccount, index: number): ScorePart[] {
  const { semanticWeight, lexical, semantic, raws, scales, features, own, besideOthers, alike } = account
  const { score, total } = readTopScore(account)
  const factor = total > 0 ? score / total : 0
  const lexicalWeight = 1 - semanticWeight
  const lent = ((besideOthers[index] ?? 0) - (own[index] ?? 0)) / NEIGHBOUR_WEIGHT
  const likeness = alike.shares[index] ?? 0
  const parts: Omit<ScorePart, 'points'>[] = [
    {
      name: 'words',
      raw: raws.lexical[index] ?? null,
      scale: scales.lexical,
      share: lexical[index] ?? 0,
      weight: lexicalWeight,
    },
    {
      name: 'meaning',
      raw: raws.semantic[index] ?? null,
      scale: scales.semantic,
      share: semantic[index] ?? 0,
      weight: semanticWeight,
    },
    ...features.map((feature) => ({ ...readShare(feature, index), weight: lexicalWeight * feature.weight })),
    { name: 'neighbours', raw: lent, scale: LENT, share: lent, weight: NEIGHBOUR_WEIGHT },
    { name: 'alike', raw: likeness, scale: LENT, share: likeness, weight: alike.weight },
  ]
  return parts.map((part) => ({ ...part, points: part.share * part.weight * factor }))
}

/** The score of the best candidate, and what it is the score of. */
export function readTopScore({ totals, confidence }: RankingAccount): TopScore {
  return { ...confidence, total: Math.max(0, ...totals) }
}

/** Of totals, which have no other unit. */
const LENT: Scale = { zero: 0, one: 1 }

function readShare(
  { name, shares, measured }: Feature,
  index: number,
): Pick<ScorePart, 'name' | 'raw' | 'scale' | 'share'> {
  const share = shares[index] ?? 0
  if (measured === undefined) return { name, raw: null, scale: null, share }
  return { name, raw: measured.raws[index] ?? 0, scale: { zero: 0, one: measured.one }, share }
}
