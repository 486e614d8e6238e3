import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Box, IN_PLACE, placeBox, placeScaled, placeTurned } from './placement.ts'

const picture = { width: 400, height: 200 }

test('boxes of a scaled page map to the image', () => {
  const placement = placeScaled(IN_PLACE, picture, { width: 800, height: 400 })
  assert.deepEqual(placeBox(placement, [20, 40, 100, 60], picture), [10, 20, 50, 30])
})

test('boxes of a rotated page map to the image', () => {
  const expected: Box = [10, 20, 30, 40]
  const seen: readonly (readonly [number, Box])[] = [
    [90, [140, 10, 40, 30]],
    [180, [360, 140, 30, 40]],
    [270, [20, 360, 40, 30]],
  ]
  for (const [degrees, box] of seen) {
    const to = degrees === 180 ? picture : { width: 200, height: 400 }
    assert.deepEqual(placeBox(placeTurned(IN_PLACE, degrees, { from: picture, to }), box, picture), expected)
  }
})

test('scaling and rotation are undone in reverse order', () => {
  const large = { width: 800, height: 400 }
  const scaled = placeScaled(IN_PLACE, picture, large)
  const turned = placeTurned(scaled, 90, { from: large, to: { width: 400, height: 800 } })
  assert.deepEqual(placeBox(turned, [280, 20, 80, 60], picture), [10, 20, 30, 40])
})

test('boxes are clipped to the image', () => {
  const placement = placeTurned(IN_PLACE, 5, { from: picture, to: { width: 416, height: 234 } })
  const [x, y, width, height] = placeBox(placement, [0, 0, 416, 234], picture)
  assert.deepEqual([x, y, x + width, y + height], [0, 0, 400, 200])
})
