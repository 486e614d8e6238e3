import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createOverlapTest } from './value.ts'

const PLACE = fc.tuple(fc.nat(30), fc.nat(8)).map(([start, length]) => ({ start, end: start + length }))

test('detects shared characters, but not touching ranges', () => {
  fc.assert(
    fc.property(fc.array(PLACE), PLACE, (places, place) => {
      const expected = places.some(({ start, end }) => start < place.end && place.start < end)
      assert.equal(createOverlapTest(places)(place), expected)
    }),
  )
})

/** Counts element reads when every range is checked. */
function countLooks(count: number): number {
  let looks = 0
  const places = Array.from({ length: count }, (_, index) => ({
    get start() {
      looks += 1
      return index * 3
    },
    get end() {
      looks += 1
      return index * 3 + 2
    },
  }))
  const overlaps = createOverlapTest(places)
  for (const place of places) overlaps(place)
  return looks
}

test('avoids pairwise comparison of many ranges', () => {
  const [some, more] = [countLooks(500), countLooks(1000)]
  assert.ok(more < 3 * some, `${some} looks at 500 places, ${more} at 1000`)
})
