import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChunkRow } from '../../../memory-file/memory-file.ts'
import { createBufferedReplace, createChunkBuffer, createWriteBehind } from './chunk-writers.ts'

const rows = (count: number) => Array.from({ length: count }, (_, chunkIndex) => ({ chunkIndex }) as ChunkRow)

test('all rows are written once, in order, in few writes', async () => {
  const written: number[][] = []
  const behind = createWriteBehind(async (some) => void written.push(some.map(({ chunkIndex }) => chunkIndex)))
  const all = rows(2500)
  for (let start = 0; start < all.length; start += 100) await behind.add(all.slice(start, start + 100))
  await behind.finish()
  assert.deepEqual(
    written.flat(),
    all.map(({ chunkIndex }) => chunkIndex),
  )
  assert.ok(written.length <= 3)
})

test('writes do not overlap', async () => {
  let running = 0
  const behind = createWriteBehind(async () => {
    running += 1
    assert.equal(running, 1)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
  })
  for (let i = 0; i < 4; i += 1) await behind.add(rows(1024))
  await behind.finish()
  assert.equal(running, 0)
})

test('a failed write rejects the next call', async () => {
  const failing = () => Promise.reject(new Error('full'))
  const early = createWriteBehind(failing)
  await early.add(rows(1024))
  await assert.rejects(early.add(rows(1024)), /full/)
  const late = createWriteBehind(failing)
  await late.add(rows(1))
  await assert.rejects(late.finish(), /full/)
})

const numbered = (count: number) => Array.from({ length: count }, (_, chunkIndex) => ({ chunkIndex }) as ChunkRow)

/** Replaces the rows of a document of 1,500 chunks by this number. */
async function replaceBy(count: number): Promise<string[]> {
  const happened: string[] = []
  const writer = createBufferedReplace({
    count: 1500,
    remove: async () => void happened.push('remove'),
    write: async (some) => void happened.push(`write ${some.length}`),
  })
  await writer.add(numbered(count))
  assert.deepEqual(happened, [], 'nothing is written before the end')
  await writer.finish()
  return happened
}

test('a live document is found while its chunks are replaced', async () => {
  assert.deepEqual(await replaceBy(1500), ['write 1024', 'write 476'])
  assert.deepEqual(await replaceBy(1600), ['write 1024', 'write 576'])
})

test('a document that became shorter keeps no old chunks', async () => {
  assert.deepEqual(await replaceBy(3), ['remove', 'write 3'])
})

test('small documents share a write, without those that were dropped', async () => {
  const writes: string[][] = []
  const add = async (_: string, some: readonly ChunkRow[]) => void writes.push(some.map(({ documentId }) => documentId))
  const buffer = createChunkBuffer({ memoryFile: { add } })
  for (const documentId of ['a', 'b', 'c']) await buffer.write('m', [{ documentId } as ChunkRow])
  buffer.drop('b')
  await buffer.flush('m')
  await buffer.flush('m')
  assert.deepEqual(writes, [['a', 'c']])
  await buffer.write('m', rows(1000))
  assert.equal(writes.length, 2)
})
