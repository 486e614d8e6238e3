import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRowSums } from './row-sums.ts'

const ROWS = 300
const DIMENSIONS = 256

/** Every number from -128 to 127, in an order of its own in each row. */
function makeTable(): Int8Array {
  return Int8Array.from({ length: ROWS * DIMENSIONS }, (_, at) => at * 167 + Math.floor(at / DIMENSIONS) * 31)
}

/** The same sum, a number at a time. */
function unitSum(table: Int8Array, weights: ReadonlyMap<number, number>): number[] {
  const sum = Array.from({ length: DIMENSIONS }, (_, at) =>
    [...weights].reduce((total, [row, weight]) => total + weight * (table[row * DIMENSIONS + at] ?? 0), 0),
  )
  const length = Math.hypot(...sum)
  return sum.map((component) => component / length)
}

test('a sum is that of the weighted rows, of length 1', () => {
  const table = makeTable()
  const sums = createRowSums(table, DIMENSIONS)
  for (const count of [1, 2, 17, ROWS]) {
    const weights = new Map(Array.from({ length: count }, (_, place) => [(place * 7) % ROWS, 0.01 + (place % 5) / 100]))
    for (const [row, weight] of weights) sums.add(row, weight)
    const expected = unitSum(table, weights)
    const sum = sums.take()
    assert.equal(sum.length, DIMENSIONS)
    for (const [at, component] of sum.entries()) assert.ok(Math.abs(component - (expected[at] ?? 0)) < 1e-6, `${at}`)
  }
})

test('of no row, and of rows that outweigh each other, it is all zeros; a sum stays as it is when the next is taken', () => {
  const table = Int8Array.from({ length: 2 * 16 }, (_, at) => (at < 16 ? 5 : -5))
  const sums = createRowSums(table, 16)
  sums.add(1, 2)
  const first = sums.take()
  assert.deepEqual([...sums.take()], Array(16).fill(0))
  sums.add(0, 1)
  sums.add(1, 1)
  assert.deepEqual([...sums.take()], Array(16).fill(0))
  assert.deepEqual([...first], Array(16).fill(-0.25))
})
