/** Finds the pieces a word is made of. */
export type WordPieces = {
  /** The rows of the pieces, in order; empty when some part of the word is in no piece. */
  find(word: string): readonly number[]
}

/** A longer word is no word, to BERT. In Unicode characters. */
const MAX_WORD_CHARACTERS = 100
const NONE: readonly number[] = []

/**
 * Greedy longest-match word pieces over a vocabulary whose n-th line is the piece of row n; `##` marks those that go on
 * inside a word.
 */
export function createWordPieces(vocabulary: readonly string[]): WordPieces {
  const beginnings = new Map<string, number>()
  const continuations = new Map<string, number>()
  let longest = 1
  for (const [row, piece] of vocabulary.entries()) {
    const goesOn = piece.length > 2 && piece.startsWith('##')
    if (goesOn) continuations.set(piece.slice(2), row)
    else beginnings.set(piece, row)
    longest = Math.max(longest, piece.length)
  }

  function find(word: string): readonly number[] {
    if (word.length > MAX_WORD_CHARACTERS && [...word].length > MAX_WORD_CHARACTERS) return NONE
    const rows: number[] = []
    let start = 0
    while (start < word.length) {
      const pieces = start === 0 ? beginnings : continuations
      let end = Math.min(word.length, start + longest)
      while (end > start && !pieces.has(word.slice(start, end))) end -= 1
      const row = pieces.get(word.slice(start, end))
      if (row === undefined) return NONE
      rows.push(row)
      start = end
    }
    return rows
  }

  return { find }
}
