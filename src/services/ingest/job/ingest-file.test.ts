import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeReading } from './ingest-file.ts'

const pages = (count: number) => Array.from({ length: count }, () => 'a page')

test('a file without pages is as far as its characters, and says how many chunks are indexed', () => {
  const progress = { characters: 500, chunks: 3, pageCount: null, pages: [], recognized: 0 }
  assert.deepEqual(describeReading(progress, 1000), { percent: 49, message: 'indexed 3 chunks' })
})

test('a long sheet, of which no page ends, says how many chunks are indexed meanwhile', () => {
  const progress = { characters: 5e6, chunks: 6400, pageCount: 1, pages: [], recognized: 0 }
  assert.deepEqual(describeReading(progress, 1e6), { percent: 0, message: 'read 0 of 1 page, indexed 6400 chunks' })
})

test('a file with scans says how many pages are recognised', () => {
  const progress = { characters: 900, chunks: 2, pageCount: 4, pages: pages(2), recognized: 1 }
  assert.deepEqual(describeReading(progress, 1e6), { percent: 49, message: 'read 2 of 4 pages, recognised 1' })
})
