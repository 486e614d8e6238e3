/** The places of two words among those of a query. */
export type Pair = readonly [first: number, second: number]

/** Counts pairs in one text. */
export type PairCount = {
  /** How often the second word of each pair stood close behind the first. */
  counts: Uint32Array
  /** Takes the heads of words in the order of the text, each with the number of its word. */
  meet(head: number, word: number): void
}

/** The next word but one: farther apart, what was gained on abstracts and papers was less (docs/relevance.md). */
const CLOSE_WORDS = 2

/**
 * Counts pairs of words in texts by how the words begin, so that `boundary layers` is `boundary layer`: the head of a word is the run of its first four
 * characters, one of which is the space behind a word of three. Of a word of two it has both spaces; a single character has none. `words` are the places
 * of each word's runs, as `FourGrams` has them.
 */
export function createClosePairs(
  words: readonly (readonly number[])[],
  pairs: readonly Pair[],
): { begin(): PairCount } {
  const firsts = new Map<number, { first: number; pair: number }[]>()
  pairs.forEach(([one, other], pair) => {
    const [first, second] = [headOf(words[one]), headOf(words[other])]
    if (first === undefined || second === undefined || first === second) return
    firsts.set(second, [...(firsts.get(second) ?? []), { first, pair }])
  })

  return {
    begin() {
      const counts = new Uint32Array(pairs.length)
      const met = new Map<number, number>()
      const meet = (head: number, word: number): void => {
        for (const { first, pair } of firsts.get(head) ?? []) {
          const before = met.get(first)
          if (before !== undefined && word - before <= CLOSE_WORDS) counts[pair] = (counts[pair] ?? 0) + 1
        }
        met.set(head, word)
      }
      return { counts, meet }
    },
  }
}

/** The runs of a word begin with its space: the second has its first four characters. */
function headOf(runs: readonly number[] = []): number | undefined {
  return runs[1] ?? runs[0]
}
