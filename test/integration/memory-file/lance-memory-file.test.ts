import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { connect } from '@lancedb/lancedb'
import { newId } from '../../../src/ids.ts'
import { toDocumentSet } from '../../../src/memory-file/chunk-predicate.ts'
import { chunk, DIMENSIONS, SEARCHES, terms, unit } from './memory-file-fixture.ts'

for (const { by, withMemoryFile } of SEARCHES) {
  describe(`searched by ${by}`, () => {
    test('a chunk comes back from both legs exactly as it was written', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        const row = chunk({
          text: 'Grüße, 世界 🎉\nline',
          terms: 'gruss 世界 p1',
          vector: unit(3),
          windows: Buffer.of(129, 0, 111),
          page: 3,
          pageEnd: 4,
          section: 'A > B',
          header: 'name,age',
          startOffset: 7,
          endOffset: 21,
          labels: ['0123456789abcdef'],
        })
        await file.add(memory, [row])
        const { labels, vector, terms: analysed, ...kept } = row
        for (const found of [
          await file.searchLexical(memory, ['世界'], { limit: 5 }),
          await file.searchVector(memory, vector, { limit: 5 }),
        ]) {
          assert.equal(found.length, 1)
          const { score, ...rest } = found[0] ?? assert.fail()
          assert.deepEqual(rest, kept)
          assert.ok(score > 0)
        }
        assert.deepEqual(await file.read(memory, row.documentId), [kept])
        assert.ok(labels.length === 1 && analysed !== '')
      }))

    test('null place and heading come back as null', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        const row = chunk({ page: null, pageEnd: null, section: null, header: null })
        await file.add(memory, [row])
        const [found] = await file.read(memory, row.documentId)
        assert.deepEqual([found?.page, found?.pageEnd, found?.section, found?.header], [null, null, null, null])
      }))

    test('the memory file lies at memories/<memory id>.lance and appears with the first add', () =>
      withMemoryFile(async ({ file, directory }) => {
        const memory = newId('mem')
        const path = join(directory, 'memories', `${memory}.lance`)
        await file.searchLexical(memory, ['word'], { limit: 5 })
        assert.equal(existsSync(path), false)
        await file.add(memory, [chunk({})])
        assert.equal(existsSync(path), true)
      }))

    test('a repeated term counts twice, in indexed and unindexed rows', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        await file.add(memory, [
          chunk({ terms: 'heron pond' }),
          chunk({ terms: 'crane yard' }),
          chunk({ terms: 'gull' }),
        ])
        for (const _ of ['not yet', 'indexed']) {
          for (const [asked, first] of [
            [['heron', 'crane', 'crane'], 'crane'],
            [['crane', 'heron', 'heron'], 'heron'],
          ] as const) {
            const found = await file.searchLexical(memory, asked, { limit: 5 })
            assert.ok(terms(found)[0]?.startsWith(first))
            assert.ok((found[0]?.score ?? 0) > 1.9 * (found[1]?.score ?? 0))
          }
          await file.maintain(memory)
        }
      }))

    test('a memory without a file has nothing, and maintaining, removing and dropping it are no errors', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        assert.deepEqual(await file.searchLexical(memory, ['word'], { limit: 5 }), [])
        assert.deepEqual(await file.searchVector(memory, unit(0), { limit: 5 }), [])
        assert.deepEqual(await file.read(memory, newId('doc')), [])
        assert.equal((await file.count(memory)).size, 0)
        await file.maintain(memory)
        await file.deleteDocuments(memory, [newId('doc')])
        await file.drop(memory)
        assert.equal(file.needsMaintenance(memory), false)
      }))

    test('a memory dropped during searches disappears completely, and the searches end without an error', () =>
      withMemoryFile(async ({ file, directory }) => {
        for (let round = 0; round < 12; round += 1) {
          const memory = newId('mem')
          for (let commit = 0; commit < 4; commit += 1) await file.add(memory, [chunk({})], { areNew: true })
          const search = async () => {
            const [found] = await Promise.all([
              file.found.searchLexical(memory, ['word'], { limit: 200 }),
              file.found.searchVector(memory, unit(0), { limit: 200 }),
            ])
            await file.readRows(memory, found)
          }
          const searches = [search(), search(), search()]
          await setTimeout(round % 6)
          await Promise.all([file.drop(memory), ...searches])
          assert.equal(existsSync(join(directory, 'memories', `${memory}.lance`)), false)
          await file.add(memory, [chunk({})])
        }
      }))

    test('any one of the terms is enough, and more of them rank higher', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        const rows = ['red apple pie', 'green apple', 'blue sky'].map((words) => chunk({ terms: words }))
        await file.add(memory, rows)
        const found = await file.searchLexical(memory, ['apple', 'pie', 'absent'], { limit: 5 })
        assert.deepEqual(terms(found), ['red apple pie', 'green apple'])
        assert.ok((found[0]?.score ?? 0) > (found[1]?.score ?? 0))
      }))

    test('terms match whole and as they are: no stemming, no stop words, no folding', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        await file.add(memory, [chunk({ terms: 'the Running café' }), chunk({ terms: 'run cafe the_end' })])
        assert.equal((await file.searchLexical(memory, ['the'], { limit: 5 })).length, 1)
        assert.equal((await file.searchLexical(memory, ['Running'], { limit: 5 })).length, 1)
        assert.equal((await file.searchLexical(memory, ['running'], { limit: 5 })).length, 0)
        assert.deepEqual(terms(await file.searchLexical(memory, ['cafe'], { limit: 5 })), ['run cafe the_end'])
      }))

    test('fuzzy terms match: one letter after the first may differ, two in a long term', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        await file.add(
          memory,
          ['honeycomb panel', 'panel'].map((words) => chunk({ terms: words })),
        )
        await file.maintain(memory)
        const near = async (...wanted: string[]) =>
          (await file.readRows(memory, await file.searchNear(memory, wanted, { limit: 5 })))
            .map((found) => found?.text)
            .sort()
        assert.deepEqual(await near('hoenycomb'), ['honeycomb panel'])
        assert.deepEqual(await near('pannl'), ['honeycomb panel', 'panel'])
        assert.deepEqual(await near('panll', 'hoenycomb'), ['honeycomb panel', 'panel'])
        assert.deepEqual(await near('pnael', 'moneycomb'), [])
        assert.deepEqual(await near(), [])
      }))

    test('fuzzy matching works for terms of any length', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        const long = 'overflowingpneumatichydraulicgearboxventilatorclampkeys'
        await file.add(memory, [chunk({ terms: long })])
        await file.maintain(memory)
        for (const wanted of [
          long.replace('gear', 'gaer'),
          long.replace('gear', 'gers'),
          'ꜣꜥꜧꜩꜫꜭꜯꜳ'.repeat(4),
          'ꜣꜥꜧꜩꜫꜭꜯꜳ'.repeat(8),
        ])
          assert.deepEqual(await file.searchNear(memory, [wanted], { limit: 5 }), [], wanted)
        assert.equal((await file.searchNear(memory, [long.replace('gear', 'gaar')], { limit: 5 })).length, 1)
      }))

    test('a query of 3,000 terms, an empty one, one of spaces and one of query syntax are answered', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        await file.add(memory, [chunk({ terms: 'w1 w2' }), chunk({ terms: '' })])
        const many = Array.from({ length: 3000 }, (_, i) => `w${i}`)
        assert.deepEqual(terms(await file.searchLexical(memory, many, { limit: 5 })), ['w1 w2'])
        assert.deepEqual(await file.searchLexical(memory, [], { limit: 5 }), [])
        assert.deepEqual(await file.searchLexical(memory, ['', ' '], { limit: 5 }), [])
        assert.deepEqual(await file.searchLexical(memory, ['"(', 'AND', '*:*', "'; --"], { limit: 5 }), [])
      }))

    test('chunks of empty terms never match but are kept', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        const row = chunk({ terms: '' })
        await file.add(memory, [row, chunk({ terms: 'word' })])
        assert.deepEqual(terms(await file.searchLexical(memory, ['word'], { limit: 5 })), ['word'])
        assert.equal((await file.read(memory, row.documentId)).length, 1)
      }))

    test('the nearest by cosine come first, with the cosine as their score', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        const slanted = new Float32Array(DIMENSIONS)
        slanted[0] = Math.SQRT1_2
        slanted[1] = Math.SQRT1_2
        const opposite = new Float32Array(DIMENSIONS)
        opposite[0] = -1
        await file.add(memory, [
          chunk({ terms: 'opposite', vector: opposite }),
          chunk({ terms: 'slanted', vector: slanted }),
          chunk({ terms: 'same', vector: unit(0) }),
        ])
        const found = await file.searchVector(memory, unit(0), { limit: 5 })
        assert.deepEqual(terms(found), ['same', 'slanted', 'opposite'])
        for (const [i, cosine] of [1, Math.SQRT1_2, -1].entries()) {
          assert.ok(Math.abs((found[i]?.score ?? 0) - cosine) < 1e-3)
        }
      }))

    test('a chunk without an embedding is never found by vector, and a query without one finds nothing', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        const none = new Float32Array(DIMENSIONS)
        await file.add(memory, [chunk({ terms: 'none', vector: none }), chunk({ terms: 'some', vector: unit(1) })])
        assert.deepEqual(terms(await file.searchVector(memory, unit(1), { limit: 5 })), ['some'])
        assert.deepEqual(await file.searchVector(memory, none, { limit: 5 }), [])
        assert.equal((await file.searchLexical(memory, ['none'], { limit: 5 })).length, 1)
      }))

    test('filters by kind and document hold for both legs', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        const rows = [
          chunk({ terms: 'w one' }),
          chunk({ terms: 'w two' }),
          chunk({ terms: 'w three', kind: 'correction' }),
        ]
        await file.add(memory, rows)
        const ids = rows.map(({ documentId }) => documentId)
        const cases = [
          [{ documents: { ids, bits: Uint8Array.of(1, 1, 0), size: 2 } }, ['w one', 'w two']],
          [{ documents: toDocumentSet([newId('doc')]) }, []],
          [{ kind: 'correction' }, ['w three']],
          [{ kind: 'document', documents: toDocumentSet(ids.slice(0, 1)) }, ['w one']],
          [{ documents: toDocumentSet([]) }, []],
          [{}, ['w one', 'w three', 'w two']],
        ] as const
        for (const [filter, expected] of cases) {
          const legs = [
            await file.searchLexical(memory, ['w'], { limit: 9, filter }),
            await file.searchVector(memory, unit(0), { limit: 9, filter }),
          ]
          for (const found of legs) assert.deepEqual(terms(found).sort(), [...expected])
        }
      }))

    test('a filter of thousands of documents is exact, also if the others match better', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        const rows = Array.from({ length: 6000 }, (_, i) =>
          chunk({ terms: i % 2 === 0 ? 'w w w' : `w x y z${i}`, vector: i % 2 === 0 ? unit(0) : unit(1) }),
        )
        await file.add(memory, rows, { areNew: true })
        const ids = rows.map(({ documentId }) => documentId)
        const filter = { documents: { ids, bits: Uint8Array.from(ids, (_, i) => i % 2), size: 3000 } }
        for (const limit of [9, 2500]) {
          const found = await file.found.searchLexical(memory, ['w'], { limit, filter })
          const read = await file.readRows(memory, found)
          assert.equal(read.length, limit)
          assert.ok(read.every((one) => one !== null && ids.indexOf(one.documentId) % 2 === 1))
        }
        const near = await file.found.searchVector(memory, unit(0), { limit: 9, filter })
        assert.deepEqual([near.length, new Set(near.map(({ score }) => score)).size], [9, 1])
      }))

    test('a quote or an OR in a filter or an identifier is refused and changes nothing', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        const row = chunk({})
        await file.add(memory, [row])
        const evil = `${row.documentId}' OR '1'='1`
        for (const attack of [
          () => file.deleteDocuments(memory, [evil]),
          () => file.deleteDocuments(memory, ["x' OR 1=1 --"]),
          () => file.read(memory, evil),
          () => file.searchLexical(memory, ['word'], { limit: 5, filter: { documents: toDocumentSet([evil]) } }),
          () =>
            file.searchVector(memory, unit(0), {
              limit: 5,
              filter: { documents: toDocumentSet([`${row.documentId}') OR true OR document_id IN ('a`]) },
            }),
          () =>
            file.searchLexical(memory, ['word'], { limit: 5, filter: { kind: "document' OR true --" as 'document' } }),
          () => file.add(memory, [chunk({ documentId: evil })]),
          () => file.add(memory, [chunk({ labels: ["a'"] })]),
          () => file.drop('../../etc'),
          () => file.searchLexical(`${memory}/../x`, ['word'], { limit: 5 }),
        ]) {
          await assert.rejects(attack(), TypeError)
        }
        assert.equal((await file.count(memory)).get(row.documentId), 1)
      }))

    test('vectors of two lengths in one add, and a vector with a number that is not finite, are refused', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        const broken = unit(0)
        broken[1] = Number.NaN
        await assert.rejects(file.add(memory, [chunk({}), chunk({ vector: new Float32Array(3) })]), TypeError)
        await assert.rejects(file.add(memory, [chunk({ vector: broken })]), TypeError)
        await assert.rejects(file.searchVector(memory, broken, { limit: 5 }), TypeError)
      }))

    test('removed documents are gone and can be added again under the same identifiers', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        const [first, second] = [chunk({ terms: 'w first' }), chunk({ terms: 'w second' })]
        await file.add(memory, [first, second])
        await file.deleteDocuments(memory, [first.documentId])
        assert.deepEqual(terms(await file.searchLexical(memory, ['w'], { limit: 5 })), ['w second'])
        await file.add(memory, [{ ...first, text: 'w again', terms: 'w again' }])
        assert.deepEqual(terms(await file.searchLexical(memory, ['w'], { limit: 5 })).sort(), ['w again', 'w second'])
        assert.deepEqual([...(await file.count(memory)).values()], [1, 1])
      }))

    test('remove and add called in one turn take effect in the order of the calls', () =>
      withMemoryFile(async ({ file }) => {
        const memory = newId('mem')
        const row = chunk({})
        await Promise.all([
          file.add(memory, [row]),
          file.deleteDocuments(memory, [row.documentId]),
          file.add(memory, [{ ...row, text: 'newest' }]),
        ])
        assert.deepEqual(terms(await file.read(memory, row.documentId)), ['newest'])
      }))

    test('a dropped memory is gone from the disk; adds that waited are rejected', () =>
      withMemoryFile(async ({ file, directory }) => {
        const memory = newId('mem')
        await file.add(memory, [chunk({})])
        const running = file.add(memory, [chunk({})])
        await new Promise((resolve) => setImmediate(resolve))
        const waiting = file.add(memory, [chunk({})])
        const dropped = file.drop(memory)
        await assert.rejects(waiting, { code: 'memory_not_found' })
        await running
        await dropped
        assert.equal(existsSync(join(directory, 'memories', `${memory}.lance`)), false)
        assert.deepEqual(await file.searchLexical(memory, ['word'], { limit: 5 }), [])
      }))

    test('more memories than may stay open all answer', () =>
      withMemoryFile(
        async ({ file }) => {
          const memories = Array.from({ length: 6 }, () => newId('mem'))
          await Promise.all(memories.map((memory) => file.add(memory, [chunk({ terms: memory })])))
          for (const memory of [...memories, ...memories]) {
            assert.deepEqual(terms(await file.searchLexical(memory, [memory], { limit: 5 })), [memory])
          }
        },
        { maxOpenTables: 2 },
      ))

    test('all data survives closing and reopening', () =>
      withMemoryFile(async ({ file, reopen }) => {
        const memory = newId('mem')
        const row = chunk({})
        await file.add(memory, [row])
        await file.close()
        const again = await reopen()
        assert.equal((await again.searchLexical(memory, ['word'], { limit: 5 })).length, 1)
        await again.add(memory, [row])
        assert.equal((await again.count(memory)).get(row.documentId), 1)
      }))

    test('the terms are indexed as whole words from the first add on', () =>
      withMemoryFile(async ({ file, directory }) => {
        const memory = newId('mem')
        await file.add(memory, [chunk({})])
        const table = await (await connect(join(directory, 'memories'))).openTable(memory)
        assert.deepEqual(
          (await table.listIndices()).map((index) => index.indexType),
          ['FTS'],
        )
      }))
  })
}
