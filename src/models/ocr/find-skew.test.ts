import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSkew } from './find-skew.ts'

/** Ink of 20 lines of text, as dots: some above the small letters, all on the base line, turned clockwise by so many degrees. */
function paintLines(degrees: number) {
  const slope = Math.tan((degrees * Math.PI) / 180)
  let seed = 11
  const draw = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const dots = Array.from({ length: 12_000 }, () => {
    const along = draw(800)
    const rise = draw(3) === 0 ? draw(18) : draw(12)
    return { along, across: Math.round(400 + draw(20) * 40 - rise + along * slope) }
  })
  return { along: Uint16Array.from(dots, (dot) => dot.along), across: Uint16Array.from(dots, (dot) => dot.across) }
}

test('the turn that levels the lines is found to a tenth of a degree', () => {
  for (const degrees of [-12, -5, -1.5, 0, 0.7, 3]) {
    const { degrees: found, score } = findSkew(paintLines(degrees))
    assert.ok(Math.abs(found + degrees) <= 0.1, `${degrees}: ${found}`)
    assert.ok(score > 0.1)
  }
})

test('lines lean upwards where they stand upright, downwards where they stand on their heads', () => {
  const upright = paintLines(0)
  assert.ok(findSkew(upright).lean > 1.05)
  const turned = { along: upright.along, across: upright.across.map((across) => 2000 - across) }
  assert.ok(findSkew(turned).lean < 0.95)
})

test('dots without lines lie level, though by chance some slant is a little more jagged', () => {
  let seed = 5
  const draw = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const dots = Array.from({ length: 500 }, () => ({ along: draw(800), across: draw(600) }))
  const points = {
    along: Uint16Array.from(dots, (dot) => dot.along),
    across: Uint16Array.from(dots, (dot) => dot.across),
  }
  assert.equal(findSkew(points).degrees, 0)
})

test('a stroke drawn across lines that lie level turns nothing', () => {
  const { along, across } = paintLines(0)
  const stroke = Array.from({ length: 2400 }, (_, at) => at / 3)
  const points = {
    along: Uint16Array.from([...along, ...stroke]),
    across: Uint16Array.from([...across, ...stroke.map((at) => 700 + at * Math.tan((8 * Math.PI) / 180))]),
  }
  assert.equal(findSkew(points).degrees, 0)
})

test('a few dots say nothing', () => {
  const { along, across } = paintLines(3)
  assert.deepEqual(findSkew({ along: along.subarray(0, 50), across: across.subarray(0, 50) }), {
    degrees: 0,
    score: 0,
    lean: 1,
  })
})
