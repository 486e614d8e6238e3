import type { Counts } from './bm25.ts'

/** With fewer of its runs of four characters a text has another word: `parcetamol` has 6 of its 9 in `paracetamol`. */
const LEAST_SHARE = 0.5
/** With so many a text has the word itself, or one of its endings. */
const KNOWN_SHARE = 0.85
/** Words of fewer runs are like too many others. */
const LEAST_RUNS = 3

/**
 * How far each text has what is nearly a word of the query, 0 to 1, for those of the query's words that none of the texts has: mistakes,
 * beginnings, and forms that no stemmer brings together. All zeros where there is no such word. `words` are the places of each word's runs.
 */
export function scoreStrangeWords(texts: readonly Counts[], words: readonly (readonly number[])[]): number[] {
  const strange = words.filter(
    (runs) => runs.length >= LEAST_RUNS && !texts.some(({ counts }) => shareOf(runs, counts) >= KNOWN_SHARE),
  )
  return texts.map(({ counts }) => {
    const near = strange.map((runs) => shareOf(runs, counts)).filter((share) => share >= LEAST_SHARE)
    // Of all words: what is strange in a sentence of ten is mostly an inflection, and counted more it did harm (docs/relevance.md).
    return near.reduce((sum, share) => sum + share, 0) / Math.max(1, words.length)
  })
}

function shareOf(runs: readonly number[], counts: Uint32Array): number {
  let standing = 0
  for (const run of runs) if ((counts[run] ?? 0) > 0) standing += 1
  return standing / runs.length
}
