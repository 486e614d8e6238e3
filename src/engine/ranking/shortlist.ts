import { scaleScores, shareScores } from './scale-scores.ts'
import { TITLE_WEIGHT } from './score-titles.ts'

/** What is known of a chunk that was found before its text is read. */
export type Match = {
  /** BM25 of the lexical leg; `null` when that leg did not find it. */
  lexical: number | null
  /** Cosine of the whole chunk; `null` when the semantic leg did not find it. */
  semantic: number | null
  /** BM25 of the document's title among those of all that was found, see `scoreTitles`. */
  title: number
}

/** What the matches are judged by; `semanticWeight` is that of the fusion, 0 to 1. */
export type Judging = { semanticWeight: number; most: number }

/** The places of at most `most` matches that are worth reading: best by the scores of the legs and the titles, in the order they came. */
export function shortlist(matches: readonly Match[], { semanticWeight, most }: Judging): number[] {
  if (matches.length <= most) return matches.map((_, place) => place)
  const lexical = scaleScores(matches.map((match) => match.lexical))
  const semantic = matches.map((match) => match.semantic)
  // What the semantic leg did not find is at most as near as the last that it found.
  const found = semantic.filter((cosine) => cosine !== null)
  const floor = found.length > 0 ? Math.min(...found) : null
  const nearness = scaleScores(semantic.map((cosine) => cosine ?? floor))
  const titles = shareScores(matches.map(({ title }) => title))
  const promises = matches.map((_, place) => {
    const byWords = (lexical[place] ?? 0) + TITLE_WEIGHT * (titles[place] ?? 0)
    return (1 - semanticWeight) * byWords + semanticWeight * (nearness[place] ?? 0)
  })
  const places = [...promises.keys()].sort((a, b) => (promises[b] ?? 0) - (promises[a] ?? 0) || a - b)
  return places.slice(0, most).sort((a, b) => a - b)
}
