import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitCache } from './fit-cache.ts'

const MEGABYTE = 1024n ** 2n

test('a cache takes no more than a sixteenth of the memory, and what it is meant to where there is more', () => {
  assert.equal(fitCache(384n * MEGABYTE, 2 * 1024 ** 3), 128n * MEGABYTE)
  assert.equal(fitCache(384n * MEGABYTE, 64 * 1024 ** 3), 384n * MEGABYTE)
  assert.equal(fitCache(384n * MEGABYTE), 384n * MEGABYTE)
})
