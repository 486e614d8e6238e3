/**
 * A ranking whose first places are put in the order of a reranking model: `scores[i]` is what the model says of the i-th, higher is better. Places
 * the model did not read follow in their order. Scores stay within 0 and 1 and fall with rank: those of a model that gives other numbers
 * (logits) go through the logistic function.
 */
export function applyReranking<Place extends { score: number; scores: { rerank: number | null } }>(
  ranked: readonly Place[],
  scores: readonly number[],
): Place[] {
  const areShares = scores.every((score) => score >= 0 && score <= 1)
  const read = scores
    .flatMap((score, at) => {
      const place = ranked[at]
      return place === undefined ? [] : [{ place, at, score: areShares ? score : 1 / (1 + Math.exp(-score)) }]
    })
    .sort((a, b) => b.score - a.score || a.at - b.at)
  const least = read.at(-1)?.score ?? 1
  const rest = ranked.slice(read.length)
  const most = rest[0]?.score || 1
  return [
    ...read.map(({ place, score }) => ({ ...place, score, scores: { ...place.scores, rerank: score } })),
    ...rest.map((place) => ({
      ...place,
      score: least * (place.score / most),
      scores: { ...place.scores, rerank: null },
    })),
  ]
}
