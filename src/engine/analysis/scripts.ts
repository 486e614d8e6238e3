/** Characters of scripts without spaces between words: Han, Kana, Thai, Khmer, Lao, Burmese. */
export const UNSPACED = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}]/v

/** Hangul. Korean has spaces and appends grammatical markers to words. */
export const HANGUL = /\p{scx=Hang}/v
