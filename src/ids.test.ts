import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chunkId, isId, newId } from './ids.ts'

test('an identifier has its prefix, sorts by time and is recognised', () => {
  const ids = Array.from({ length: 1000 }, () => newId('doc'))
  assert.deepEqual(ids, ids.toSorted())
  assert.equal(new Set(ids).size, 1000)
  assert.ok(ids.every((id) => isId('doc', id)))
})

test('nothing that is not an identifier of the resource passes', () => {
  const id = newId('mem')
  for (const other of [
    newId('doc'),
    id.toUpperCase(),
    `${id}'`,
    id.slice(0, -1),
    `${id} OR 1=1`,
    `mem_${'9'.repeat(26)}`,
    '',
  ]) {
    assert.equal(isId('mem', other), false, other)
  }
})

test('a chunk is named by its document and its number', () => {
  assert.equal(chunkId('doc_x', 12), 'doc_x.12')
})
