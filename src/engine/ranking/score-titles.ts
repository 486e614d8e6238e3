import { scoreBm25 } from './bm25.ts'

/**
 * How much a match in a title weighs beside a lexical score of 0 to 1: +4 to +6 % nDCG@10 where
 * documents have titles (docs/relevance.md).
 */
export const TITLE_WEIGHT = 0.4

/**
 * Titles that tell how rare a term is among titles: how many there are, their terms together, and
 * how many have each term.
 */
export type TitleStock = { titles: number; length: number; having: ReadonlyMap<string, number> }

/**
 * BM25 of titles for the terms of a query, in their order; a term that every one of them has weighs
 * next to nothing. Where they are but some of the titles that there are, `stock` tells of others.
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

/** Counts titles for {@link scoreTitles}. */
export function countTitles(titles: readonly (readonly string[])[]): TitleStock {
  const having = new Map<string, number>()
  for (const title of titles) for (const term of new Set(title)) having.set(term, (having.get(term) ?? 0) + 1)
  return { titles: titles.length, length: titles.reduce((sum, { length }) => sum + length, 0), having }
}

const NONE = new Uint32Array()

/**
 * How often each of the terms, which have their places, stands in a title; nothing where none does,
 * as in most.
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
