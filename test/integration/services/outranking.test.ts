import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { storeOutranking } from '../../../src/database/memories/corrections-table.ts'
import { createCorrectionsService } from '../../../src/services/corrections/corrections-service.ts'
import { createOutrankingRecorder } from '../../../src/services/corrections/outranking-recorder.ts'
import { createDocumentsService } from '../../../src/services/documents/documents-service.ts'
import { createSearchService } from '../../../src/services/search/search-service.ts'
import { silent } from './fixtures.ts'
import { openIngestFixture, textDocument } from './ingest-fixture.ts'

const KETTLES = 'The warranty period for kettles is twelve months from the date of purchase.'
const TOASTERS = 'The warranty period for toasters is two years.'
const QUESTION = 'What is the warranty period for kettles?'
/** No record is written automatically here. */
const NEVER_MS = 3_600_000

/** A memory with two documents and a correction, and services with one override recorder. */
async function openOutranking(t: TestContext, delayMs = NEVER_MS) {
  const fixture = await openIngestFixture(t)
  const { parts, caller, memory, add } = fixture
  const outranking = createOutrankingRecorder({ ...parts, log: silent, delayMs })
  t.after(() => outranking.stop())
  const corrections = createCorrectionsService({ ...parts, outranking })
  const added = await add({}, [
    textDocument(KETTLES, { title: 'Warranty' }),
    textDocument(TOASTERS, { title: 'Toasters' }),
  ])
  const [kettles = '', toasters = ''] = 'documentIds' in added ? added.documentIds : []
  const given = [{ statement: 'The warranty period for kettles is 24 months.', topics: ['kettles'], boost: 2 }]
  const [correction] = await corrections.add(caller, memory.id, {
    corrections: given,
    signal: new AbortController().signal,
  })
  const search = createSearchService({ ...parts, rerank: true, outranking })
  const find = async (query: string) => search.search(await search.open(caller, memory.id), { query, limit: 10 })
  const list = async (include = { outranks: false }) =>
    (await corrections.list(caller, memory.id, { ...include, limit: 10, cursor: null })).corrections
  const stored = async () =>
    (await parts.db.selectFrom('documents').selectAll().where('source_type', '=', 'correction').execute())[0]
  return { ...fixture, outranking, correction, kettles, toasters, find, search, list, stored }
}

test('a correction lists the passages it overrode in the latest find, best first', async (t) => {
  const { find, list, pass, kettles, toasters, parts } = await openOutranking(t)
  assert.equal((await list())[0]?.lastOutranked, null)
  await find(QUESTION)
  const [first] = await list()
  assert.equal(first?.lastOutranked?.at, parts.now().toISOString())
  assert.equal(first?.outranks, null)
  const [best] = first?.lastOutranked?.passages ?? []
  assert.deepEqual(
    [best?.documentId, best?.chunkId, best?.title, best?.page, best?.startOffset, best?.endOffset],
    [kettles, `${kettles}.0`, 'Warranty', null, 0, KETTLES.length],
  )
  assert.ok((best?.score ?? 0) > 0 && (best?.scores.semantic ?? 0) > 0.3)
  pass(1000)
  await find('warranty of kettles and toasters, two years')
  const ofSecond = (await list({ outranks: true }))[0]?.lastOutranked
  assert.equal(ofSecond?.at, parts.now().toISOString())
  assert.equal(ofSecond?.passages[0]?.documentId, toasters)
})

test('a find without a correction, or without documents, keeps the record', async (t) => {
  const { find, list, pass } = await openOutranking(t)
  await find(QUESTION)
  const [before] = await list()
  pass(1000)
  await find('zebra crossing')
  assert.deepEqual((await list())[0]?.lastOutranked, before?.lastOutranked)
})

test('a note has places and no word of the document or the question, and what is deleted is no longer listed', async (t) => {
  const { find, list, stored, parts, caller, memory, kettles } = await openOutranking(t)
  await find(QUESTION)
  await list()
  const { outranked } = (await stored()) ?? {}
  assert.ok(outranked?.includes(kettles))
  assert.doesNotMatch(outranked ?? '', /warranty|kettles|toasters|months/i)
  await createDocumentsService(parts).delete(caller, memory.id, kettles)
  const [listed] = await list()
  assert.deepEqual(
    listed?.lastOutranked?.passages.map(({ title }) => title),
    ['Toasters'],
  )
})

test('a note that comes late does not replace a later one, and one of a correction that is gone is nothing', async (t) => {
  const { parts, stored, correction } = await openOutranking(t)
  const id = correction?.id ?? ''
  await storeOutranking(parts.db, id, { at: '2026-11-21T10:00:02.000Z', passages: [] })
  await storeOutranking(parts.db, id, { at: '2026-11-21T10:00:01.000Z', passages: [] })
  assert.equal((await stored())?.outranked_at, '2026-11-21T10:00:02.000Z')
  await storeOutranking(parts.db, 'doc_gone', { at: '2026-11-21T10:00:02.000Z', passages: [] })
})

test('records are written automatically, and the last ones at the stop', async (t) => {
  const { find, stored, outranking, pass, parts } = await openOutranking(t, 1)
  await find(QUESTION)
  for (const until = Date.now() + 20_000; (await stored())?.outranked_at === null; ) {
    assert.ok(Date.now() < until, 'nothing was written')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  pass(1000)
  await find(QUESTION)
  await outranking.stop()
  assert.equal((await stored())?.outranked_at, parts.now().toISOString())
})

test('a database that does not take a note costs the note and no find', async (t) => {
  const { find, search, parts, caller, memory } = await openOutranking(t)
  const warnings: unknown[] = []
  const db = { connection: () => ({ execute: () => Promise.reject(new Error('the disk is full')) }) } as never
  const log = { warn: (facts: unknown) => void warnings.push(facts) }
  const failing = createOutrankingRecorder({ db, now: parts.now, log: log as never, delayMs: NEVER_MS })
  const own = createSearchService({ ...parts, rerank: true, outranking: failing })
  const asked = { query: QUESTION, limit: 10 }
  const { hits } = await own.search(await own.open(caller, memory.id), asked)
  await failing.stop()
  assert.equal(warnings.length, 1)
  assert.deepEqual(hits, (await search.search(await search.open(caller, memory.id), asked)).hits)
  assert.ok((await find(QUESTION)).hits.length > 0)
})
