import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchesWithYield, toChunkTable } from '../../../src/memory-file/chunk-table.ts'
import { chunk } from './memory-file-fixture.ts'

const labels = Array.from({ length: 200 }, (_, index) => index.toString(16).padStart(64, '0'))
const chunks = Array.from({ length: 500 }, (_, chunkIndex) =>
  chunk({ labels: chunkIndex < 200 ? labels : [], chunkIndex }),
)

test('batches have few chunks with many labels and some tens of others, in order, with yields between', async () => {
  const seen: number[][] = []
  let others = 0
  let isOver = false
  const other = () => {
    others += 1
    if (!isOver) setImmediate(other)
  }
  setImmediate(other)
  for await (const some of batchesWithYield(chunks)) seen.push(some.map(({ chunkIndex }) => chunkIndex))
  isOver = true
  assert.deepEqual(
    seen.flat(),
    chunks.map(({ chunkIndex }) => chunkIndex),
  )
  assert.deepEqual(
    seen.map(({ length }) => length),
    [...Array(9).fill(20), ...Array(5).fill(64)],
  )
  assert.ok(others >= seen.length - 1, `${others} of ${seen.length}`)
})

test('one chunk gives one batch with any labels, and no chunk gives none', async () => {
  const many = chunk({ labels: Array.from({ length: 10_000 }, () => labels[0] ?? '') })
  const seen: number[] = []
  for await (const some of batchesWithYield([many, many])) seen.push(some.length)
  for await (const some of batchesWithYield([])) seen.push(some.length)
  assert.deepEqual(seen, [1, 1])
})

test('a table is made of them a turn at a time', async () => {
  const table = await toChunkTable(chunks)
  assert.equal(table.numRows, 500)
  assert.equal(table.batches.length, 14)
})
