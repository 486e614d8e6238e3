/** How well the first places of a ranking answer one question; all but `rank` from 0 to 1. */
export type RankingFigures = {
  /** Place of the first relevant one, from 1; `null` where none is among the first places. */
  rank: number | null
  ndcg: number
  recall: number
  reciprocalRank: number
  precision: number
}

/**
 * Judges the first `depth` places of a ranking, in which each name stands once, by what is relevant: names with their gains, above 0.
 *
 * - nDCG: gains over log2(place + 1), as a share of the best order there could be. Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR
 *   techniques", ACM TOIS 20(4), 2002, with the discount of every place that Burges et al., "Learning to rank using gradient descent", ICML 2005, use.
 * - Recall and precision: of what is relevant the share that was found, and of the places the share that is relevant; Manning, Raghavan and
 *   Schütze, "Introduction to Information Retrieval", 2008, chapter 8. A place that stays empty counts as one that is not relevant.
 * - Reciprocal rank: 1 / `rank`, 0 without one. Voorhees, "The TREC-8 question answering track report", 1999.
 *
 * All are 0 where nothing is relevant.
 */
export function measureRanking(
  ranked: readonly string[],
  { gains, depth }: { gains: ReadonlyMap<string, number>; depth: number },
): RankingFigures {
  const found = ranked.slice(0, depth).map((name) => gains.get(name) ?? 0)
  const ideal = [...gains.values()].sort((a, b) => b - a).slice(0, depth)
  const first = found.findIndex((gain) => gain > 0)
  const relevant = found.filter((gain) => gain > 0).length
  return {
    rank: first < 0 ? null : first + 1,
    ndcg: ideal.length === 0 ? 0 : sumDiscounted(found) / sumDiscounted(ideal),
    recall: gains.size === 0 ? 0 : relevant / gains.size,
    reciprocalRank: first < 0 ? 0 : 1 / (first + 1),
    precision: relevant / depth,
  }
}

function sumDiscounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)
}
