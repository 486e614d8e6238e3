import type { Glyph } from '../../src/parsers/pdf/glyph.ts'
import { layOutPage } from '../../src/parsers/pdf/layout/lay-out-page.ts'

const SIZE = 10
/** The width of each letter. */
export const LETTER = 5

/** Places a word as a file without spaces does: all letters have the same width. */
export function placeWord(text: string, { x, y, dx = LETTER }: { x: number; y: number; dx?: number }): Glyph[] {
  return [...text].map((letter, index) => place(letter, { x: x + dx * index, y }))
}

/** A letter of a page. */
export function place(text: string, { x, y }: { x: number; y: number }): Glyph {
  return { text, left: x, right: x + LETTER, baseline: y, size: SIZE, isBold: false, angle: 0, isGenerated: false }
}

/** A letter that PDFium generates between letters. */
export function made(text: string, { x, y }: { x: number; y: number }): Glyph {
  return { ...place(text, { x, y }), right: x, isGenerated: true }
}

/**
 * Words side by side from given positions, with the letters that PDFium generates between words.
 */
export function placeLine(words: readonly (readonly [number, string])[], y: number): Glyph[] {
  const glyphs = words.flatMap(([x, word]) => [...placeWord(word, { x, y }), made(' ', { x, y })])
  return [...glyphs.slice(0, -1), made('\n', { x: 0, y })]
}

/** A justified line from 50 to `right`: all gaps have the same width. */
export function fillLine(text: string, y: number, right = 250): Glyph[] {
  const words = text.split(' ')
  const gap = (right - 50 - LETTER * words.join('').length) / (words.length - 1)
  let x = 50
  const placed = words.map((word) => {
    const at = [x, word] as const
    x += LETTER * word.length + gap
    return at
  })
  return placeLine(placed, y)
}
/** The texts of the blocks of a page. */
export function readPage(...lines: readonly Glyph[][]): string[] {
  return layOutPage({ glyphs: lines.flat(), placed: [], rules: [] }).map((block) => block.text)
}
