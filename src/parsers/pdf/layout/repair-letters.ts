import type { Glyph } from '../glyph.ts'

/** Spacing accents and their combining marks. */
const COMBINING_MARKS: ReadonlyMap<string, string> = new Map([
  ['`', '\u0300'],
  ['\u00b4', '\u0301'],
  ['\u02c6', '\u0302'],
  ['\u02dc', '\u0303'],
  ['\u00af', '\u0304'],
  ['\u02c9', '\u0304'],
  ['\u02d8', '\u0306'],
  ['\u02d9', '\u0307'],
  ['\u00a8', '\u0308'],
  ['\u02da', '\u030a'],
  ['\u02dd', '\u030b'],
  ['\u02c7', '\u030c'],
  ['\u00b8', '\u0327'],
  ['\u02db', '\u0328'],
])
/** Dotless letters used below an accent. */
const DOTLESS: ReadonlyMap<string, string> = new Map([
  ['\u0131', 'i'],
  ['\u0237', 'j'],
])
/** Maximum raise of an accent over a capital, in font sizes: less than a line. */
const MAX_RAISE_SIZES = 0.5
/** PDFium places an accent over a capital at the end of its line. */
const MAX_LINE_GLYPHS = 400

/**
 * Joins letters with accents drawn separately, as with TeX's own fonts: `Geb¨uhr` becomes `Gebühr`
 * and is searchable. The center of the accent must be between the letter's sides; an accent beside
 * a letter, as in code, is kept.
 */
export function joinAccents(glyphs: readonly Glyph[]): readonly Glyph[] {
  if (!glyphs.some(({ text }) => COMBINING_MARKS.has(text))) return glyphs
  const joined: (Glyph | null)[] = [...glyphs]
  for (const [index, accent] of glyphs.entries()) {
    const mark = COMBINING_MARKS.get(accent.text)
    if (mark === undefined) continue
    const at = findLetter(joined, accent, index)
    const letter = at === null ? null : (joined[at] ?? null)
    const composed = letter === null ? null : composeLetter(letter.text, mark)
    if (at === null || letter === null || composed === null) continue
    joined[at] = { ...letter, text: composed }
    joined[index] = null
  }
  return joined.filter((glyph) => glyph !== null)
}

/** Index of the letter under an accent, usually the next glyph. */
function findLetter(glyphs: readonly (Glyph | null)[], accent: Glyph, index: number): number | null {
  const middle = (accent.left + accent.right) / 2
  const isBelow = (glyph: Glyph | null | undefined) =>
    glyph !== null &&
    glyph !== undefined &&
    !glyph.isGenerated &&
    glyph.left <= middle &&
    middle <= glyph.right &&
    Math.abs(glyph.baseline - accent.baseline) < MAX_RAISE_SIZES * glyph.size &&
    /^\p{L}/u.test(glyph.text)
  if (isBelow(glyphs[index + 1])) return index + 1
  for (let at = index - 1; at >= Math.max(0, index - MAX_LINE_GLYPHS); at -= 1) if (isBelow(glyphs[at])) return at
  return null
}

/** `null` when Unicode has no composed letter. */
function composeLetter(letter: string, mark: string): string | null {
  const composed = `${DOTLESS.get(letter) ?? letter}${mark}`.normalize('NFC')
  return composed.length === 1 ? composed : null
}

/** Three-letter ligatures; the second code is the sum of two letters. */
const THREE_LETTER_LIGATURES = ['ffi', 'ffl', 'ffj', 'fft', 'ffb', 'ffh', 'ffk', 'fti', 'tti']

const SHIFTED_LIGATURES: ReadonlyMap<string, string> = new Map(
  THREE_LETTER_LIGATURES.map((letters) => [shiftLetters(letters), letters]),
)

/**
 * Repairs ligatures in files of Ghostscript 10.00. The character map shifts each letter by eight
 * bits, so that `find` reads as `昀椀nd`. Both characters have the same box, unlike any two Chinese
 * characters.
 */
export function repairShiftedLigatures(glyphs: readonly Glyph[]): Glyph[] {
  const fixed: Glyph[] = []
  let last: Glyph | undefined
  for (const glyph of glyphs) {
    const letters = last === undefined ? null : unshiftLetters(last, glyph)
    if (letters === null) fixed.push(glyph)
    else fixed.splice(-1, 1, { ...glyph, text: letters })
    last = letters === null ? glyph : undefined
  }
  return fixed
}

/** Returns the letters of two characters with the same box; `null` for ordinary characters. */
function unshiftLetters(first: Glyph, second: Glyph): string | null {
  if (second.left !== first.left || second.right !== first.right || first.isGenerated) return null
  const pair = first.text + second.text
  const letters = [...pair].map((character) => character.charCodeAt(0) / 0x100)
  const isOfTwo = letters.every((code) => Number.isInteger(code) && /[A-Za-z]/.test(String.fromCharCode(code)))
  return isOfTwo ? String.fromCharCode(...letters) : (SHIFTED_LIGATURES.get(pair) ?? null)
}

function shiftLetters(letters: string): string {
  const [first = 0, second = 0, third = 0] = [...letters].map((letter) => letter.charCodeAt(0))
  return String.fromCharCode(first << 8, (second + third) << 8)
}

/** Characters of TeX's OT1 encoding outside of ASCII. */
const OT1_CHARACTERS: ReadonlyMap<number, string> = new Map([
  ...[
    ...['ff', 'fi', 'fl', 'ffi', 'ffl', 'ı', 'ȷ', '`', '´', 'ˇ', '˘', '¯', '˚', '¸', 'ß', 'æ', 'œ', 'ø', 'Æ', 'Œ', 'Ø'],
  ].map((text, index) => [0x0b + index, text] as const),
  [0x7f, '¨'],
])
/** Ligatures of TeX's later T1 encoding; its other letters are ordinary Latin. */
const T1_LIGATURES: ReadonlyMap<number, string> = new Map(
  ['ff', 'fi', 'fl', 'ffi', 'ffl'].map((text, index) => [0x1b + index, text] as const),
)
/** Maximum distance between adjacent letters, in font sizes. */
const MAX_LETTER_GAP_SIZES = 0.15
/**
 * Minimum letters beside a ligature in a word. In a formula such a code is Greek, with fewer
 * letters around.
 */
const MIN_LETTERS = 2
/** Maximum distance of those letters, in glyphs. */
const MAX_LETTER_DISTANCE_GLYPHS = 6

/**
 * Decodes ligatures of old TeX papers with bitmap fonts. PDFium returns bare character codes there,
 * and ligatures have control codes that no text contains: `ecient` becomes `efficient`. Codes
 * outside of words are kept.
 */
export function decodeTexLigatures(glyphs: readonly Glyph[]): Glyph[] {
  if (!glyphs.some(isTexControlCode)) return [...glyphs]
  const ligatures = glyphs.filter(
    (glyph, index) => isTexControlCode(glyph) && countLetters(glyphs, index) >= MIN_LETTERS,
  )
  const letters = ligatures.some(({ text }) => text.charCodeAt(0) <= 0x0f) ? OT1_CHARACTERS : T1_LIGATURES
  const named = new Set(ligatures)
  return glyphs.map((glyph) =>
    named.has(glyph) ? { ...glyph, text: letters.get(glyph.text.charCodeAt(0)) ?? glyph.text } : glyph,
  )
}

/** True for a drawn control code; line ends generated by PDFium are not drawn. */
function isTexControlCode({ text, isGenerated, isBitmapFont, left, right }: Glyph): boolean {
  const code = text.charCodeAt(0)
  return !isGenerated && isBitmapFont === true && right > left && ((code >= 0x0b && code < 0x20) || code === 0x7f)
}

/** Counts the letters of the word around a glyph. */
function countLetters(glyphs: readonly Glyph[], index: number): number {
  return countLettersInDirection(glyphs, index, -1) + countLettersInDirection(glyphs, index, 1)
}

function countLettersInDirection(glyphs: readonly Glyph[], from: number, step: 1 | -1): number {
  let count = 0
  let last = glyphs[from]
  for (let distance = 1; count < MIN_LETTERS && distance <= MAX_LETTER_DISTANCE_GLYPHS; distance += 1) {
    const glyph = glyphs[from + step * distance]
    if (last === undefined || glyph === undefined || !isAdjacent(last, glyph, step)) break
    if (/^\p{Script=Latin}/u.test(glyph.text)) count += 1
    else if (!isTexControlCode(glyph)) break
    last = glyph
  }
  return count
}

function isAdjacent(a: Glyph, b: Glyph, step: 1 | -1): boolean {
  const gap = step === 1 ? b.left - a.right : a.left - b.right
  return !b.isGenerated && gap < MAX_LETTER_GAP_SIZES * a.size && Math.abs(a.baseline - b.baseline) < 0.5 * a.size
}
