import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPage } from './locate-pages.ts'

const PAGES = [
  { page: 1, characters: 10 },
  { page: 3, characters: 5 },
  { page: 2, characters: 0 },
]

test('finds the page of an offset', () => {
  const found = [0, 9, 10, 14, 15].map((offset) => findPage({ pages: PAGES, characterCount: 15 }, offset))
  assert.deepEqual(found, [1, 1, 3, 3, null])
})

test('returns null if the pages do not add up to the text', () => {
  assert.equal(findPage({ pages: PAGES, characterCount: 16 }, 3), null)
  assert.equal(findPage({ pages: [], characterCount: 16 }, 3), null)
})
