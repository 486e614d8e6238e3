/** The letters that the endings of a language are made of, and how many characters of a word stay in any case. */
export type Endings = { letters: string; least?: number }

/** Of alphabets; measured on German, Russian and Spanish, where four gave the same (docs/relevance.md). */
const LEAST = 3

/**
 * What makes one of the forms of a word where no stemmer is at hand: it takes letters of endings off the end, as many as stand there. On three languages
 * that have a stemmer this found as much as the stemmer did (docs/relevance.md). Takes folded words.
 */
export function createEndingStripper({ letters, least = LEAST }: Endings): (word: string) => string {
  const inEndings = new Set(letters)
  return (word) => {
    let end = word.length
    while (end > least && inEndings.has(word.charAt(end - 1))) end -= 1
    return word.slice(0, end)
  }
}
