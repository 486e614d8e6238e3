import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeProgress } from './ingest-file.ts'

const pages = (count: number) => Array.from({ length: count }, () => 'a page')

test('progress of a file without pages follows its characters, with the number of chunks', () => {
  const progress = { characters: 500, chunks: 3, pageCount: null, pages: [], recognized: 0 }
  assert.deepEqual(describeProgress(progress, 1000), { percent: 49, message: 'indexed 3 chunks' })
})

test('progress of a long sheet reports the number of chunks', () => {
  const progress = { characters: 5e6, chunks: 6400, pageCount: 1, pages: [], recognized: 0 }
  assert.deepEqual(describeProgress(progress, 1e6), { percent: 0, message: 'read 0 of 1 page, indexed 6400 chunks' })
})

test('progress of a file with scans reports the number of recognised pages', () => {
  const progress = { characters: 900, chunks: 2, pageCount: 4, pages: pages(2), recognized: 1 }
  assert.deepEqual(describeProgress(progress, 1e6), { percent: 49, message: 'read 2 of 4 pages, recognised 1' })
})
