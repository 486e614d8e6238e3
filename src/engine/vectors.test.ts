import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUnitVector } from './vectors.ts'

test('a unit vector has length 1 or is zero, and all numbers are finite', () => {
  const is = (...numbers: number[]) => isUnitVector(new Float32Array(numbers))
  assert.deepEqual([is(1, 0), is(0.6, -0.8), is(0, 0), is(0.6001, 0.8001)], [true, true, true, true])
  assert.deepEqual([is(0.6, 0.6), is(3, 4), is(Number.NaN, 1), is(Infinity, 0)], [false, false, false, false])
})
