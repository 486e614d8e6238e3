import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../src/ids.ts'
import type { ChunkRow, MemoryFile, ScanOptions } from '../../../src/memory-file/memory-file.ts'
import { chunk, DIMENSIONS, unit, withMemoryFile } from './memory-file-fixture.ts'

test('a scan gives every chunk exactly as it was written, by document and number, in batches of bounded size', () =>
  withMemoryFile(async ({ file }) => {
    const memory = newId('mem')
    const [first = '', second = '', large = ''] = [newId('doc'), newId('doc'), newId('doc')].sort()
    const rows = [
      chunk({ documentId: first, labels: ['0123456789abcdef', 'fedcba9876543210'], windows: Buffer.of(129, 111) }),
      chunk({ documentId: first, chunkIndex: 1, vector: new Float32Array(DIMENSIONS), section: 'A > B', page: 3 }),
      chunk({ documentId: second, kind: 'correction', text: 'Grüße, 世界 🎉', terms: 'gruss 世界', vector: unit(3) }),
      ...Array.from({ length: 2500 }, (_, chunkIndex) => chunk({ documentId: large, chunkIndex })),
    ]
    await file.add(memory, rows.toReversed())
    const batches = await scan(file, memory)
    assert.ok(batches.every(({ length }) => length <= 1024))
    assert.ok(batches.flat().every((row, index) => isSame(row, rows[index])))
    assert.equal(batches.flat().length, rows.length)
  }))

test('a scan of named documents gives theirs alone, and leaves the vectors out when they are not wanted', () =>
  withMemoryFile(async ({ file }) => {
    const memory = newId('mem')
    const rows = [chunk({}), chunk({}), chunk({})]
    await file.add(memory, rows)
    const documentIds = [rows[1]?.documentId ?? '', newId('doc')]
    const [found, ...more] = (await scan(file, memory, { documentIds, withVectors: false })).flat()
    assert.equal(found?.documentId, documentIds[0])
    assert.equal(found?.vector.length, 0)
    assert.equal(more.length, 0)
    assert.deepEqual(await scan(file, newId('mem')), [])
  }))

test('a scan whose table is compacted and cleaned between two batches still gives every chunk once', () => {
  let now = new Date('2026-01-01')
  return withMemoryFile(
    async ({ file }) => {
      const memory = newId('mem')
      const documentIds = [newId('doc'), newId('doc'), newId('doc')].sort()
      for (const documentId of documentIds) {
        const rows = Array.from({ length: 1000 }, (_, chunkIndex) => chunk({ documentId, chunkIndex }))
        await file.add(memory, rows)
      }
      const seen: string[] = []
      for await (const batch of file.scan(memory)) {
        seen.push(...batch.map(({ documentId, chunkIndex }) => `${documentId}.${chunkIndex}`))
        // An hour later, the versions at the start of the scan are gone.
        now = new Date(now.getTime() + 3_600_000)
        await file.maintain(memory)
      }
      assert.equal(seen.length, 3000)
      assert.equal(new Set(seen).size, 3000)
    },
    { now: () => now },
  )
})

async function scan(file: Pick<MemoryFile, 'scan'>, memory: string, options?: ScanOptions): Promise<ChunkRow[][]> {
  const batches: ChunkRow[][] = []
  for await (const batch of file.scan(memory, options)) batches.push(batch)
  return batches
}

function isSame(actual: ChunkRow, expected: ChunkRow | undefined): boolean {
  assert.deepEqual(actual, expected)
  return true
}
