import type { Glyph } from '../glyph.ts'

/** Where TeX's own fonts (OT1) have what ASCII has no letters for. */
const OT1: ReadonlyMap<number, string> = new Map([
  ...[
    ...['ff', 'fi', 'fl', 'ffi', 'ffl', 'ı', 'ȷ', '`', '´', 'ˇ', '˘', '¯', '˚', '¸', 'ß', 'æ', 'œ', 'ø', 'Æ', 'Œ', 'Ø'],
  ].map((text, index) => [0x0b + index, text] as const),
  [0x7f, '¨'],
])
/** The same ligatures in its later fonts (T1), whose other letters are those of any Latin text. */
const T1: ReadonlyMap<number, string> = new Map(
  ['ff', 'fi', 'fl', 'ffi', 'ffl'].map((text, index) => [0x1b + index, text] as const),
)
/** Letters stand as near to each other, in font sizes. */
const TOUCHING_SIZES = 0.15
/** A word has so many letters beside its ligature; in a formula such a code is Greek, and beside less. */
const LEAST_LETTERS = 2
/** They stand within so many glyphs. */
const NEAR_GLYPHS = 6

/**
 * The letters of old papers of TeX whose fonts are pictures: PDFium gives the codes of their places, and those of ligatures are control characters, which no
 * text has. So `ecient` is read as `efficient`. What does not stand in a word stays.
 */
export function nameTexLetters(glyphs: readonly Glyph[]): Glyph[] {
  if (!glyphs.some(isControl)) return [...glyphs]
  const ligatures = glyphs.filter((glyph, index) => isControl(glyph) && countLetters(glyphs, index) >= LEAST_LETTERS)
  const letters = ligatures.some(({ text }) => text.charCodeAt(0) <= 0x0f) ? OT1 : T1
  const named = new Set(ligatures)
  return glyphs.map((glyph) =>
    named.has(glyph) ? { ...glyph, text: letters.get(glyph.text.charCodeAt(0)) ?? glyph.text } : glyph,
  )
}

/** One that stands on the page; the ends of lines that PDFium makes up are none. */
function isControl({ text, isGenerated, isOfPictures, left, right }: Glyph): boolean {
  const code = text.charCodeAt(0)
  return !isGenerated && isOfPictures === true && right > left && ((code >= 0x0b && code < 0x20) || code === 0x7f)
}

/** Letters of the word that a glyph stands in. */
function countLetters(glyphs: readonly Glyph[], index: number): number {
  return countBeside(glyphs, index, -1) + countBeside(glyphs, index, 1)
}

function countBeside(glyphs: readonly Glyph[], from: number, step: 1 | -1): number {
  let count = 0
  let last = glyphs[from]
  for (let distance = 1; count < LEAST_LETTERS && distance <= NEAR_GLYPHS; distance += 1) {
    const glyph = glyphs[from + step * distance]
    if (last === undefined || glyph === undefined || !touches(last, glyph, step)) break
    if (/^\p{Script=Latin}/u.test(glyph.text)) count += 1
    else if (!isControl(glyph)) break
    last = glyph
  }
  return count
}

function touches(a: Glyph, b: Glyph, step: 1 | -1): boolean {
  const gap = step === 1 ? b.left - a.right : a.left - b.right
  return !b.isGenerated && gap < TOUCHING_SIZES * a.size && Math.abs(a.baseline - b.baseline) < 0.5 * a.size
}
