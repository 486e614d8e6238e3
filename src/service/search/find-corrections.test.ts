import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onceADocument } from './find-corrections.ts'

it('a long correction stands where its best chunk stands, once', () => {
  const found = [
    ['a', 3],
    ['b', 2],
    ['a', 1],
  ].map(([id, strength]) => ({ candidate: { document: { id: String(id) } }, strength }))
  assert.deepEqual(
    onceADocument(found).map(({ candidate, strength }) => [candidate.document.id, strength]),
    [
      ['a', 3],
      ['b', 2],
    ],
  )
})
