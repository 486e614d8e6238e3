import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../ids.ts'
import { memoryOfFile, newFileName } from './file-name.ts'

test('file names contain the identifier of the memory and are unique', () => {
  const memoryId = newId('mem')
  const [one, other] = [newFileName(memoryId), newFileName(memoryId)]
  assert.notEqual(one, other)
  assert.deepEqual([memoryId, one, other].map(memoryOfFile), [memoryId, memoryId, memoryId])
})

test('other file names have no memory', () => {
  const memoryId = newId('mem')
  const names = [
    '',
    'mem_',
    newId('doc'),
    `${memoryId}.`,
    `${memoryId}x`,
    `${memoryId}.g1`,
    `${newFileName(memoryId)}.x`,
  ]
  for (const name of [...names, `${memoryId}./../x`, `draft_${memoryId}`]) assert.equal(memoryOfFile(name), null, name)
})
