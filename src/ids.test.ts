import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chunkId, isId, newId } from './ids.ts'

test('an identifier has its prefix, sorts by time and is recognised', () => {
  const ids = Array.from({ length: 1000 }, () => newId('doc'))
  assert.deepEqual(ids, ids.toSorted())
  assert.equal(new Set(ids).size, 1000)
  assert.ok(ids.every((id) => isId('doc', id)))
})

test('identifiers of one time, and of later ones, sort in the order in which they were made, whatever this machine takes the time for', () => {
  const times = Array.from({ length: 1000 }, (_, count) => new Date(Date.UTC(2030, 0) + Math.floor(count / 10)))
  const ids = times.map((at) => newId('mem', at))
  assert.deepEqual(ids, ids.toSorted())
  assert.equal(new Set(ids).size, 1000)
  assert.ok(ids.every((id) => isId('mem', id)))
  assert.ok(newId('mem') < (ids[0] ?? ''))
  assert.ok(newId('mem', new Date(0)) < newId('mem'))
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
