import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pluralize } from './pluralize.ts'

test('uses the singular for one only', () => {
  assert.deepEqual(
    [0, 1, 2].map((count) => pluralize(count, 'document')),
    ['0 documents', '1 document', '2 documents'],
  )
  assert.deepEqual(
    [1, 3].map((count) => pluralize(count, 'memory', 'memories')),
    ['1 memory', '3 memories'],
  )
})
