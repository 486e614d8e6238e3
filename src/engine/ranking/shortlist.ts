import { scaleScores } from './scores.ts'

/** What is known of a chunk that was found before its text is read. */
export type Match = {
  /** BM25 of the lexical leg; `null` when that leg did not find it. */
  lexical: number | null
  /** Cosine of the whole chunk; `null` when the semantic leg did not find it. */
  semantic: number | null
}

/**
 * The places of the matches, those most worth reading first: by the scores of both legs,
 * `semanticWeight` being that of the fusion, 0 to 1.
 */
export function shortlist(matches: readonly Match[], semanticWeight: number): number[] {
  const lexical = scaleScores(matches.map((match) => match.lexical))
  const semantic = matches.map((match) => match.semantic)
  const floor = leastCosine(matches)
  const nearness = scaleScores(semantic.map((cosine) => cosine ?? floor))
  const promises = matches.map(
    (_, place) => (1 - semanticWeight) * (lexical[place] ?? 0) + semanticWeight * (nearness[place] ?? 0),
  )
  return [...promises.keys()].sort((a, b) => (promises[b] ?? 0) - (promises[a] ?? 0) || a - b)
}

/**
 * The least cosine that the semantic leg found, which no chunk that it did not find exceeds; `null`
 * where it found nothing.
 */
export function leastCosine(matches: readonly Match[]): number | null {
  const found = matches.map(({ semantic }) => semantic).filter((cosine) => cosine !== null)
  return found.length > 0 ? Math.min(...found) : null
}

/**
 * A ranking whose first places are put in the order of a reranking model: `scores[i]` is what the
 * model says of the i-th, higher is better. Places the model did not read follow in their order.
 * Scores stay within 0 and 1 and fall with rank: those of a model that gives other numbers (logits)
 * go through the logistic function.
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
