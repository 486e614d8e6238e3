import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { made, place, readPage } from '../../../../test/support/place-glyphs.ts'
import type { Glyph } from '../glyph.ts'

/** Places letters at equal distances; a `_` widens the distance by a space. */
function spread(text: string, { gap, y = 700 }: { gap: number; y?: number }): Glyph[] {
  let x = 50
  const glyphs: Glyph[] = []
  for (const letter of text) {
    if (letter === '_') {
      x += 3 + gap
      continue
    }
    glyphs.push(made(' ', { x, y }), place(letter, { x, y }))
    x += 5 + gap
  }
  return glyphs.slice(1)
}

describe('spaced letters', () => {
  it('form words, and wider gaps part the words', () => {
    for (const gap of [1.5, 2, 3, 4]) assert.deepEqual(readPage(spread('ANNUAL_REPORT', { gap })), ['ANNUAL REPORT'])
  })

  it('stay apart where they are a list, figures or few', () => {
    assert.deepEqual(readPage(spread('ABCDEFGH', { gap: 3 })), ['A B C D E F G H'])
    assert.deepEqual(readPage(spread('7041958', { gap: 3 })), ['7 0 4 1 9 5 8'])
    assert.deepEqual(readPage(spread('JRR', { gap: 3 })), ['J R R'])
  })

  it('join the last letter that a text layer draws apart from its spread word', () => {
    const y = 700
    const word = (letters: string, x: number) => [...letters].map((letter, at) => place(letter, { x: x + 7 * at, y }))
    const last = (letter: string, x: number) => [made(' ', { x: x - 2, y }), place(letter, { x, y })]
    const written = { ...place(' ', { x: 90, y }), right: 92 }
    const line = [...word('Harbou', 50), ...last('r', 92), written, ...word('Stree', 104), ...last('t', 139)]
    assert.deepEqual(readPage(line), ['Harbour Street'])
  })
})
