import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitParts } from './archive-lines.ts'

const split = (sizes: readonly number[]) => [...splitParts(sizes, (bytes) => bytes, { items: 3, bytes: 10 })]

test('a part is closed at its number of items or its bytes, whichever comes first, and nothing is lost', () => {
  assert.deepEqual(split([]), [])
  assert.deepEqual(split([1, 1, 1, 1]), [[1, 1, 1], [1]])
  assert.deepEqual(split([5, 5, 1]), [[5, 5], [1]])
})

test('what is too large for any part is one by itself', () => {
  assert.deepEqual(split([1, 11, 1]), [[1], [11], [1]])
  assert.deepEqual(split([11, 11]), [[11], [11]])
})
