import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect, type Table } from '@lancedb/lancedb'
import type { RecordBatch } from 'apache-arrow'
import { newId } from '../../../src/ids.ts'
import { toDocumentSet } from '../../../src/memory-file/chunk-predicate.ts'
import { createInMemoryIndexes } from '../../../src/memory-file/in-memory/in-memory-indexes.ts'
import { startIndexThread } from '../../../src/memory-file/in-memory/index-thread.ts'
import { readTableRows } from '../../../src/memory-file/in-memory/table-rows.ts'
import { createLanceMemoryFile } from '../../../src/memory-file/lance-memory-file.ts'
import type { ChunkFilter, FoundChunk } from '../../../src/memory-file/memory-file.ts'
import { openVersionFolder, readNewestManifest } from '../../../src/memory-file/version-files.ts'
import { chunk, INDEX_BYTES, SILENT, unit, withMemoryFile } from './memory-file-fixture.ts'

const WORDS = ['heron', 'crane', 'gull', 'reed', 'pond', 'river', 'stone', 'moss', 'fern', 'lark']
const LIMIT = { limit: 500 }

/** Pseudo-random numbers below `end`, the same in each run (Park and Miller 1988). */
function createRandom(seed: number): (end: number) => number {
  let state = seed
  return (end) => {
    state = (state * 48_271) % 2_147_483_647
    return state % end
  }
}

function makeRows(count: number, random: (end: number) => number) {
  return Array.from({ length: count }, () =>
    chunk({
      kind: random(5) === 0 ? 'correction' : 'document',
      terms: Array.from({ length: 1 + random(6) }, () => WORDS[random(WORDS.length)]).join(' '),
      vector: random(9) === 0 ? new Float32Array(8) : Float32Array.from(unit(random(8))),
    }),
  )
}

test('searches with the index find the same chunks as Lance, with the same scores, after every kind of write', () =>
  withMemoryFile(
    async ({ file, directory }) => {
      const random = createRandom(7)
      const memory = newId('mem')
      const rows = makeRows(120, random)
      await file.add(memory, rows)
      const [first] = rows
      const ids = rows.map(({ documentId }) => documentId)
      const filters: ChunkFilter[] = [
        {},
        { kind: 'document' },
        { kind: 'correction', documents: toDocumentSet(ids.slice(60)) },
        { documents: toDocumentSet(ids.slice(0, 40)) },
        { documents: { ids, bits: Uint8Array.from(ids, (_, place) => place % 3), size: 40 } },
        { documents: toDocumentSet([newId('doc')]) },
      ]
      const check = async (hasEqualScores = false) => {
        const plain = await createLanceMemoryFile({ directory, log: SILENT })
        for (const filter of filters)
          for (const asked of [['heron'], ['crane', 'gull', 'gull'], ['reed', 'absent', 'moss', 'fern']]) {
            const options = { ...LIMIT, filter }
            assertAlike(
              await file.found.searchLexical(memory, asked, options),
              await plain.searchLexical(memory, asked, options),
              hasEqualScores,
            )
            const vector = unit(random(8))
            assertAlike(
              await file.found.searchVector(memory, vector, options),
              await plain.searchVector(memory, vector, options),
              hasEqualScores,
            )
          }
        await plain.close()
      }
      await check()
      await file.add(memory, makeRows(30, random))
      await check()
      await file.deleteDocuments(
        memory,
        rows.slice(3, 20).map(({ documentId }) => documentId),
      )
      await check()
      await file.add(memory, [{ ...(first ?? assert.fail()), terms: 'heron heron heron', labels: [] }])
      await check()
      await file.maintain(memory)
      await check(true)
    },
    { indexBytes: INDEX_BYTES },
  ))

/** Before maintenance, scores differ: Lance counts removed rows, and new rows separately. */
function assertAlike(found: readonly FoundChunk[], expected: readonly FoundChunk[], hasEqualScores: boolean): void {
  const rows = (hits: readonly FoundChunk[]) => hits.map(({ row }) => row).sort()
  assert.deepEqual(rows(found), rows(expected))
  const scores = new Map(expected.map(({ row, score }) => [row, score]))
  if (hasEqualScores) for (const { row, score } of found) assert.ok(Math.abs(score - (scores.get(row) ?? 0)) < 0.002)
}

test('searches and reads with an index need no data of the file', () =>
  withMemoryFile(
    async ({ file, directory }) => {
      const memory = newId('mem')
      await file.add(memory, [chunk({ terms: 'heron' }), chunk({ terms: 'crane' })])
      assert.equal((await file.searchLexical(memory, ['crane'], LIMIT)).length, 1)
      await file.searchVector(memory, unit(0), LIMIT)
      await rm(join(directory, 'memories', `${memory}.lance`, 'data'), { recursive: true })
      assert.deepEqual(
        (await file.searchLexical(memory, ['heron'], LIMIT)).map(({ text }) => text),
        ['heron'],
      )
    },
    { indexBytes: INDEX_BYTES },
  ))

test('after more writes than a search waits for, all are found at once, and the index again later', () =>
  withMemoryFile(
    async ({ file, directory }) => {
      const memory = newId('mem')
      await file.add(memory, [chunk({ terms: 'heron' })])
      await file.searchLexical(memory, ['heron'], LIMIT)
      await file.add(
        memory,
        Array.from({ length: 2500 }, () => chunk({ terms: 'gull' })),
      )
      await file.add(memory, [chunk({ terms: 'crane' })])
      assert.equal((await file.found.searchLexical(memory, ['crane'], LIMIT)).length, 1)
      await rm(join(directory, 'memories', `${memory}.lance`, '_indices'), { recursive: true })
      assert.equal((await file.searchLexical(memory, ['crane'], LIMIT)).length, 1)
    },
    { indexBytes: INDEX_BYTES },
  ))

test('a memory that does not fit into the budget is searched by Lance', () =>
  withMemoryFile(
    async ({ file }) => {
      const memory = newId('mem')
      await file.add(memory, [chunk({ terms: 'heron' })])
      assert.equal((await file.searchLexical(memory, ['heron'], LIMIT)).length, 1)
    },
    { indexBytes: 1 },
  ))

test('indexes see the commits of other processes, and end with their thread', () =>
  withMemoryFile(async ({ file, directory }) => {
    const memory = newId('mem')
    await file.add(memory, [chunk({ terms: 'heron' })])
    const folder = join(directory, 'memories')
    const connection = await connect(folder, { readConsistencyInterval: 0 })
    const table = await connection.openTable(memory)
    const threads: ReturnType<typeof startIndexThread>[] = []
    const warnings: string[] = []
    const indexes = createInMemoryIndexes({
      use: async (_, work) => work(table),
      versions: openVersionFolder(folder),
      isShared: true,
      start: () => {
        const thread = startIndexThread()
        threads.push(thread)
        return thread
      },
      budgetBytes: INDEX_BYTES,
      log: { warn: (_facts: object, ...words: unknown[]) => void warnings.push(String(words[0])) },
    })
    try {
      const search = async (term: string) => {
        const index = await indexes.open(memory, table)
        return index && (await index.searchLexical([term], LIMIT))?.length
      }
      assert.equal(await search('heron'), null)
      await indexes.idle()
      assert.equal(await search('heron'), 1)
      await file.add(memory, [chunk({ terms: 'heron' })])
      assert.equal(await search('heron'), 2)
      await threads[0]?.terminate()
      assert.equal((await search('heron')) ?? null, null)
      assert.deepEqual(warnings, ['the thread of in-memory indexes failed; Lance searches the memory file'])
      assert.equal(await search('heron'), null)
      await indexes.idle()
      assert.equal(await search('heron'), 2)
    } finally {
      await indexes.close()
      connection.close()
    }
  }))

test('the index of a filled memory file is built before the first search, that of another one is not', () =>
  withMemoryFile(async ({ file, directory }) => {
    const memories = [newId('mem'), newId('mem')] as const
    for (const memory of memories) await file.add(memory, [chunk({ terms: 'heron' })])
    const connection = await connect(join(directory, 'memories'))
    const threads: ReturnType<typeof startIndexThread>[] = []
    const indexes = createInMemoryIndexes({
      use: async (name, work) => work(await connection.openTable(name)),
      versions: openVersionFolder(join(directory, 'memories')),
      isShared: false,
      start: () => threads[threads.push(startIndexThread()) - 1] ?? assert.fail(),
      budgetBytes: INDEX_BYTES,
      log: SILENT,
    })
    try {
      const [filled, added] = memories
      indexes.noteWrite(filled, 6000)
      indexes.noteWrite(added, 4000)
      for (const memory of memories) indexes.prepare(memory, 10_000)
      await indexes.idle()
      assert.notEqual(await indexes.open(filled, await connection.openTable(filled)), null)
      assert.equal(await indexes.open(added, await connection.openTable(added)), null)
      await indexes.idle()
      await threads[0]?.terminate()
      await (await indexes.open(filled, await connection.openTable(filled)))?.searchLexical(['heron'], LIMIT)
      indexes.noteWrite(filled, 1000)
      indexes.prepare(filled, 11_000)
      await indexes.idle()
      assert.equal(await indexes.open(filled, await connection.openTable(filled)), null)
    } finally {
      await indexes.close()
      connection.close()
    }
  }))

test('a table with more rows than are compared is indexed without its vectors', () =>
  withMemoryFile(async ({ file, directory }) => {
    const memory = newId('mem')
    await file.add(
      memory,
      Array.from({ length: 3 }, () => chunk({ terms: 'heron' })),
    )
    const connection = await connect(join(directory, 'memories'))
    const table = await connection.openTable(memory)
    const countFound = async (maxComparedRows: number) => {
      const indexes = createInMemoryIndexes({
        use: async (_, work) => work(table),
        versions: openVersionFolder(join(directory, 'memories')),
        isShared: false,
        start: startIndexThread,
        budgetBytes: INDEX_BYTES,
        log: SILENT,
        maxComparedRows,
      })
      try {
        await indexes.open(memory, table)
        await indexes.idle()
        const index = (await indexes.open(memory, table)) ?? assert.fail()
        const [byWords, byVector] = [
          await index.searchLexical(['heron'], LIMIT),
          await index.searchVector(unit(0), LIMIT),
        ]
        assert.notEqual(indexes.recordOf(memory, byWords?.[0]?.row ?? 0n), null)
        return [byWords?.length, byVector?.length]
      } finally {
        await indexes.close()
      }
    }
    assert.deepEqual(await countFound(2), [3, undefined])
    assert.deepEqual(await countFound(3), [3, 3])
    connection.close()
  }))

test('of two memories that do not fit together, the one not used for a minute makes room', async () => {
  await withMemoryFile(async ({ file, directory }) => {
    const memories = [newId('mem'), newId('mem')] as const
    for (const memory of memories) await file.add(memory, [chunk({ terms: 'heron' })])
    const folder = join(directory, 'memories')
    const connection = await connect(folder)
    const tables = new Map(
      await Promise.all(memories.map(async (memory) => [memory, await connection.openTable(memory)] as const)),
    )
    const manifest = await readNewestManifest(openVersionFolder(folder), memories[0])
    const bytes = manifest?.fragments.reduce((total, fragment) => total + fragment.bytes, 0) ?? 0
    const tableOf = (name: string) => tables.get(name) ?? assert.fail()
    let nowMs = 0
    const indexes = createInMemoryIndexes({
      use: async (name, work) => work(tableOf(name)),
      versions: openVersionFolder(folder),
      isShared: false,
      start: startIndexThread,
      budgetBytes: 1.5 * (bytes + 512 * 1024),
      log: SILENT,
      nowMs: () => nowMs,
    })
    const isIndexed = async (memory: string) => {
      await indexes.open(memory, tableOf(memory))
      await indexes.idle()
      return (await indexes.open(memory, tableOf(memory))) !== null
    }
    try {
      assert.equal(await isIndexed(memories[0]), true)
      assert.equal(await isIndexed(memories[1]), false)
      nowMs += 61_000
      assert.equal(await isIndexed(memories[1]), true)
      assert.equal(await indexes.open(memories[0], tableOf(memories[0])), null)
    } finally {
      await indexes.close()
      connection.close()
    }
  })
})

test('a memory that outgrows the budget, or is deleted during a search, costs no other memory its index', () =>
  withMemoryFile(
    async ({ file, directory }) => {
      const [memory, other] = [newId('mem'), newId('mem')]
      for (const name of [memory, other]) {
        await file.add(name, [chunk({ terms: 'heron' })])
        await file.searchLexical(name, ['heron'], LIMIT)
      }
      await file.add(
        memory,
        Array.from({ length: 1500 }, () => chunk({ terms: 'gull' })),
      )
      assert.equal((await file.searchLexical(memory, ['gull'], { limit: 9 })).length, 9)
      const gone = newId('mem')
      await file.add(gone, [chunk({ terms: 'heron' })])
      await file.searchLexical(gone, ['heron'], LIMIT)
      await file.add(
        gone,
        Array.from({ length: 1500 }, () => chunk({ terms: 'gull' })),
      )
      const searches = Array.from({ length: 3 }, () => file.found.searchLexical(gone, ['gull'], LIMIT))
      await Promise.all([file.drop(gone), ...searches])
      await rm(join(directory, 'memories', `${other}.lance`, 'data'), { recursive: true })
      assert.deepEqual(
        (await file.searchLexical(other, ['heron'], LIMIT)).map(({ text }) => text),
        ['heron'],
      )
    },
    { indexBytes: 1_700_000 },
  ))

test('the bytes of a batch are freed when its columns are copied', () =>
  withMemoryFile(async ({ file, directory }) => {
    const memory = newId('mem')
    await file.add(memory, [chunk({ terms: 'heron' })])
    const connection = await connect(join(directory, 'memories'))
    const table = await connection.openTable(memory)
    const buffers: ArrayBufferLike[] = []
    const watch = async function* (batches: AsyncIterable<object>) {
      for await (const batch of batches as AsyncIterable<RecordBatch>) {
        buffers.push(batch.getChild('record')?.data[0]?.values.buffer)
        yield batch
      }
    }
    const query = () => ({
      withRowId: () => ({ select: (columns: string[]) => watch(table.query().withRowId().select(columns)) }),
    })
    for await (const { indexed } of readTableRows({ query } as unknown as Table, { from: 0n, dimensions: 8 }))
      assert.deepEqual(
        [Buffer.from(indexed.terms.bytes).toString(), indexed.vectors.length, buffers[0]?.byteLength],
        ['heron', 8, 0],
      )
    assert.equal(buffers.length, 1)
    connection.close()
  }))

test('rows that compaction moves while they are read are not lost', () =>
  withMemoryFile(async ({ file, directory }) => {
    const memory = newId('mem')
    for (let add = 0; add < 3; add += 1) await file.add(memory, [chunk({ terms: 'heron' })])
    const folder = join(directory, 'memories')
    const connection = await connect(folder)
    const table = await connection.openTable(memory)
    const versions = openVersionFolder(folder)
    const indexes = createInMemoryIndexes({
      use: async (_, work) => work(table),
      versions: {
        async read(...asked) {
          const manifest = await versions.read(...asked)
          await table.optimize()
          return manifest
        },
      },
      isShared: false,
      start: startIndexThread,
      budgetBytes: INDEX_BYTES,
      log: SILENT,
    })
    try {
      await indexes.open(memory, table)
      await indexes.idle()
      const index = await indexes.open(memory, table)
      assert.equal((await index?.searchLexical(['heron'], LIMIT))?.length, 3)
    } finally {
      await indexes.close()
      connection.close()
    }
  }))
