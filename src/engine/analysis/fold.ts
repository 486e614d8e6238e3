import { decodeEscapes } from './escapes.ts'

const ASCII = /^[\0-\x7f]*$/
/**
 * Scripts with accents or optional points as marks. Marks of Indic scripts and Kana are letters and
 * are kept.
 */
const ACCENTED = /[[\p{scx=Latn}\p{scx=Grek}\p{scx=Arab}\p{scx=Hebr}]&&[\p{L}\p{M}]]/v
/** Runs of those scripts only: an adjacent mark may belong to a letter of another script. */
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
/** Invisible characters: soft hyphens, joiners, variation selectors, the key around a digit. */
const SILENT = /[\u00ad\u200d\u2060\u20e3\p{VS}]+/gv
/** Cyrillic stress marks. `й` and `ќ` are precomposed letters. */
const STRESS = /(?<=\p{Script=Cyrillic})[\u0300\u0301]/gu
const SPACE = /\s+/g
/** U+0640, which stretches Arabic words. */
const TATWEEL = /\u0640/g
const DEVANAGARI = /[\u0900-\u097f]/
/** Dot below letters of foreign words, often omitted. */
const NUKTA = /\u093c/g
/**
 * A nasal before a consonant of the same row, and the half moon. Both are also written as a dot
 * above (`हिन्दी`, `हिंदी`).
 */
const NASAL = /ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])|ँ/g

/** NFKC, lower case, no white space: the input form of stemmers. */
export function normalizeWord(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return unmarked(text).replace(SPACE, '').normalize('NFC')
}

function unmarked(text: string): string {
  return text.replace(SILENT, '').normalize('NFKC').toLowerCase().replace(STRESS, '')
}

const NOT_LETTERS = /[^\p{L}\p{M}\p{N}]+/gv
const NOT_ASCII_LETTERS = /[^a-z0-9]+/g

/**
 * Normalizes a text for literal comparison: folded, lower case, one space around each word and at
 * both ends.
 */
export function normalizeForMatch(written: string): string {
  const text = decodeEscapes(written)
  if (ASCII.test(text)) return ` ${text.toLowerCase()} `.replace(NOT_ASCII_LETTERS, ' ')
  return ` ${fold(unmarked(text))} `.replace(NOT_LETTERS, ' ')
}

/** {@link normalizeForMatch} for one word, without the spaces around it. */
export function normalizeWordForMatch(word: string): string {
  return normalizeForMatch(word).trim()
}

/**
 * Removes accents (Latin, Greek, Arabic, Hebrew) and unifies look-alike letters, Devanagari nasals
 * and digits.
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
 * Every set of decimal digits in Unicode is a run of ten code points that starts at an even code
 * point with zero.
 */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  for (let value = 0; value < 10; value++) if (!isDigit(code - value - 1)) return String(value)
  return digit
}

function isDigit(code: number): boolean {
  return /^\p{Nd}$/u.test(String.fromCodePoint(Math.max(code, 0)))
}
