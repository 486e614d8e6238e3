import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStaticModel } from './static-model.ts'

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

test('a text of unknown words is all zeros', () => {
  const model = readStaticModel(makeTable(), 'cold\nroom\n')
  assert.deepEqual([...model.embed('warm')], Array(DIMENSIONS).fill(0))
  assert.deepEqual([...model.embed('')], Array(DIMENSIONS).fill(0))
})

test('damaged files are refused', () => {
  assert.throws(() => readStaticModel(makeTable().subarray(0, -1), 'cold\nroom\n'), /cut off/)
  assert.throws(() => readStaticModel(Buffer.from('nothing of the kind'), 'cold\nroom\n'), /version 1/)
  assert.throws(() => readStaticModel(makeTable(), 'cold\n'), /does not fit/)
  assert.throws(() => readStaticModel(makeTable(24), 'cold\nroom\n'), /multiple of 16/)
})
