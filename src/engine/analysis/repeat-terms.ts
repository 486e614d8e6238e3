/** Where a sentence of a query ends; what goes on in small letters behind a point is an abbreviation. */
const ENDS = /[。！？]|[.!?;:]\s+(?![\s\p{Ll}])|\n/gu
/** With nine no more was gained, and a page that says one word in every sentence would ask for nothing else. */
const MOST_TIMES = 4

/**
 * The terms that stand in more than one sentence of a query, once for each further sentence, up to three times: what a long question comes back to is what
 * it is about. A word that stands twice in one sentence counts once: it is twice a part of a name, mostly.
 */
export function repeatTerms(query: string, tokens: readonly { term: string; start: number }[]): string[] {
  const ends = [...query.matchAll(ENDS)].map(({ index }) => index)
  let sentence = 0
  const sentenceAt = (place: number) => {
    while ((ends[sentence] ?? query.length) < place) sentence += 1
    return sentence
  }
  const inOrder = tokens.toSorted((a, b) => a.start - b.start)
  const places = new Map<string, Set<number>>()
  for (const { term, start } of inOrder) places.set(term, (places.get(term) ?? new Set()).add(sentenceAt(start)))
  return [...places].flatMap(([term, { size }]) => Array<string>(Math.min(size, MOST_TIMES) - 1).fill(term))
}
