/** The judged documents of a query with their gains; other documents have none. */
export type Gains = ReadonlyMap<string, number>

/** The quality of a ranking, each figure 0 to 1. */
export type Judgement = { ndcg: number; recall: number; reciprocalRank: number }

/** The cut-off rank of published figures. */
const DEPTH = 10

/**
 * Judges the first ten places of a ranking as trec_eval does: gains count linearly, discounted by
 * the binary logarithm of the place plus one. A document counts once. All zeros where nothing is
 * relevant.
 */
export function judgeRanking(ranking: readonly string[], gains: Gains): Judgement {
  const best = [...gains.values()].filter((gain) => gain > 0).sort((a, b) => b - a)
  const found = [...new Set(ranking)].slice(0, DEPTH).map((document) => Math.max(0, gains.get(document) ?? 0))
  const ideal = discounted(best.slice(0, DEPTH))
  const first = found.findIndex((gain) => gain > 0)
  return {
    ndcg: ideal > 0 ? discounted(found) / ideal : 0,
    recall: found.filter((gain) => gain > 0).length / Math.max(1, best.length),
    reciprocalRank: first < 0 ? 0 : 1 / (first + 1),
  }
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0)
}
