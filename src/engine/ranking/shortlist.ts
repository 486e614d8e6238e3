import { scaleScores } from './scale-scores.ts'

/** What is known of a chunk that was found before its text is read. */
export type Match = {
  /** BM25 of the lexical leg; `null` when that leg did not find it. */
  lexical: number | null
  /** Cosine of the whole chunk; `null` when the semantic leg did not find it. */
  semantic: number | null
}

/** The places of the matches, those most worth reading first: by the scores of both legs, `semanticWeight` being that of the fusion, 0 to 1. */
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

/** The least cosine that the semantic leg found, which no chunk that it did not find exceeds; `null` where it found nothing. */
export function leastCosine(matches: readonly Match[]): number | null {
  const found = matches.map(({ semantic }) => semantic).filter((cosine) => cosine !== null)
  return found.length > 0 ? Math.min(...found) : null
}
