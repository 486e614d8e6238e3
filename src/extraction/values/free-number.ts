/** Scripts that write no space between a number and the word before or behind it (`预付款5000元`). */
const SPACELESS = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`
/** Parts of a number that goes on in words: neither `1` nor `2000` is all of `1万2000`. */
const NUMERALS = '万萬億亿兆千百十만억천'

/** A letter that parts what stands beside it from a number, for patterns with the flag `u`. */
export const SPACED_LETTER = String.raw`(?!${SPACELESS})\p{L}`

/** What makes a number behind it a part of something longer: a word, a number, an ordinal (`第5条`). For a lookbehind. */
export const BOUND_BEFORE = String.raw`${SPACED_LETTER}|[\p{N}_${NUMERALS}第]`

/**
 * The same of what stands behind a number: a word, unless of a script whose counters follow directly (`1,200件`, `30개`), a part of a date
 * or time, further numerals. For a lookahead.
 */
export const BOUND_BEHIND = String.raw`(?!${SPACELESS}|\p{Script=Hangul})[\p{L}_]|(?<=\d{4})[年년]|[月日号號時时分월일시분호${NUMERALS}]`

/** Between a word like `million` and what may follow; `万` has the next word right behind it. */
export const SCALE_END = String.raw`(?:(?<=[万萬億亿만억])(?![\p{N}千百十천])|(?<![万萬億亿만억])(?![\p{L}\p{N}]))`
