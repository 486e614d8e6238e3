import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPage } from './locate-pages.ts'

const PAGES = [
  { page: 1, characters: 10 },
  { page: 3, characters: 5 },
  { page: 2, characters: 0 },
]

test('a place stands on the page whose text it is in', () => {
  const found = [0, 9, 10, 14, 15].map((offset) => findPage({ pages: PAGES, characterCount: 15 }, offset))
  assert.deepEqual(found, [1, 1, 3, 3, null])
})

test('pages that do not add up to the text say nothing', () => {
  assert.equal(findPage({ pages: PAGES, characterCount: 16 }, 3), null)
  assert.equal(findPage({ pages: [], characterCount: 16 }, 3), null)
})
