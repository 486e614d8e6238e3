import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxConcurrentTexts } from './choose-indexing.ts'

const embedder = { model: 'm', windowCharacters: 200, chunksAtOnce: 32 } as never
const thread = {} as never

test('with a thread, many small texts or two large texts are indexed concurrently', () => {
  const ofSize = (bytes: number) =>
    maxConcurrentTexts({ embedder, analyzer: {} as never, thread }, Array(100).fill(bytes))
  assert.deepEqual([1, 1000, 4000, 12_000, 2_000_000].map(ofSize), [24, 24, 6, 2, 2])
})

test('without a thread and a remote embedder, texts are indexed sequentially', () => {
  const sizes = [10, 10]
  assert.equal(maxConcurrentTexts({ embedder, analyzer: {} as never }, sizes), 1)
  const far = { windowCharacters: null, chunksAtOnce: 8 } as never
  assert.equal(maxConcurrentTexts({ embedder: far, analyzer: {} as never }, sizes), 8)
})
