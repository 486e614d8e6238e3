import type { Glyph } from '../glyph.ts'

/** Ligatures of three letters: their second code is the sum of two. */
const OF_THREE = ['ffi', 'ffl', 'ffj', 'fft', 'ffb', 'ffh', 'ffk', 'fti', 'tti']

const SUMS: ReadonlyMap<string, string> = new Map(OF_THREE.map((letters) => [shift(letters), letters]))

/**
 * The letters of ligatures in files of Ghostscript 10.00, whose table says of them what their letters are, but each moved up by eight bits, so that `find` is
 * read as `昀椀nd`. Both characters are of one shape, which no such two of Chinese are.
 */
export function mendLigatures(glyphs: readonly Glyph[]): Glyph[] {
  const mended: Glyph[] = []
  let last: Glyph | undefined
  for (const glyph of glyphs) {
    const letters = last === undefined ? null : lettersOf(last, glyph)
    if (letters === null) mended.push(glyph)
    else mended.splice(-1, 1, { ...glyph, text: letters })
    last = letters === null ? glyph : undefined
  }
  return mended
}

/** The letters of two characters of one shape; `null` where they are two characters. */
function lettersOf(first: Glyph, second: Glyph): string | null {
  if (second.left !== first.left || second.right !== first.right || first.isGenerated) return null
  const pair = first.text + second.text
  const letters = [...pair].map((character) => character.charCodeAt(0) / 0x100)
  const isOfTwo = letters.every((code) => Number.isInteger(code) && /[A-Za-z]/.test(String.fromCharCode(code)))
  return isOfTwo ? String.fromCharCode(...letters) : (SUMS.get(pair) ?? null)
}

function shift(letters: string): string {
  const [first = 0, second = 0, third = 0] = [...letters].map((letter) => letter.charCodeAt(0))
  return String.fromCharCode(first << 8, (second + third) << 8)
}
