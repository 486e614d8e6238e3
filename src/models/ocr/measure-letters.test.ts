import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureLetters } from './measure-letters.ts'

const isInk = (value: number) => value < 128

/** A page of this picture, `#` being ink, so many times side by side. */
function repeat(picture: readonly string[], times: number) {
  const rows = picture.map((row) => `${row} `.repeat(times))
  const data = Uint8Array.from(rows.join(''), (sign) => (sign === '#' ? 0 : 255))
  return { data, width: rows[0]?.length ?? 0, height: rows.length }
}

test('the height of most letters is found, whatever way their strokes hang together', () => {
  const u = ['#  #', '#  #', '#  #', '####', '    ']
  assert.equal(measureLetters(repeat(u, 30), isInk), 4)
  const spiral = ['#####', '#   #', '# # #', '# ###', '#    ', '#####']
  assert.equal(measureLetters(repeat(spiral, 30), isInk), 6)
})

test('specks and rules are no letters, and a few marks say nothing', () => {
  assert.equal(measureLetters(repeat(['# #', '   ', '# #'], 30), isInk), null)
  assert.equal(measureLetters(repeat(['#'.repeat(40), '#'.repeat(40), '#'.repeat(40)], 30), isInk), null)
  assert.equal(measureLetters(repeat(['#', '#', '#', '#'], 10), isInk), null)
})
