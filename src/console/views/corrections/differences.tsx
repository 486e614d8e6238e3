/** Words in which two texts differ, such as a correction and the passage that it overrides. */

/** Piece of a text: a word, or what is between two words. */
type Piece = { text: string; differs: boolean }

/** Runs of letters, digits and what joins them, as in `21:00`, `1,250.00` or `don't`. */
const WORD = /[\p{L}\p{M}\p{N}]+(?:[.,:'’/-][\p{L}\p{M}\p{N}]+)*/gu

/** Minimum length of a word without digits that counts; shorter ones are mostly articles. */
const MIN_LETTERS = 4

/** The text, in which the words that `other` does not have are marked. */
export function Differences({ text, other, as: Mark }: { text: string; other: string; as: 'ins' | 'del' }) {
  return findDifferences(text, other).map((piece) => (piece.differs ? <Mark>{piece.text}</Mark> : piece.text))
}

function findDifferences(text: string, other: string): Piece[] {
  const known = wordsOf(other)
  const pieces: Piece[] = []
  let end = 0
  for (const match of text.matchAll(WORD)) {
    pieces.push({ text: text.slice(end, match.index), differs: false })
    const [word] = match
    pieces.push({ text: word, differs: counts(word) && !known.has(word.toLowerCase()) })
    end = match.index + word.length
  }
  return [...pieces, { text: text.slice(end), differs: false }]
}

/** Share of the words of a statement that a sentence needs to be compared with it. */
const MIN_SHARE = 0.5

/**
 * Splits a passage at the sentence that is nearest to a statement by its words. The sentence is
 * empty, and all text behind it, if none has half of the words.
 */
export function splitAtNearest(passage: string, statement: string): readonly [string, string, string] {
  const known = wordsOf(statement)
  const sentences = passage.split(/(?<=[.!?。]["')”]?\s|· )/u)
  const scores = sentences.map((sentence) => [...wordsOf(sentence)].filter((word) => known.has(word)).length)
  const best = Math.max(...scores)
  if (best < known.size * MIN_SHARE) return ['', '', passage]
  const nearest = scores.indexOf(best)
  return [sentences.slice(0, nearest).join(''), sentences[nearest] ?? '', sentences.slice(nearest + 1).join('')]
}

function wordsOf(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(WORD), ([word]) => word.toLowerCase()))
}

function counts(word: string): boolean {
  return word.length >= MIN_LETTERS || /\p{N}/u.test(word)
}
