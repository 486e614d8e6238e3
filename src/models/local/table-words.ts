/**
 * Splits a text into the words of the static embedder (embedder/README.md, "Embedding"). Words are
 * folded and have no accents. Each punctuation mark and symbol is a word, and each run of a script
 * without spaces.
 */
export function splitTableWords(text: string): string[] {
  return foldText(text).match(WORDS) ?? []
}

/** True for a word of a script without spaces. */
export function isUnspacedWord(word: string): boolean {
  return UNSPACED_START.test(word)
}

const REMOVED = /\uFFFD|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu
/**
 * Accents of Latin, Greek and Cyrillic letters, Hebrew points, and Arabic vowel signs and tatweel.
 * Vowel signs of Indic and Southeast Asian scripts distinguish words and stay.
 */
const ACCENTS = new RegExp(
  `[${[
    ...['\\u0300-\\u036F', '\\u0591-\\u05BD', '\\u05BF', '\\u05C1', '\\u05C2', '\\u05C4', '\\u05C5', '\\u05C7'],
    ...['\\u0610-\\u061A', '\\u0640', '\\u064B-\\u065F', '\\u0670', '\\u06D6-\\u06ED'],
  ].join('')}]`,
  'gu',
)
const MARK = '[!-\\/:-@\\[-`\\{-~\\p{P}\\p{S}]'
/** Han, kana, Thai, Lao, Tibetan, Burmese and Khmer, as in embedder/distil/norm.py. */
const UNSPACED = [
  ...['\\u3005', '\\u3040-\\u30FF', '\\u31F0-\\u31FF', '\\u3400-\\u4DBF', '\\u4E00-\\u9FFF', '\\uF900-\\uFAFF'],
  ...['\\u{20000}-\\u{3134F}', '\\u0E00-\\u0EFF', '\\u1000-\\u109F', '\\u1780-\\u17FF'],
].join('')
const UNSPACED_START = new RegExp(`^[${UNSPACED}]`, 'u')
const WORDS = new RegExp(`${MARK}|(?:(?!${MARK})[${UNSPACED}])+|(?:(?!${MARK})[^\\p{White_Space}${UNSPACED}])+`, 'gu')

function foldText(text: string): string {
  const plain = text.normalize('NFKC').replace(REMOVED, '').toLowerCase()
  return plain.normalize('NFD').replace(ACCENTS, '').normalize('NFC')
}
