import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { placeLine, readPage } from '../../../../test/support/place-glyphs.ts'
import type { Glyph } from '../glyph.ts'

/** Lines with a shared left edge, from top to bottom. */
function placeColumn(x: number, lines: readonly string[], leading = 12): Glyph[][] {
  return lines.map((line, index) => placeLine([[x, line]], 700 - leading * index))
}

describe('the two sides of a page', () => {
  const seller = placeColumn(50, ['Hill Dairy', '7 Mill Lane', 'Skipton'])
  const dates = placeColumn(300, ['Made on 12 May', 'Due on 11 June', 'Terms as agreed'])
  const addresses = ['Hill Dairy 7 Mill Lane Skipton', 'Made on 12 May Due on 11 June Terms as agreed']

  it('are rows when field labels precede the values, even if the file has all labels first', () => {
    const names = placeColumn(50, ['Name:', 'Town:', 'Boat:', 'Signed below'], 40)
    const values = placeColumn(150, ['Ada', 'Wick', 'Quad'], 40)
    assert.deepEqual(readPage(...names, ...values), ['Name:\tAda', 'Town:\tWick', 'Boat:\tQuad', 'Signed below'])
  })

  it('are compared in time linear in the number of rows', () => {
    const many = <Value>(value: Value) => Array.from({ length: 10_000 }, () => value)
    const started = performance.now()
    const blocks = readPage(...placeColumn(50, many('Name:'), 40), ...placeColumn(150, many('Ada'), 40))
    assert.equal(blocks.join('').match(/Ada/g)?.length, 10_000)
    assert.ok(performance.now() - started < 20_000)
  })

  it('end above the header of a table whose cells cross the gutter', () => {
    const head = placeLine(
      [
        [50, 'Article'],
        [330, 'Qty'],
        [390, 'Price'],
      ],
      650,
    )
    const row = placeLine(
      [
        [50, 'A gate of iron with two hinges and a latch of the kind'],
        [330, '2'],
        [390, '410'],
      ],
      632,
    )
    assert.deepEqual(readPage(...seller, ...dates, head, row), [
      ...addresses,
      'Article\tQty\tPrice',
      'A gate of iron with two hinges and a latch of the kind\t2\t410',
    ])
  })

  it('end above a larger heading', () => {
    const heading = placeLine([[50, 'Letter']], 650).map((glyph) => ({ ...glyph, size: 18 }))
    const text = placeLine([[50, 'We confirm that the dairy is let to you from the first of June.']], 625)
    assert.deepEqual(readPage(...seller, ...dates, heading, text), [
      ...addresses,
      'Letter',
      'We confirm that the dairy is let to you from the first of June.',
    ])
  })
})
