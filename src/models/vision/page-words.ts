/** Words as two readers of the same page can be compared by: without case, marks and forms of letters. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

/** A multiset of words. */
export type WordCounts = Map<string, number>

/** How often each word stands there. */
export function countWords(words: readonly string[]): WordCounts {
  const counts: WordCounts = new Map()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** How many of the words are among `counts`, each of which serves once; takes what it finds out of `counts`. */
export function takeMatches(words: readonly string[], counts: WordCounts): number {
  let common = 0
  for (const word of words) {
    const left = counts.get(word) ?? 0
    if (left === 0) continue
    counts.set(word, left - 1)
    common += 1
  }
  return common
}
