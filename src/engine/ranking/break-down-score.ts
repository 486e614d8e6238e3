import { NEIGHBOUR_WEIGHT } from './neighbours.ts'
import type { Confidence, RankingAccount } from './rank-candidates.ts'
import type { Feature } from './read-features.ts'
import type { Scale } from './scores.ts'

/** A part of a score: `share` times `weight`, in points of the displayed score. */
export type ScorePart = {
  name: 'words' | 'meaning' | Feature['name'] | 'neighbours' | 'alike'
  /** Raw value of the share; `null` if the candidate has none, or if there is only the share. */
  raw: number | null
  /** Scale from `raw` to `share`; `null` if there is none. */
  scale: Scale | null
  /**
   * 0 to 1. Shares of neighbours and similar chunks may exceed 1, because they derive from totals.
   */
  share: number
  weight: number
  points: number
}

/**
 * Top of a ranking: the best candidate has `score`, which represents `total`. Other scores are
 * proportional.
 */
export type TopScore = Confidence & { total: number }

/**
 * Breaks the score of a ranked candidate into parts that add up to the score, including parts of
 * zero. `index` is the position in the ranked list.
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

/** Returns the score of the best candidate with its confidence. */
export function readTopScore({ totals, confidence }: RankingAccount): TopScore {
  return { ...confidence, total: Math.max(0, ...totals) }
}

/** Scale of totals, which have no other unit. */
const LENT: Scale = { zero: 0, one: 1 }

function readShare(
  { name, shares, measured }: Feature,
  index: number,
): Pick<ScorePart, 'name' | 'raw' | 'scale' | 'share'> {
  const share = shares[index] ?? 0
  if (measured === undefined) return { name, raw: null, scale: null, share }
  return { name, raw: measured.raws[index] ?? 0, scale: { zero: 0, one: measured.one }, share }
}
