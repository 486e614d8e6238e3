import { scoreBm25 } from './scores.ts'

/**
 * Weight of a title match relative to a lexical score of 0 to 1: +4 to +6 % nDCG@10 for documents
 * with titles (docs/relevance.md).
 */
export const TITLE_WEIGHT = 0.4

/** Title statistics: number of titles, number of terms, and document frequency of each term. */
export type TitleStock = { titles: number; length: number; having: ReadonlyMap<string, number> }

/**
 * Scores titles by BM25 over the query terms, in order. A term in all titles has almost no weight.
 * `stock` has statistics of further titles.
 */
export function scoreTitles(
  titles: readonly (readonly string[])[],
  terms: readonly string[],
  stock?: TitleStock,
): number[] {
  const places = new Map(terms.map((term, place) => [term, place]))
  const counted = titles.map((title) => ({ counts: countTerms(title, places), length: title.length }))
  const further = stock && {
    texts: stock.titles,
    length: stock.length,
    found: terms.map((term) => stock.having.get(term) ?? 0),
  }
  return [...scoreBm25(counted, terms.length, further)]
}

/** Computes title statistics for {@link scoreTitles}. */
export function countTitles(titles: readonly (readonly string[])[]): TitleStock {
  const having = new Map<string, number>()
  for (const title of titles) for (const term of new Set(title)) having.set(term, (having.get(term) ?? 0) + 1)
  return { titles: titles.length, length: titles.reduce((sum, { length }) => sum + length, 0), having }
}

const NONE = new Uint32Array()

/**
 * Returns term frequencies of a title by term index; nothing for most titles, which have no match.
 */
function countTerms(title: readonly string[], places: ReadonlyMap<string, number>): Uint32Array {
  let counts = NONE
  for (const term of title) {
    const place = places.get(term)
    if (place === undefined) continue
    if (counts === NONE) counts = new Uint32Array(places.size)
    counts[place] = (counts[place] ?? 0) + 1
  }
  return counts
}
