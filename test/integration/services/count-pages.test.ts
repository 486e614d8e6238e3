import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { NewDocument } from '../../../src/database/schema.ts'
import { batches } from '../../../src/database/statements.ts'
import { newId } from '../../../src/ids.ts'
import { MAX_FAILED_DOCUMENTS } from '../../../src/limits.ts'
import { countPages } from '../../../src/services/documents/documents-service.ts'
import { addDocument, openFixture } from './fixtures.ts'

type Method = 'text' | 'ocr' | 'empty' | 'failed'

const NEVER = new AbortController().signal

function report(methods: readonly Method[]): string {
  return JSON.stringify(
    methods.map((method, index) => ({ page: index + 1, method, characters: 9, confidence: null, message: null })),
  )
}

/** Plain document rows, without the other writes of an ingest. */
async function fill(t: TestContext) {
  const { db, caller } = await openFixture(t)
  const memoryId = newId('mem')
  await addDocument(db, caller, memoryId, { status: 'pending', pages: report(['text']) })
  const { seq, ...row } = await db.selectFrom('documents').selectAll().executeTakeFirstOrThrow()
  await db.deleteFrom('documents').execute()
  const add = async (documents: readonly Partial<NewDocument>[]) => {
    const rows = documents.map((facts) => ({ ...row, memory_id: memoryId, ...facts, id: newId('doc') }))
    for (const slice of batches(rows))
      await db
        .insertInto('documents')
        .values([...slice])
        .execute()
    return rows.map(({ id }) => id)
  }
  return { db, memoryId, add, count: (signal = NEVER) => countPages(db, memoryId, signal) }
}

test('the pages of all documents are counted, of as many batches as they need and of reports of any length', async (t) => {
  const { add, count } = await fill(t)
  assert.deepEqual(await count(), { pages: 0, text: 0, ocr: 0, empty: 0, failed: 0, documents: [] })
  await add(Array.from({ length: 1001 }, () => ({ pages: report(['text']) })))
  const long: Method[] = Array.from({ length: 3000 }, (_, index) => (index % 3 === 0 ? 'failed' : 'ocr'))
  const [longest] = await add([{ title: 'long', pages: report(long) }])
  const [mixed] = await add([{ title: 'mixed', pages: report(['text', 'ocr', 'empty', 'failed']) }])
  await add([{ status: 'processing', pages: '[]' }])
  assert.deepEqual(await count(), {
    ...{ pages: 4005, text: 1002, ocr: 2001, empty: 1, failed: 1001 },
    documents: [
      { documentId: longest, title: 'long', failed: 1000 },
      { documentId: mixed, title: 'mixed', failed: 1 },
    ],
  })
})

test('neither corrections nor the documents of another memory are counted', async (t) => {
  const { add, count } = await fill(t)
  await add([{ source_type: 'correction' }, { memory_id: newId('mem') }])
  assert.equal((await count()).pages, 0)
})

test('of many documents with failed pages the worst are named, the newest first among equals', async (t) => {
  const { add, count } = await fill(t)
  const failed = (times: number) => ({ pages: report(Array.from({ length: times }, () => 'failed')) })
  const alike = await add(Array.from({ length: MAX_FAILED_DOCUMENTS + 5 }, () => failed(2)))
  const [worst] = await add([failed(3)])
  await add([failed(1)])
  const { documents } = await count()
  const expected = [worst, ...alike.toReversed()].slice(0, MAX_FAILED_DOCUMENTS)
  assert.deepEqual(
    documents.map(({ documentId }) => documentId),
    expected,
  )
})

test('other work runs between two batches, and an abandoned count ends', async (t) => {
  const { add, count } = await fill(t)
  await add(Array.from({ length: 1501 }, () => ({ pages: report(['text']) })))
  const leaving = new AbortController()
  const counting = count(leaving.signal)
  setImmediate(() => leaving.abort())
  await assert.rejects(counting, { name: 'AbortError' })
})
