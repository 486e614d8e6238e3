import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fragment, IndexPart, Manifest } from '../manifest.ts'
import { estimateOptimizeBytes } from './free-space.ts'
import { MAX_JOINED_ROWS } from './reclaim.ts'

function fragment(id: number, over: Partial<Fragment> = {}): Fragment {
  return { id, path: `data/${id}.lance`, rows: 1000, deletedRows: 0, bytes: 100_000, ...over }
}

function index(fragmentIds: readonly number[], bytes: number): IndexPart {
  return { name: 'terms_idx', fragmentIds: new Set(fragmentIds), folder: '_indices/1', bytes }
}

function manifest(fragments: Fragment[], indexes: IndexPart[] = []): Manifest {
  return { version: 1, writtenAt: new Date(0), fragments, indexes, files: new Map() }
}

test('a compacted file needs no space for compaction', () => {
  assert.equal(estimateOptimizeBytes(manifest([fragment(0)], [index([0], 50_000)])), 0)
  const large = { rows: MAX_JOINED_ROWS }
  assert.equal(estimateOptimizeBytes(manifest([fragment(0, large), fragment(1, large)], [index([0, 1], 50_000)])), 0)
})

test('adjacent fragments of the same indexes need space for their copies and the index', () => {
  const joined = manifest([fragment(0), fragment(1)], [index([0, 1], 50_000)])
  assert.equal(estimateOptimizeBytes(joined), 200_000 + 2 * 50_000)
})

test('a large indexed fragment is not rewritten with small unindexed ones', () => {
  const grown = manifest([fragment(0, { bytes: 9_000_000 }), fragment(1), fragment(2)], [index([0], 50_000)])
  assert.equal(estimateOptimizeBytes(grown), 200_000 + 2 * 50_000 + 100_000)
})

test('a fragment with many deleted rows needs space for the remaining rows only', () => {
  const holed = manifest([fragment(0, { deletedRows: 750 })], [index([0], 0)])
  assert.equal(estimateOptimizeBytes(holed), 25_000)
})
