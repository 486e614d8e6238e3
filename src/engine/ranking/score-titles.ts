import { scoreBm25 } from './bm25.ts'

/** How much a match in a title weighs beside a lexical score of 0 to 1: +4 to +6 % nDCG@10 where documents have titles (docs/relevance.md). */
export const TITLE_WEIGHT = 0.4

/** BM25 of titles for the terms of a query, in their order; a term that every one of them has weighs next to nothing. */
export function scoreTitles(titles: readonly (readonly string[])[], terms: readonly string[]): number[] {
  const places = new Map(terms.map((term, place) => [term, place]))
  const counted = titles.map((title) => ({ counts: countTerms(title, places), length: title.length }))
  return [...scoreBm25(counted, terms.length)]
}

const NONE = new Uint32Array()

/** How often each of the terms, which have their places, stands in a title; nothing where none does, as in most. */
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
