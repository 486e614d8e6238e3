/** Splits words into word pieces. */
export type WordPieces = {
  /** Rows of the pieces, in order; empty if a part of the word is in no piece. */
  find(word: string): readonly number[]
}

/** BERT ignores longer words. In Unicode characters. */
const MAX_WORD_CHARACTERS = 100
const NONE: readonly number[] = []

/**
 * Greedy longest-match word pieces over a vocabulary whose n-th line is the piece of row n; `##`
 * marks continuations inside a word.
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

/**
 * Splits text into words as BERT's uncased tokenizer does. Drops control characters, adds spaces
 * around Han characters, strips accents and converts to lower case. Then splits at white space,
 * with every punctuation mark as a separate word (embedder/README.md, "Embedding").
 */
export function splitBertWords(text: string): string[] {
  if (isAscii(text)) return text.replace(ASCII_CONTROLS, '').toLowerCase().match(ASCII_WORDS) ?? []
  return (
    text
      .replace(CONTROLS, '')
      .replace(HAN, ' $& ')
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      // Lower-casing a whole string turns a final capital sigma into ς; BERT lower-cases by
      // character.
      .replace(/\u03A3/g, '\u03C3')
      .toLowerCase()
      .match(WORDS) ?? []
  )
}

const ASCII_CONTROLS = /(?![\t\n\r])\p{Cc}/gu
const ASCII_WORDS = /[!-/:-@[-`{-~]|[^\s!-/:-@[-`{-~]+/g
const CONTROLS = /\uFFFD|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu
const HAN_BLOCKS = ['\\u4E00-\\u9FFF', '\\u3400-\\u4DBF', '\\uF900-\\uFAFF']
const HAN_EXTENSIONS = [
  '20000}-\\u{2A6DF',
  '2A700}-\\u{2B73F',
  '2B740}-\\u{2B81F',
  '2B920}-\\u{2CEAF',
  '2F800}-\\u{2FA1F',
]
const HAN = new RegExp(`[${HAN_BLOCKS.join('')}${HAN_EXTENSIONS.map((range) => `\\u{${range}}`).join('')}]`, 'gu')
/** One punctuation mark, or a run of characters that are neither punctuation nor white space. */
const WORDS = /[!-/:-@[-`{-~]|\p{P}|(?:(?![!-/:-@[-`{-~]|\p{P})[^\p{White_Space}])+/gu

function isAscii(text: string): boolean {
  return !/[\u0080-\uFFFF]/.test(text)
}
