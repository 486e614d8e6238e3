import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Glyph } from '../glyph.ts'
import { layOutPage } from './lay-out-page.ts'
import { buildSpans } from './span.ts'
import { splitCells } from './split-cells.ts'

const SIZE = 10
const SPACE = 2.5

type Text = { x: number; text: string }

/** Varies the widths, so that the font is not taken for monospaced. */
function widthOf(letter: string): number {
  return /[ijlt.,]/.test(letter) ? 2.5 : 5
}

function endOf({ x, text }: Text): number {
  return [...text].reduce((right, letter) => right + (letter === ' ' ? SPACE : widthOf(letter)), x)
}

/**
 * Texts of a line with PDFium's output between words. `isWritten`: spaces within a text are
 * characters of the file.
 */
function placeLine(texts: readonly Text[], y: number, isWritten: boolean): Glyph[] {
  const glyphs = texts.flatMap(({ x, text }) => {
    let left = x
    const placed = [...text].map((letter): Glyph => {
      const right = left + (letter === ' ' ? SPACE : widthOf(letter))
      const isGenerated = letter === ' ' && !isWritten
      const glyph = { text: letter, left, right, baseline: y, size: SIZE, isBold: false, angle: 0, isGenerated }
      left = right
      return glyph
    })
    return [...placed, made(' ', left, y)]
  })
  return [...glyphs.slice(0, -1), made('\n', 0, y)]
}

function made(text: string, x: number, y: number): Glyph {
  return { text, left: x, right: x, baseline: y, size: SIZE, isBold: false, angle: 0, isGenerated: true }
}

/** Rows of three cells: an amount ending at 100, a price ending at 150, a name starting at 154. */
function placeRows(rows: readonly (readonly [string, string, string])[], isWritten: boolean): Glyph[] {
  return rows.flatMap(([amount, price, name], index) => {
    const cells = [
      { x: 100 - endOf({ x: 0, text: amount }), text: amount },
      { x: 150 - endOf({ x: 0, text: price }), text: price },
      { x: 154, text: name },
    ]
    return placeLine(cells, 700 - 20 * index, isWritten)
  })
}

function read(glyphs: readonly Glyph[]): string[] {
  return layOutPage({ glyphs, placed: [], rules: [] }).map((block) => block.text)
}

const ROWS = [
  ['Quantity', 'Price', 'Part'],
  ['2', '140.00', 'Oak desk with a drawer'],
  ['12', '9.50', 'Reading lamp'],
  ['3', '1,249,900', 'Safe for the office'],
] as const

describe('splitting cells', () => {
  it('splits cells whose gap is hardly wider than a word space', () => {
    for (const isWritten of [true, false]) {
      assert.deepEqual(
        read(placeRows(ROWS, isWritten)),
        ROWS.map((row) => row.join('\t')),
      )
    }
  })

  it('does not split sentences, whatever is below them', () => {
    const lines = ['The lamp of the safe', 'The desk of the shop', 'The part of the town']
    const glyphs = lines.flatMap((text, index) => placeLine([{ x: 50, text }], 700 - 12 * index, false))
    assert.deepEqual(read(glyphs), [lines.join(' ')])
  })

  it('does not start a cell with a closing bracket', () => {
    const lines = ['one of the first dozen', 'and one of the others', 'or no one of the two']
    const placed = lines.map((text) => ({ x: 200 - endOf({ x: 0, text }), text }))
    const glyphs = placed.flatMap((text, index) => placeLine([text, { x: 203, text: '}' }], 700 - 12 * index, true))
    assert.deepEqual(
      splitCells(buildSpans(glyphs)).map(({ text }) => text),
      lines.map((line) => `${line} }`),
    )
  })

  it('does not compare a heading with table rows of another size', () => {
    const names = [
      'Oak desk with a drawer on each side',
      'Lamp to read by in the evening',
      'Safe for all of the office',
    ]
    const rows = names.flatMap((text, index) => {
      const cells = [
        { x: 95, text: `${index}` },
        { x: 104, text },
      ]
      return placeLine(cells, 700 - 20 * index, true)
    })
    const numbered = [
      { x: 95, text: '7' },
      { x: 104, text: 'Furniture of all the rooms' },
    ]
    const heading = placeLine(numbered, 730, true).map((glyph) => ({ ...glyph, size: 1.4 * SIZE }))
    assert.equal(read([...heading, ...rows])[0], '7 Furniture of all the rooms')
  })

  it('does not split at a gap without aligned gaps', () => {
    const wide = [
      { x: 50, text: 'Opened' },
      { x: 50 + endOf({ x: 0, text: 'Opened' }) + 5, text: 'again in the last week of May' },
    ]
    const glyphs = [
      ...placeLine(wide, 700, true),
      ...placeLine([{ x: 50, text: 'and closed by the owner in the first days of June' }], 688, true),
    ]
    assert.deepEqual(read(glyphs), [
      'Opened again in the last week of May and closed by the owner in the first days of June',
    ])
  })
})
