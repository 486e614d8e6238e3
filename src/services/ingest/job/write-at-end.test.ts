import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChunkRow } from '../../../memory-file/memory-file.ts'
import { createWriteAtEnd } from './write-at-end.ts'

const rows = (count: number) => Array.from({ length: count }, (_, chunkIndex) => ({ chunkIndex }) as ChunkRow)

/** What happens to a document of 1,500 chunks that is read again as so many. */
async function replaceBy(count: number): Promise<string[]> {
  const happened: string[] = []
  const writer = createWriteAtEnd({
    count: 1500,
    remove: async () => void happened.push('remove'),
    write: async (some) => void happened.push(`write ${some.length}`),
  })
  await writer.add(rows(count))
  assert.deepEqual(happened, [], 'nothing is written before the end')
  await writer.finish()
  return happened
}

test('a document that shows is found while its chunks are replaced', async () => {
  assert.deepEqual(await replaceBy(1500), ['write 1024', 'write 476'])
  assert.deepEqual(await replaceBy(1600), ['write 1024', 'write 576'])
})

test('a document that became shorter keeps none of its former chunks', async () => {
  assert.deepEqual(await replaceBy(3), ['remove', 'write 3'])
})
