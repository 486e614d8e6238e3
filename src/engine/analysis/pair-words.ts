import { fold, plain } from './fold.ts'
import type { Word } from './split-words.ts'

/** Two words of a query, the first before the second, in the form in which words compare. */
export type WordPair = readonly [first: string, second: string]

/** Other words that may stand between: `flow over a wing`. Without them half of the gain was gone, and across sentences there was none (docs/relevance.md). */
const MOST_BETWEEN = 2

/** The pairs of neighbours among the words of a query that are kept, each once, in order. Words of scripts without spaces are in none. */
export function pairWords(words: readonly Word[], kept: readonly Word[]): WordPair[] {
  const places = new Map(words.map((word, place) => [word, place]))
  const spaced = kept.filter(({ kind }) => kind !== 'unspaced')
  const pairs = new Map<string, WordPair>()
  spaced.forEach((second, index) => {
    const first = spaced[index - 1]
    if (first === undefined) return
    const between = (places.get(second) ?? 0) - (places.get(first) ?? 0) - 1
    const pair = [fold(plain(first.text)), fold(plain(second.text))] as const
    if (between <= MOST_BETWEEN) pairs.set(pair.join(' '), pair)
  })
  return [...pairs.values()]
}
