/**
 * Text to words as BERT's uncased tokenizer makes them: controls dropped, spaces around Han characters, accents stripped,
 * lower case; then split at white space, with every punctuation mark a word of its own (embedder/README.md, "Embedding").
 */
export function splitBertWords(text: string): string[] {
  if (isAscii(text)) return text.replace(ASCII_CONTROLS, '').toLowerCase().match(ASCII_WORDS) ?? []
  return (
    text
      .replace(CONTROLS, '')
      .replace(HAN, ' $& ')
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      // Lower-casing a whole string turns a final capital sigma into ς; BERT goes character by character.
      .replace(/\u03A3/g, '\u03C3')
      .toLowerCase()
      .match(WORDS) ?? []
  )
}

const ASCII_CONTROLS = /(?![\t\n\r])\p{Cc}/gu
const ASCII_WORDS = /[!-/:-@[-`{-~]|[^\s!-/:-@[-`{-~]+/g
const CONTROLS = /\uFFFD|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu
const HAN =
  /[\u4E00-\u9FFF\u3400-\u4DBF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B920}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/gu
/** One punctuation mark, or a run of what is neither punctuation nor white space. */
const WORDS = /[!-/:-@[-`{-~]|\p{P}|(?:(?![!-/:-@[-`{-~]|\p{P})[^\p{White_Space}])+/gu

function isAscii(text: string): boolean {
  return !/[\u0080-\uFFFF]/.test(text)
}
