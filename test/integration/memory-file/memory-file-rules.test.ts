import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { connect, type Table } from '@lancedb/lancedb'
import { newId } from '../../../src/ids.ts'
import { toDocumentSet } from '../../../src/memory-file/chunk-predicate.ts'
import { chunkSchema } from '../../../src/memory-file/chunk-table.ts'
import type { StoredChunk } from '../../../src/memory-file/memory-file.ts'
import { chunk, DIMENSIONS, SEARCHES, terms, unit } from './memory-file-fixture.ts'

/** The dataset seen by Lance itself, beside the memory file. */
async function rawTable(directory: string, memory: string): Promise<Table> {
  return (await connect(join(directory, 'memories'), { readConsistencyInterval: 0 })).openTable(memory)
}

for (const { by, withMemoryFile } of SEARCHES) {
  describe(`searched by ${by}`, () => {
    test('writing the same chunk again replaces it, also within one add and one commit', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        const row = chunk({})
        await file.add(memory, [row, { ...row, text: 'second' }])
        assert.deepEqual(terms(await file.read(memory, row.documentId)), ['second'])
        await Promise.all([
          file.add(memory, [{ ...row, text: 'third' }]),
          file.add(memory, [{ ...row, text: 'fourth' }]),
        ])
        assert.deepEqual(terms(await file.read(memory, row.documentId)), ['fourth'])
      }))

    test('an add never starts a new file in the place of a lost one', () =>
      withMemoryFile(async ({ file, directory }) => {
        const memory = newId('mem')
        const row = chunk({})
        await file.add(memory, [row])
        await rm(join(directory, 'memories', `${memory}.lance`), { recursive: true })
        await assert.rejects(file.add(memory, [chunk({})]), { code: 'data_damaged' })
        assert.equal(await file.exists(memory), false)
        await file.deleteDocuments(memory, [row.documentId])
        assert.equal(await file.exists(memory), false)
      }))

    test('two instances that add the same chunk concurrently keep it once', () =>
      withMemoryFile(async ({ file, reopen }) => {
        const memory = newId('mem')
        const other = await reopen()
        await file.add(memory, [chunk({})])
        for (let i = 0; i < 10; i += 1) {
          const row = chunk({})
          await Promise.all([file.add(memory, [row]), other.add(memory, [row])])
          assert.equal((await file.read(memory, row.documentId)).length, 1)
        }
      }))

    test('adds of one turn share few commits', () =>
      withMemoryFile(async ({ file, directory }) => {
        const memory = newId('mem')
        await file.add(memory, [chunk({})])
        const table = await rawTable(directory, memory)
        const before = await table.version()
        await Promise.all(Array.from({ length: 50 }, () => file.add(memory, [chunk({})])))
        assert.ok((await table.version()) - before <= 2)
        assert.equal(await table.countRows(), 51)
      }))

    test('an add of more chunks than one commit takes is written whole', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        const documentId = newId('doc')
        const rows = Array.from({ length: 2500 }, (_, i) => chunk({ documentId, chunkIndex: i }))
        await file.add(memory, rows)
        const found = await file.read(memory, documentId)
        assert.deepEqual(
          found.map((row) => row.chunkIndex),
          rows.map((row) => row.chunkIndex),
        )
      }))

    test('a confirmed removal deletes the chunks of its time, also ones moved by maintenance, and none added later', () =>
      withMemoryFile(async ({ file, reopen }) => {
        const other = await reopen()
        const memory = newId('mem')
        const [documentId, left] = [newId('doc'), newId('doc')]
        const rows = (text: string) => [0, 1, 2].map((chunkIndex) => chunk({ documentId, chunkIndex, text }))
        for (const row of rows('first')) await file.add(memory, [row])
        await file.add(memory, [chunk({ documentId: left })])
        const seen: number[] = []
        const confirm = async () => {
          seen.push((await other.listRowIds(memory, documentId)).length)
          if (seen.length === 1) await other.maintain(memory)
          return true
        }
        await file.deleteDocuments(memory, [documentId], { confirm })
        assert.deepEqual(await file.read(memory, documentId), [])
        assert.deepEqual(seen, [3, 3])
        await file.add(memory, rows('second'))
        let isWritten = false
        const writing = async () => {
          if (!isWritten) await other.add(memory, rows('third').slice(0, 2))
          const was = isWritten
          isWritten = true
          return !was
        }
        await file.deleteDocuments(memory, [documentId], { confirm: writing })
        assert.deepEqual(
          (await file.read(memory, documentId)).map(({ text }) => text),
          ['third', 'third'],
        )
        await file.deleteDocuments(memory, [documentId], { confirm: async () => false })
        assert.equal((await file.read(memory, documentId)).length, 2)
        assert.equal((await file.read(memory, left)).length, 1)
      }))

    test('a table without its full-text index after a kill is repaired on opening', () =>
      withMemoryFile(async ({ file, directory }) => {
        const memory = newId('mem')
        const raw = await connect(join(directory, 'memories'))
        const table = await raw.createEmptyTable(memory, chunkSchema(DIMENSIONS))
        await file.add(memory, [chunk({})])
        assert.equal((await file.searchLexical(memory, ['word'], { limit: 5 })).length, 1)
        await table.checkoutLatest()
        assert.equal((await table.listIndices()).length, 1)
      }))

    test('a memory file of an older form is refused, not misread', () =>
      withMemoryFile(async ({ file, directory }) => {
        const memory = newId('mem')
        const raw = await connect(join(directory, 'memories'))
        const older = [
          { id: 'x', document_id: 'x', text: 'word', terms: 'word' },
          { id: 'x', document_id: 'x', record: Buffer.from('word'), terms: 'word', vector: [1, 0] },
        ]
        for (const row of older) {
          await raw.createTable(memory, [row])
          const refused = { code: 'internal_error', message: /older version/ }
          await assert.rejects(file.searchLexical(memory, ['word'], { limit: 5 }), refused)
          await assert.rejects(file.add(memory, [chunk({})]), refused)
          await file.drop(memory)
        }
        await file.add(memory, [chunk({})])
      }))

    test('maintenance folds many single adds into one fragment with every row indexed', () =>
      withMemoryFile(async ({ file, directory }) => {
        const memory = newId('mem')
        for (let i = 0; i < 120; i += 1) await file.add(memory, [chunk({ terms: `word w${i}` })])
        const table = await rawTable(directory, memory)
        assert.equal((await table.stats()).fragmentStats.numFragments, 120)
        assert.equal(file.needsMaintenance(memory), true)
        await file.maintain(memory)
        assert.equal((await table.stats()).fragmentStats.numFragments, 1)
        assert.equal((await table.indexStats('terms_idx'))?.numUnindexedRows, 0)
        assert.equal(file.needsMaintenance(memory), false)
        assert.deepEqual(terms(await file.searchLexical(memory, ['w7'], { limit: 5 })), ['word w7'])
        assert.equal((await file.searchLexical(memory, ['word'], { limit: 500 })).length, 120)
      }))

    test('corrections and documents are searched separately by index, also new ones', () =>
      withMemoryFile(async ({ file, directory }) => {
        const memory = newId('mem')
        const correction = () => chunk({ kind: 'correction', terms: 'right word', vector: unit(1) })
        const [first, second] = [correction(), correction()]
        await file.add(memory, [first, ...Array.from({ length: 5000 }, () => chunk({}))])
        await file.maintain(memory)
        const kinds = (await (await rawTable(directory, memory)).listIndices()).filter(
          ({ columns }) => columns[0] === 'kind',
        )
        assert.equal(kinds.length, 1)
        const count = async (kind: 'correction' | 'document') => [
          (await file.searchLexical(memory, ['right'], { limit: 9, filter: { kind } })).length,
          (await file.searchVector(memory, unit(1), { limit: 9, filter: { kind } })).length,
        ]
        assert.deepEqual(
          [await count('correction'), await count('document')],
          [
            [1, 1],
            [0, 9],
          ],
        )
        await file.add(memory, [second])
        assert.deepEqual(
          [await count('correction'), await count('document')],
          [
            [2, 2],
            [0, 9],
          ],
        )
        await file.maintain(memory)
        assert.deepEqual(
          [await count('correction'), await count('document')],
          [
            [2, 2],
            [0, 9],
          ],
        )
        await file.deleteDocuments(memory, [first.documentId])
        assert.deepEqual(
          [await count('correction'), await count('document')],
          [
            [1, 1],
            [0, 9],
          ],
        )
      }))

    test('maintenance becomes due after enough unindexed rows, also those of an earlier process', () =>
      withMemoryFile(async ({ file, reopen }) => {
        const memory = newId('mem')
        await file.add(memory, [chunk({})])
        assert.equal(file.needsMaintenance(memory), false)
        await file.add(
          memory,
          Array.from({ length: 300 }, () => chunk({})),
        )
        assert.equal(file.needsMaintenance(memory), true)
        const next = await reopen()
        await next.add(memory, [chunk({})])
        assert.equal(next.needsMaintenance(memory), true)
        const reader = await reopen()
        assert.equal(reader.needsMaintenance(memory), false)
        await reader.loadPendingMaintenance(memory)
        assert.equal(reader.needsMaintenance(memory), true)
        await reader.maintain(memory)
        const last = await reopen()
        await last.loadPendingMaintenance(memory)
        assert.equal(last.needsMaintenance(memory), false)
      }))

    test('interrupted maintenance stays due until its indexes exist, also in the next process', () =>
      withMemoryFile(
        async ({ file, reopen }) => {
          const memory = newId('mem')
          const rows = Array.from({ length: 600 }, (_, axis) => chunk({ vector: unit(axis % DIMENSIONS) }))
          await file.add(memory, rows)
          // Aborted directly after its start.
          let looks = 0
          const ending = {
            get aborted() {
              return ++looks > 1
            },
          } as AbortSignal
          await file.maintain(memory, ending)
          assert.equal(file.needsMaintenance(memory), true)
          const next = await reopen()
          await next.loadPendingMaintenance(memory)
          assert.equal(next.needsMaintenance(memory), true)
          await next.maintain(memory)
          assert.equal(next.needsMaintenance(memory), false)
          const last = await reopen()
          await last.loadPendingMaintenance(memory)
          assert.equal(last.needsMaintenance(memory), false)
        },
        { vectorIndexRows: 500 },
      ))

    test('maintenance during adds and removals fails none, and all acknowledged data is found', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        const rows = Array.from({ length: 30 }, () => chunk({}))
        for (const row of rows) await file.add(memory, [row])
        await Promise.all([
          file.maintain(memory),
          ...Array.from({ length: 10 }, () => file.add(memory, [chunk({})])),
          file.deleteDocuments(memory, [rows[0]?.documentId ?? '']),
          file.rebuildIndexes(memory),
          file.deleteDocuments(memory, [rows[1]?.documentId ?? '']),
          file.maintain(memory),
          file.add(memory, [{ ...(rows[2] ?? chunk({})), terms: 'word changed' }]),
        ])
        assert.equal((await file.searchLexical(memory, ['word'], { limit: 500 })).length, 38)
        assert.equal((await file.searchLexical(memory, ['changed'], { limit: 500 })).length, 1)
      }))

    test('old versions are removed after ten minutes, and readers with an open table continue', () => {
      const clock = { ms: Date.now() }
      return withMemoryFile(
        async ({ file, directory, reopen }) => {
          const memory = newId('mem')
          const reader = await reopen()
          for (let i = 0; i < 5; i += 1) await file.add(memory, [chunk({})])
          assert.equal((await reader.searchLexical(memory, ['word'], { limit: 50 })).length, 5)
          await file.maintain(memory)
          const table = await rawTable(directory, memory)
          assert.ok((await table.listVersions()).length > 5)
          assert.equal(file.needsMaintenance(memory), false)
          clock.ms += 11 * 60_000
          assert.equal(file.needsMaintenance(memory), true)
          await Promise.all([
            file.maintain(memory),
            ...Array.from({ length: 20 }, async () => {
              assert.equal((await reader.searchLexical(memory, ['word'], { limit: 50 })).length, 5)
            }),
          ])
          assert.ok((await table.listVersions()).length <= 2)
          assert.equal((await reader.searchVector(memory, unit(0), { limit: 50 })).length, 5)
          assert.equal(file.needsMaintenance(memory), false)
        },
        { now: () => new Date(clock.ms) },
      )
    })

    for (const use of ['write', 'read'] as const)
      test(`old versions that a process before this one left go ten minutes after the first ${use}`, () => {
        const clock = { ms: Date.now() }
        return withMemoryFile(
          async ({ file, directory, reopen }) => {
            const memory = newId('mem')
            for (let i = 0; i < 5; i += 1) await file.add(memory, [chunk({})])
            const next = await reopen()
            if (use === 'write') await next.add(memory, [chunk({})])
            else await next.loadPendingMaintenance(memory)
            const table = await rawTable(directory, memory)
            const newest = await table.version()
            const countVersions = async () => {
              clock.ms += 11 * 60_000
              assert.equal(next.needsMaintenance(memory), true)
              await next.maintain(memory)
              const versions = await table.listVersions()
              return [versions.length, versions.filter(({ version }) => version < newest).length]
            }
            assert.deepEqual((await countVersions())[1], 0)
            assert.deepEqual(
              await countVersions(),
              [1, 0],
              'also the one that was kept until what was made of it was flushed',
            )
          },
          { now: () => new Date(clock.ms) },
        )
      })

    test('with enough rows the vectors are indexed, and near ones are still found first, filtered or not', () =>
      withMemoryFile(
        async ({ file, directory }) => {
          const memory = newId('mem')
          const rows = Array.from({ length: 600 }, (_, i) => {
            const vector = new Float32Array(DIMENSIONS).map((_, k) => Math.sin((i * DIMENSIONS + k + 1) ** 2))
            const length = Math.hypot(...vector)
            const empty = i % 50 === 0
            return chunk({
              terms: `w${i}`,
              vector: vector.map((x) => (empty ? 0 : x / length)),
            })
          })
          await file.add(memory, rows)
          await file.maintain(memory)
          const table = await rawTable(directory, memory)
          assert.ok((await table.listIndices()).some((index) => index.columns.includes('vector')))
          const late = chunk({ terms: 'late', vector: unit(5) })
          await file.add(memory, [late])
          assert.equal((await file.searchVector(memory, unit(5), { limit: 100 }))[0]?.text, 'late')
          // A hundred hits refine a thousand candidates, all there are: the index of so few, narrow
          // vectors is coarse.
          for (const i of [7, 123, 599]) {
            const filter = { documents: toDocumentSet(rows.map(({ documentId }) => documentId)) }
            const [best] = await file.searchVector(memory, rows[i]?.vector ?? unit(0), { limit: 100, filter })
            assert.equal(best?.text, `w${i}`)
            assert.ok(Math.abs((best?.score ?? 0) - 1) < 1e-3)
          }
          assert.equal(
            (await file.searchVector(memory, unit(0), { limit: 1000 })).some((row) => row.text === 'w50'),
            false,
          )
        },
        { vectorIndexRows: 500 },
      ))

    test('vectors are indexed as soon as there are 4,096 of them', () =>
      withMemoryFile(async ({ file, directory }) => {
        const memory = newId('mem')
        const rows = Array.from({ length: 4096 }, (_, i) => chunk({ vector: unit(i % DIMENSIONS) }))
        const isIndexed = async () =>
          (await (await rawTable(directory, memory)).listIndices()).some((index) => index.columns.includes('vector'))
        await file.add(memory, rows.slice(1))
        await file.maintain(memory)
        assert.equal(await isIndexed(), false)
        await file.add(memory, rows.slice(0, 1))
        await file.maintain(memory)
        assert.equal(await isIndexed(), true)
      }))

    test('hits are read in order at their position; replaced or removed ones are null and searched again', () =>
      withMemoryFile(async ({ file, reopen }) => {
        const memory = newId('mem')
        const rows = Array.from({ length: 3 }, (_, i) => chunk({ terms: `word w${i}` }))
        const [first = assert.fail(), second = assert.fail(), third = assert.fail()] = rows
        for (const row of rows) await file.add(memory, [row])
        const find = async (word: string) =>
          (await file.found.searchLexical(memory, [word], { limit: 5 }))[0] ?? assert.fail()
        const read = async (...words: string[]) => {
          const found = await Promise.all(words.map(find))
          return async (reader = file) => (await reader.readRows(memory, found)).map((one) => one?.text ?? null)
        }
        const readLater = await read('w2', 'w0', 'w1')
        assert.deepEqual(await readLater(), ['word w2', 'word w0', 'word w1'])
        await file.add(memory, [{ ...second, text: 'replaced' }])
        await file.deleteDocuments(memory, [third.documentId])
        assert.deepEqual(await readLater(), [null, 'word w0', null])
        await file.maintain(memory)
        assert.deepEqual(
          await readLater(await reopen()),
          [null, null, null],
          'nobody who did not read it before finds what was moved',
        )
        assert.deepEqual(await (await read('w0', 'w1'))(), ['word w0', 'replaced'])
        assert.deepEqual(await file.listRowIds(memory, first.documentId), [(await find('w0')).row])
        assert.deepEqual(await file.listRowIds(memory, third.documentId), [])
      }))

    test('cached reads come from memory, separately for each memory', () =>
      withMemoryFile(async ({ file, directory }) => {
        const memories = [newId('mem'), newId('mem')]
        for (const [i, memory] of memories.entries()) await file.add(memory, [chunk({ terms: `word of${i}` })])
        const find = (memory: string) => file.found.searchLexical(memory, ['word'], { limit: 5 })
        const found = await Promise.all(memories.map(find))
        const readAll = () => Promise.all(memories.map((memory, i) => file.readRows(memory, found[i] ?? [])))
        const texts = (read: readonly (StoredChunk | null)[][]) => read.flat().map((one) => one?.text)
        assert.deepEqual(texts(await readAll()), ['word of0', 'word of1'])
        for (const memory of memories)
          await rm(join(directory, 'memories', `${memory}.lance`, 'data'), { recursive: true })
        assert.deepEqual(texts(await readAll()), ['word of0', 'word of1'])
      }))
  })
}
