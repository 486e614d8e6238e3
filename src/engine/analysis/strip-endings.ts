/** What the endings of a language are made of. */
export type Endings = {
  letters: string
  /** Letters that belong to an ending only behind another letter of endings: else they are the word's own. */
  inside?: string
  /** How many characters of a word stay in any case. */
  least?: number
}

/** Of alphabets; measured on German, Russian and Spanish, where four gave the same (docs/relevance.md). */
const LEAST = 3
/** Inflections are no longer as a rule; without a bound Greek `συναίνεση` and `συνεννόηση` were one. */
const MOST_TAKEN = 4

/**
 * What makes one of the forms of a word where no stemmer is at hand: it takes letters of endings off the end, as many as stand there, four at most. On three languages
 * that have a stemmer this found as much as the stemmer did (docs/relevance.md). Takes folded words.
 */
export function createEndingStripper({ letters, inside = '', least = LEAST }: Endings): (word: string) => string {
  const inEndings = new Set(letters)
  const onlyInside = new Set(inside)

  function isOfEnding(word: string, place: number): boolean {
    const letter = word.charAt(place)
    return inEndings.has(letter) || (onlyInside.has(letter) && inEndings.has(word.charAt(place - 1)))
  }

  return (word) => {
    const stays = Math.max(least, word.length - MOST_TAKEN)
    let end = word.length
    while (end > stays && isOfEnding(word, end - 1)) end -= 1
    return word.slice(0, end)
  }
}
