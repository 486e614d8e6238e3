import type { Glyph } from '../../src/parsers/pdf/glyph.ts'
import { layOutPage } from '../../src/parsers/pdf/layout/lay-out-page.ts'

const SIZE = 10
/** How wide each letter is. */
export const LETTER = 5

/** A word as a file without spaces places it: every letter as wide as every other. */
export function placeWord(text: string, { x, y, dx = LETTER }: { x: number; y: number; dx?: number }): Glyph[] {
  return [...text].map((letter, index) => place(letter, { x: x + dx * index, y }))
}

/** A letter as a page has it. */
export function place(text: string, { x, y }: { x: number; y: number }): Glyph {
  return { text, left: x, right: x + LETTER, baseline: y, size: SIZE, isBold: false, angle: 0, isGenerated: false }
}

/** What PDFium puts between letters. */
export function made(text: string, { x, y }: { x: number; y: number }): Glyph {
  return { ...place(text, { x, y }), right: x, isGenerated: true }
}

/** Words beside each other, from places on, with what PDFium puts between them. */
export function placeLine(words: readonly (readonly [number, string])[], y: number): Glyph[] {
  const glyphs = words.flatMap(([x, word]) => [...placeWord(word, { x, y }), made(' ', { x, y })])
  return [...glyphs.slice(0, -1), made('\n', { x: 0, y })]
}

/** A line that is filled from 50 to `right`: all gaps are equally wide. */
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
  return layOutPage(lines.flat(), []).map((block) => block.text)
}
