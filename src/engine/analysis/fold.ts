import { withoutEscapes } from './escapes.ts'

const ASCII = /^[\0-\x7f]*$/
/**
 * Scripts whose marks are accents or optional points; in Indic scripts and Kana marks are letters
 * and stay.
 */
const ACCENTED = /[[\p{scx=Latn}\p{scx=Grek}\p{scx=Arab}\p{scx=Hebr}]&&[\p{L}\p{M}]]/v
/** Words of those scripts: a mark beside them may be a letter of another, in the same text. */
const ACCENTED_RUN = /(?:[[\p{scx=Latn}\p{scx=Grek}\p{scx=Arab}\p{scx=Hebr}]&&\p{L}]\p{Mn}*)+/gv
const MARKS = /\p{Mn}+/gv
const LOOKALIKES = /[ßæœøđðþłħıςёىةیک]/g
const LOOKALIKE: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
  ё: 'е',
  ى: 'ي',
  ة: 'ه',
  ی: 'ي',
  ک: 'ك',
}
const DIGITS = /[\p{Nd}--[0-9]]/gv
/**
 * Not seen, or seen as no letter: soft hyphens, joiners, what chooses a form of the character
 * before it, the key around a digit.
 */
const SILENT = /[\u00ad\u200d\u2060\u20e3\p{VS}]+/gv
/** Stress marks of Cyrillic; `й` and `ќ` are letters of their own, and composed. */
const STRESS = /(?<=\p{Script=Cyrillic})[\u0300\u0301]/gu
const SPACE = /\s+/g
/** U+0640, a stretched line inside Arabic words. */
const TATWEEL = /\u0640/g
const DEVANAGARI = /[\u0900-\u097f]/
/** The point below letters of foreign words, which many leave out. */
const NUKTA = /\u093c/g
/**
 * A nasal before a consonant of its own row, or the half moon: both are written as a point above,
 * too (`हिन्दी`, `हिंदी`).
 */
const NASAL = /ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])|ँ/g

/**
 * Compatibility forms made plain (NFKC), lower case, without white space: what a stemmer wants to
 * see.
 */
export function plain(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return unmarked(text).replace(SPACE, '').normalize('NFC')
}

function unmarked(text: string): string {
  return text.replace(SILENT, '').normalize('NFKC').toLowerCase().replace(STRESS, '')
}

const NOT_LETTERS = /[^\p{L}\p{M}\p{N}]+/gv
const NOT_ASCII_LETTERS = /[^a-z0-9]+/g

/**
 * A text as words to compare literally: folded, lower case, one space around each word, also at
 * both ends.
 */
export function normalizeForMatch(written: string): string {
  const text = withoutEscapes(written)
  if (ASCII.test(text)) return ` ${text.toLowerCase()} `.replace(NOT_ASCII_LETTERS, ' ')
  return ` ${fold(unmarked(text))} `.replace(NOT_LETTERS, ' ')
}

/** A word as {@link normalizeForMatch} has it, without the spaces around it. */
export function normalizeWordForMatch(word: string): string {
  return normalizeForMatch(word).trim()
}

/**
 * Takes accents off where they are accents (Latin, Greek, Arabic, Hebrew), and writes look-alike
 * letters, nasals of Devanagari and digits in one way.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text
  const bare = ACCENTED.test(text) ? text.replace(ACCENTED_RUN, withoutAccents) : text
  return (DEVANAGARI.test(bare) ? bare.replace(NUKTA, '').replace(NASAL, 'ं') : bare)
    .replace(LOOKALIKES, (letter) => LOOKALIKE[letter] ?? letter)
    .replace(TATWEEL, '')
    .replace(DIGITS, toAsciiDigit)
}

function withoutAccents(run: string): string {
  return ASCII.test(run) ? run : run.normalize('NFD').replace(MARKS, '').normalize('NFC')
}

/**
 * Unicode keeps every set of decimal digits as ten code points in a row that begin at a multiple of
 * 2 with the zero.
 */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  for (let value = 0; value < 10; value++) if (!isDigit(code - value - 1)) return String(value)
  return digit
}

function isDigit(code: number): boolean {
  return /^\p{Nd}$/u.test(String.fromCodePoint(Math.max(code, 0)))
}
