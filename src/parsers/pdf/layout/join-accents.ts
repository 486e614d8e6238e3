import type { Glyph } from '../glyph.ts'

/** Accents that fonts have as shapes of their own, and the marks that belong to a letter. */
const MARKS: ReadonlyMap<string, string> = new Map([
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
/** Below an accent the dot of these letters is left out. */
const DOTLESS: ReadonlyMap<string, string> = new Map([
  ['\u0131', 'i'],
  ['\u0237', 'j'],
])
/** An accent is raised over a capital by less than this part of the font size: less than a line. */
const RAISED_SIZES = 0.5
/** PDFium puts an accent over a capital at the end of its line. */
const LINE_GLYPHS = 400

/**
 * Letters with the accents that were drawn over them, as TeX does with its own fonts: `Geb¨uhr` is read as `Gebühr`, so that it is found. An accent stands
 * over a letter where its middle is between the letter's sides; one that stands beside it, as in code, stays what it is.
 */
export function joinAccents(glyphs: readonly Glyph[]): Glyph[] {
  const joined: (Glyph | null)[] = [...glyphs]
  for (const [index, accent] of glyphs.entries()) {
    const mark = MARKS.get(accent.text)
    if (mark === undefined) continue
    const at = findLetter(joined, accent, index)
    const letter = at === null ? null : (joined[at] ?? null)
    const composed = letter === null ? null : compose(letter.text, mark)
    if (at === null || letter === null || composed === null) continue
    joined[at] = { ...letter, text: composed }
    joined[index] = null
  }
  return joined.filter((glyph) => glyph !== null)
}

/** The place of the letter below or above an accent: mostly the next one. */
function findLetter(glyphs: readonly (Glyph | null)[], accent: Glyph, index: number): number | null {
  const middle = (accent.left + accent.right) / 2
  const isBelow = (glyph: Glyph | null | undefined) =>
    glyph !== null &&
    glyph !== undefined &&
    !glyph.isGenerated &&
    glyph.left <= middle &&
    middle <= glyph.right &&
    Math.abs(glyph.baseline - accent.baseline) < RAISED_SIZES * glyph.size &&
    /^\p{L}/u.test(glyph.text)
  if (isBelow(glyphs[index + 1])) return index + 1
  for (let at = index - 1; at >= Math.max(0, index - LINE_GLYPHS); at -= 1) if (isBelow(glyphs[at])) return at
  return null
}

/** `null` where no such letter is known. */
function compose(letter: string, mark: string): string | null {
  const composed = `${DOTLESS.get(letter) ?? letter}${mark}`.normalize('NFC')
  return composed.length === 1 ? composed : null
}
