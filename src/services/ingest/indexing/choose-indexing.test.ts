import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textsAtOnce } from './choose-indexing.ts'

const embedder = { model: 'm', windowCharacters: 200, chunksAtOnce: 32 } as never
const thread = {} as never

test('beside a thread many small texts are under way together, of large ones two', () => {
  const ofSize = (bytes: number) => textsAtOnce({ embedder, analyzer: {} as never, thread }, Array(100).fill(bytes))
  assert.deepEqual([1, 1000, 4000, 12_000, 2_000_000].map(ofSize), [24, 24, 6, 2, 2])
})

test('without a thread texts are indexed one after the other, wherever the embedder is not far away', () => {
  const sizes = [10, 10]
  assert.equal(textsAtOnce({ embedder, analyzer: {} as never }, sizes), 1)
  const far = { windowCharacters: null, chunksAtOnce: 8 } as never
  assert.equal(textsAtOnce({ embedder: far, analyzer: {} as never }, sizes), 8)
})
