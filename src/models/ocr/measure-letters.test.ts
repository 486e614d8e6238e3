import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countNeighbors, measureLetters, measureNoise, measureSpecks } from './measure-letters.ts'

const isInk = (value: number) => value < 128

/** A page of the picture, repeated horizontally; `#` is ink. */
function repeat(picture: readonly string[], times: number) {
  const rows = picture.map((row) => `${row} `.repeat(times))
  const data = Uint8Array.from(rows.join(''), (sign) => (sign === '#' ? 0 : 255))
  return { data, width: rows[0]?.length ?? 0, height: rows.length }
}

test('finds the height of most letters, also of connected strokes', () => {
  const u = ['#  #', '#  #', '#  #', '####', '    ']
  assert.equal(measureLetters(repeat(u, 30), isInk), 4)
  const spiral = ['#####', '#   #', '# # #', '# ###', '#    ', '#####']
  assert.equal(measureLetters(repeat(spiral, 30), isInk), 6)
})

test('specks and rules are not letters, and a few marks are not enough', () => {
  assert.equal(measureLetters(repeat(['# #', '   ', '# #'], 30), isInk), null)
  assert.equal(measureLetters(repeat(['#'.repeat(40), '#'.repeat(40), '#'.repeat(40)], 30), isInk), null)
  assert.equal(measureLetters(repeat(['#', '#', '#', '#'], 10), isInk), null)
})

const width = 500
const height = 400

test('a clean page with text has no noise', () => {
  const data = Uint8Array.from({ length: width * height }, (_, at) => (at % 40 < 6 ? 0 : 255))
  assert.equal(measureNoise({ data, width, height }), 0)
})

test('noise is measured by single pixels, independent of the content', () => {
  let seed = 5
  const data = Uint8Array.from({ length: width * height }, (_, at) => {
    seed = (seed * 48_271) % 2_147_483_647
    return 100 + (seed % 41) + (at % width) / 10
  })
  const noise = measureNoise({ data, width, height })
  assert.ok(noise > 7 && noise < 13, String(noise))
})

test('a page without pixels has no noise', () => {
  assert.equal(measureNoise({ data: new Uint8Array(), width: 0, height: 0 }), 0)
})

test('isolated pixels are specks; letters and varying gray are not', () => {
  const letters = Uint8Array.from({ length: width * height }, (_, at) => (at % 40 < 6 ? 0 : 255))
  assert.equal(measureSpecks({ data: letters, width, height }), 0)
  assert.equal(measureSpecks({ data: letters.map((value, at) => Math.abs(value - (at % 60))), width, height }), 0)
  const slanted = Uint8Array.from({ length: width * height }, (_, at) =>
    ((at % width) + Math.floor(at / width)) % 9 === 0 ? 0 : 255,
  )
  assert.equal(measureSpecks({ data: slanted, width, height }), 0)
  const specked = letters.map((value, at) => (at % 103 === 0 ? 255 - value : value))
  const share = measureSpecks({ data: specked, width, height })
  assert.ok(share > 0.005 && share < 0.012, String(share))
  assert.equal(measureSpecks({ data: new Uint8Array(), width: 0, height: 0 }), 0)
})

test('letters of a line have a neighbor to the right, letters under each other one below', () => {
  const u = ['#  #', '#  #', '#  #', '####', '    ', '    ', '    ', '    ']
  assert.deepEqual(countNeighbors(repeat(u, 30), isInk), { right: 29, below: 0 })
  const column = Array.from({ length: 30 }, () => u.slice(0, 5)).flat()
  assert.deepEqual(countNeighbors(repeat(column, 1), isInk), { right: 0, below: 29 })
})
