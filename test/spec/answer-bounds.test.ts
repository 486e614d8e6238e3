import assert from 'node:assert/strict'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { useSharedService } from './service.ts'
import type { Asked, Document, Explained, Found, List } from './shapes.ts'
import { addText, addTexts, makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

const MB = 1024 * 1024
/** The maximum size of a list in an answer, with its frame. */
const LISTED_BYTES = 4 * MB + 64 * 1024
const WORDS = 256
const MAX_TERMS_SHOWN = 120
/** The largest metadata of a document; each sign takes three bytes. */
const METADATA = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`key${at}`, '€'.repeat(2000)]))
const DOCUMENTS = 60

/** A unique word for each number, for queries of any length. */
const word = (at: number) => `term${at.toString(36)}x`
const query = (words: number) => Array.from({ length: words }, (_, at) => word(at)).join(' ')

let memoryId = ''
const service = useSharedService(async (started) => {
  memoryId = await makeMemory(started)
  const documents = Array.from({ length: DOCUMENTS }, (_, at) => {
    return { title: `Lift ${at}`, text: `The lift ${at} stands still. ${query(40)}`, metadata: METADATA }
  })
  assertStatus(await addTexts(started, memoryId, documents), 200)
})

test('the first 256 distinct words of a long query are searched, with the number of the rest in a warning', async () => {
  verifies('beyond.bounds.query-words')
  const path = `/v1/memories/${memoryId}`
  const few = await service.post<Found>(`${path}/find`, { query: query(WORDS) })
  assert.deepEqual(
    few.json.warnings.filter(({ code }) => code === 'query_shortened'),
    [],
  )
  const long = `${query(WORDS + 700)} lift`
  const asked = [
    await service.post<Found>(`${path}/find`, { query: long, topK: 1 }),
    await service.post<Asked>(`${path}/ask`, { question: long }),
    await service.post<Found>(`${path}/evaluate`, {
      questions: [{ query: long, documentIds: [few.json.hits[0]?.documentId] }],
      modes: ['lexical'],
    }),
  ]
  for (const answer of asked) {
    assertStatus(answer, 200)
    const warning = answer.json.warnings.find(({ code }) => code === 'query_shortened')
    assert.match(warning?.message ?? '', /256.*701/, answer.text.slice(0, 300))
  }
})

test('an explanation lists the words of its passage, and some missing ones', async () => {
  verifies('beyond.explain.bounded')
  const body = { query: query(200), topK: 100, options: { explain: true, limit: 5 } }
  const answer = await service.post<Explained>(`/v1/memories/${memoryId}/find`, body)
  assertStatus(answer, 200)
  for (const { explanation } of answer.json.hits) {
    const terms = explanation?.terms ?? []
    assert.ok(terms.filter(({ count }) => count > 0).length >= 40)
    assert.ok(terms.length <= MAX_TERMS_SHOWN, `${terms.length} terms`)
  }
})

test('hits that would make an answer too large are left out, and a warning says so', async () => {
  verifies('beyond.bounds.hits')
  const answer = await service.post<Found>(`/v1/memories/${memoryId}/find`, { query: 'lift', topK: 100 })
  assertStatus(answer, 200)
  const { hits, totalHits, warnings } = answer.json
  assert.ok(Buffer.byteLength(answer.text) <= LISTED_BYTES, `${answer.text.length} characters`)
  assert.ok(hits.length > 10 && hits.length < DOCUMENTS, `${hits.length} hits`)
  assert.equal(totalHits, DOCUMENTS)
  assert.ok(warnings.some(({ code }) => code === 'hits_left_out'))
})

test('a page of large items ends at its limit, and its cursor continues after it', async () => {
  verifies('beyond.bounds.pages')
  const ids = new Set<string>()
  let cursor: string | null = ''
  let pages = 0
  while (cursor !== null) {
    const search = new URLSearchParams({ limit: '100', ...(cursor === '' ? {} : { cursor }) })
    const path = `/v1/memories/${memoryId}/documents?${search}`
    const answer = await service.get<List<'documents', Document>>(path)
    assertStatus(answer, 200)
    assert.ok(Buffer.byteLength(answer.text) <= LISTED_BYTES)
    for (const { id } of answer.json.documents) ids.add(id)
    cursor = answer.json.nextCursor
    pages += 1
  }
  assert.deepEqual([ids.size, pages], [DOCUMENTS, 2])
})

test('a large search answer is recomputed under its Idempotency-Key, a small one is replayed', async () => {
  verifies('rules.idempotency.large-reads')
  const path = `/v1/memories/${memoryId}/find`
  const send = (key: string, topK: number) =>
    service.post<Found>(path, { query: 'lift', topK }, { headers: { 'idempotency-key': key } })
  assertStatus(await send('large', 100), 200)
  const again = await send('large', 100)
  assertStatus(again, 200)
  assert.equal(again.headers.get('idempotent-replayed'), null)
  assertStatus(await send('small', 1), 200)
  assert.equal((await send('small', 1)).headers.get('idempotent-replayed'), 'true')
})

test('metadata has a limit for all fields of a document together', async () => {
  verifies('beyond.bounds.metadata')
  const metadata = { ...METADATA, more: 'x'.repeat(1000) }
  const answer = await addTexts(service, memoryId, [{ text: 'Small.' }, { text: 'Large.', metadata }])
  assertError(answer, 400, 'validation_failed')
  assert.match(answer.text, /documents\[1\]\.metadata/)
  assert.ok(await addText(service, await makeMemory(service), 'Full.', { metadata: METADATA }))
})
