import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRowSums, readStaticModel } from './static-model.ts'

const DIMENSIONS = 16

/** Two pieces: `cold` is (3, 0, …) × 0.5, `room` is (0, 4, …) × 0.25. */
function makeTable(dimensions = DIMENSIONS): Buffer {
  const table = Buffer.alloc(16 + 8 + 2 * dimensions)
  table.write('SEMB', 'latin1')
  table.writeUInt32LE(1, 4)
  table.writeUInt32LE(2, 8)
  table.writeUInt32LE(dimensions, 12)
  table.writeFloatLE(0.5, 16)
  table.writeFloatLE(0.25, 20)
  table[24] = 3
  table[24 + dimensions + 1] = 4
  return table
}

test('a vector is the normalised sum of scaled rows, repeated pieces by the root of their count', () => {
  const model = readStaticModel(makeTable(), 'cold\nroom\n')
  const length = Math.hypot(1.5 * 2, 1)
  const vector = model.embed('Cold cold COLD cold room')
  assert.ok(Math.abs((vector[0] ?? 0) - 3 / length) < 1e-6)
  assert.ok(Math.abs((vector[1] ?? 0) - 1 / length) < 1e-6)
})

test('the vector of unknown words is zero', () => {
  const model = readStaticModel(makeTable(), 'cold\nroom\n')
  assert.deepEqual([...model.embed('warm')], Array(DIMENSIONS).fill(0))
  assert.deepEqual([...model.embed('')], Array(DIMENSIONS).fill(0))
})

test('damaged files are rejected', () => {
  assert.throws(() => readStaticModel(makeTable().subarray(0, -1), 'cold\nroom\n'), /cut off/)
  assert.throws(() => readStaticModel(Buffer.from('nothing of the kind'), 'cold\nroom\n'), /version 1/)
  assert.throws(() => readStaticModel(makeTable(), 'cold\n'), /does not fit/)
  assert.throws(() => readStaticModel(makeTable(24), 'cold\nroom\n'), /multiple of 16/)
})

const ROWS = 300
const COLUMNS = 256

/** Every number from -128 to 127, in a different order in each row. */
function makeSumsTable(): Int8Array {
  return Int8Array.from({ length: ROWS * COLUMNS }, (_, at) => at * 167 + Math.floor(at / COLUMNS) * 31)
}

/** The same sum, computed one number at a time. */
function unitSum(table: Int8Array, weights: ReadonlyMap<number, number>): number[] {
  const sum = Array.from({ length: COLUMNS }, (_, at) =>
    [...weights].reduce((total, [row, weight]) => total + weight * (table[row * COLUMNS + at] ?? 0), 0),
  )
  const length = Math.hypot(...sum)
  return sum.map((component) => component / length)
}

test('a sum is that of the weighted rows, of length 1', () => {
  const table = makeSumsTable()
  const sums = createRowSums(table, COLUMNS)
  for (const count of [1, 2, 17, ROWS]) {
    const weights = new Map(Array.from({ length: count }, (_, place) => [(place * 7) % ROWS, 0.01 + (place % 5) / 100]))
    for (const [row, weight] of weights) sums.add(row, weight)
    const expected = unitSum(table, weights)
    const sum = sums.take()
    assert.equal(sum.length, COLUMNS)
    for (const [at, component] of sum.entries()) assert.ok(Math.abs(component - (expected[at] ?? 0)) < 1e-6, `${at}`)
  }
})

test('a sum of no rows or of cancelling rows is zero, and is not changed by the next sum', () => {
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
