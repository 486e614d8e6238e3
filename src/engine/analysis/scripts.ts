/**
 * A character of a script that is written without spaces between words: Han, kana, Thai, Khmer,
 * Lao, Burmese.
 */
export const UNSPACED = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}]/v

/**
 * A character of Korean, which has spaces, and hangs what a word does in its sentence on the word.
 */
export const HANGUL = /\p{scx=Hang}/v
