import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sizeCache, sizeIndexBuffer } from './lance-settings.ts'

const MEGABYTE = 1024n ** 2n
const GIGABYTE = 1024 ** 3

test('a cache takes no more than a sixteenth of the memory, and what it is meant to where there is more', () => {
  assert.equal(sizeCache(384n * MEGABYTE, 2 * GIGABYTE), 128n * MEGABYTE)
  assert.equal(sizeCache(384n * MEGABYTE, 64 * GIGABYTE), 384n * MEGABYTE)
  assert.equal(sizeCache(384n * MEGABYTE), 384n * MEGABYTE)
})

test('what is gathered for an index of words fits the memory', () => {
  assert.deepEqual(
    [0.25, 0.5, 1, 2, 4, 64].map((size) => sizeIndexBuffer(size * GIGABYTE)),
    [16, 16, 32, 64, 128, 128],
  )
  assert.equal(sizeIndexBuffer(), 128)
})
