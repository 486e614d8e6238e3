import assert from 'node:assert/strict'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { useSharedService } from './service.ts'
import type { Correction, CorrectionBatch, List } from './shapes.ts'
import {
  addText,
  ask,
  assertFields,
  find,
  listDocuments,
  makeKey,
  makeMemory,
  readDocument,
  readMemory,
  readText,
} from './steps.ts'
import { verifies } from './verifies.ts'

const service = useSharedService()

function correct(memoryId: string, body: Record<string, unknown>) {
  return service.post<Correction>(`/v1/memories/${memoryId}/correct`, body)
}

test('a correction is created with its fields, boost 2 by default', async () => {
  verifies('corrections.correct', 'corrections.answer', 'corrections.fields', 'corrections.boost')
  const memoryId = await makeMemory(service)
  const answer = await correct(memoryId, { statement: 'The office closes at 17:00.', topics: ['opening hours'] })
  assertStatus(answer, 201)
  assert.ok(answer.headers.get('location'))
  const { id, createdAt, createdBy, ...rest } = answer.json
  assert.match(id, /^doc_[0-9a-z]{26}$/)
  assert.match(createdAt, /Z$/)
  assert.equal((await readDocument(service, memoryId, id)).createdAt, createdAt)
  const given = { statement: 'The office closes at 17:00.', topics: ['opening hours'], boost: 2 }
  assert.deepEqual(rest, { memoryId, ...given, expiresAt: null, isExpired: false, outranks: [], lastOutranked: null })
  assert.match(createdBy?.keyId ?? '', /^key_/)
  const boosted = await correct(memoryId, { statement: 'The office is closed on Fridays.', boost: 9.5 })
  assert.deepEqual([boosted.json.boost, boosted.json.topics], [9.5, []])
  assertStatus(await correct(memoryId, { statement: 'The most.', boost: 10 }), 201)
})

test('statement, topics and boost are checked', async () => {
  verifies('corrections.fields', 'corrections.boost')
  const memoryId = await makeMemory(service)
  const wrong: [Record<string, unknown>, RegExp][] = [
    [{}, /^statement$/],
    [{ statement: '' }, /^statement$/],
    [{ statement: ' \n' }, /^statement$/],
    [{ statement: 7 }, /^statement$/],
    [{ statement: 'x', boost: 0 }, /^boost$/],
    [{ statement: 'x', boost: -1 }, /^boost$/],
    [{ statement: 'x', boost: 10.01 }, /^boost$/],
    [{ statement: 'x', topics: 'hours' }, /^topics$/],
    [{ statement: 'x', topics: [1] }, /^topics/],
  ]
  for (const [body, param] of wrong) {
    const answer = await service.post(`/v1/memories/${memoryId}/correct`, body)
    assertError(answer, 400, 'validation_failed')
    assert.match(answer.json.error.param ?? '', param)
  }
  assert.equal((await readMemory(service, memoryId)).correctionCount, 0)
})

test('a batch of corrections is created in one request', async () => {
  verifies('corrections.batch', 'corrections.batch-answer')
  const memoryId = await makeMemory(service)
  const corrections = [
    { statement: 'Refunds take five days.', topics: ['refunds'] },
    { statement: 'Parcels leave on Mondays.', topics: [] },
  ]
  const answer = await service.post<CorrectionBatch>(`/v1/memories/${memoryId}/corrections`, { corrections })
  assertStatus(answer, 201)
  assert.equal(answer.json.count, 2)
  assert.deepEqual(
    answer.json.ids,
    answer.json.corrections.map(({ id }) => id),
  )
  assert.deepEqual(
    answer.json.corrections.map(({ statement }) => statement),
    corrections.map(({ statement }) => statement),
  )
  for (const correction of answer.json.corrections) {
    assertFields(correction, 'id', 'memoryId', 'statement', 'topics', 'boost', 'createdAt')
    assert.equal(correction.boost, 2)
  }
  assert.equal((await readMemory(service, memoryId)).correctionCount, 2)
})

test('one bad correction refuses the whole batch', async () => {
  verifies('corrections.batch-all-or-nothing')
  const memoryId = await makeMemory(service)
  for (const bad of [{}, { statement: '' }, { statement: ' ' }, { statement: 'x', topics: 7 }, 'x']) {
    const corrections = [{ statement: 'A good one.' }, bad]
    const answer = await service.post(`/v1/memories/${memoryId}/corrections`, { corrections })
    assertError(answer, 400, 'validation_failed')
    assert.match(answer.json.error.param ?? '', /^corrections\W?1/)
  }
  assertError(
    await service.post(`/v1/memories/${memoryId}/corrections`, { corrections: [] }),
    400,
    'validation_failed',
    'corrections',
  )
  assertError(await service.post(`/v1/memories/${memoryId}/corrections`, {}), 400, 'validation_failed', 'corrections')
  assert.equal((await listDocuments(service, memoryId, '?sourceType=correction')).total, 0)
})

test('a correction that matches comes first, in every mode and in search', async () => {
  verifies('corrections.first', 'corrections.ranked-ahead', 'find.corrections-first')
  const memoryId = await makeMemory(service)
  const text = 'The warranty period for kettles is twelve months from the date of purchase.'
  await addText(service, memoryId, text, { title: 'Warranty' })
  const statement = 'The warranty period for kettles is twenty-four months.'
  const { id } = (await correct(memoryId, { statement, topics: ['warranty'] })).json
  for (const mode of ['auto', 'hybrid', 'semantic', 'lexical']) {
    const { hits } = await find(service, memoryId, 'how long is the warranty period for kettles?', {
      options: { mode },
    })
    assert.deepEqual([hits[0]?.documentId, hits[0]?.kind, hits[0]?.text], [id, 'correction', statement], mode)
    assert.deepEqual([hits[1]?.kind, hits[1]?.text], ['document', text], mode)
    assert.equal(hits[0]?.scores.boost, 2)
    assert.ok((hits[0]?.score ?? 0) >= (hits[1]?.score ?? 1))
  }
  const simple = await service.post<{ hits: { documentId: string }[] }>(`/v1/memories/${memoryId}/search`, {
    query: 'warranty period for kettles',
  })
  assert.equal(simple.json.hits[0]?.documentId, id)
})

test('a correction that does not match does not show', async () => {
  verifies('find.corrections-first')
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, 'Trains to Bergen leave every hour from platform four.')
  await correct(memoryId, { statement: 'The cafeteria serves soup on Tuesdays.', topics: ['lunch'], boost: 10 })
  const { hits } = await find(service, memoryId, 'when do trains to Bergen leave')
  assert.equal(hits[0]?.kind, 'document')
  const irrelevant = await find(service, memoryId, 'platform of the train', { options: { mode: 'lexical' } })
  assert.ok(irrelevant.hits.every(({ kind }) => kind === 'document'))
})

test('corrections about something else leave the first place to what is asked for, in every language and to every exact word', async () => {
  verifies('find.corrections-first')
  const memoryId = await makeMemory(service)
  const rooms = ['первый', 'второй', 'третий', 'четвёртый', 'пятый', 'шестой'].map((name, place) => ({
    statement: `Добавочный номер кабинета ${name}: ${3700 + place}.`,
  }))
  const others = Array.from({ length: 30 }, (_, place) => ({
    statement: `The extension of room ${place} is ${4100 + place}.`,
  }))
  assertStatus(await service.post(`/v1/memories/${memoryId}/corrections`, { corrections: [...rooms, ...others] }), 201)
  const wanted: [query: string, text: string][] = [
    ['Когда уходит последний поезд в музей?', 'Последний поезд до музея отправляется в десять часов вечера.'],
    ['Wann fährt die letzte Bahn?', 'Die letzte Bahn zum Museum fährt um zehn Uhr abends.'],
    ['extension 5177', 'The porter has extension 5177 since the first of May.'],
    ['ERR_4999', 'ERR_4999 is logged where the disk is full.'],
    ['xqzvw', 'The word xqzvw stands on the stone of the gate.'],
  ]
  for (const [, text] of wanted) await addText(service, memoryId, text)
  for (const mode of ['auto', 'lexical', 'hybrid'])
    for (const [query, text] of wanted) {
      const { hits } = await find(service, memoryId, query, { options: { mode } })
      assert.deepEqual([hits[0]?.kind, hits[0]?.text], ['document', text], `${mode}: ${query}`)
    }
  const { hits } = await find(service, memoryId, 'extension 4107')
  assert.deepEqual([hits[0]?.kind, hits[0]?.text], ['correction', others[7]?.statement])
  assert.equal(hits.filter(({ kind }) => kind === 'correction').length, 1)
})

test('of two equally matching corrections the one with the higher boost comes first', async () => {
  verifies('corrections.boost', 'corrections.first')
  const memoryId = await makeMemory(service)
  await correct(memoryId, { statement: 'The gate code is 1111.', topics: ['gate code'], boost: 1 })
  const { id } = (await correct(memoryId, { statement: 'The gate code is 2222.', topics: ['gate code'], boost: 8 }))
    .json
  const { hits } = await find(service, memoryId, 'what is the gate code')
  assert.deepEqual([hits[0]?.documentId, hits.length], [id, 2])
})

test('a correction is a document: read, counted, listed and deleted as one', async () => {
  verifies('corrections.document', 'documents.source-type', 'memories.counts')
  const memoryId = await makeMemory(service)
  const { id } = (await correct(memoryId, { statement: 'Lockers are on floor two.' })).json
  const document = await readDocument(service, memoryId, id)
  assert.deepEqual([document.sourceType, document.status], ['correction', 'ready'])
  const { documentCount, correctionCount } = await readMemory(service, memoryId)
  assert.deepEqual([documentCount, correctionCount], [0, 1])
  assertStatus(await service.delete(`/v1/memories/${memoryId}/documents/${id}`), 204)
  assert.deepEqual((await find(service, memoryId, 'lockers on floor two')).hits, [])
  assert.equal((await readMemory(service, memoryId)).correctionCount, 0)
  assertError(await service.get(`/v1/memories/${memoryId}/documents/${id}`), 404, 'document_not_found')
})

function list(memoryId: string, query = '', key?: string) {
  const path = `/v1/memories/${memoryId}/corrections${query}`
  return service.call<List<'corrections', Correction>>('GET', path, key === undefined ? {} : { key })
}

test('a correction shows the passages it overrides, most similar first', async () => {
  verifies('beyond.corrections.outranks')
  const memoryId = await makeMemory(service)
  const text = 'The warranty period for kettles is twelve months from the date of purchase.'
  const id = await addText(service, memoryId, text, { title: 'Warranty' })
  await addText(service, memoryId, 'Soup is served on Tuesdays, and bread every day.')
  const statement = 'The warranty period for kettles is twenty-four months.'
  const { outranks } = (await correct(memoryId, { statement })).json
  const [first] = outranks ?? []
  assertFields(first, 'documentId', 'chunkId', 'title', 'page', 'snippet', 'score', 'scores')
  assert.deepEqual([first?.documentId, first?.title, first?.snippet], [id, 'Warranty', text])
  assert.ok((first?.scores.lexical ?? 0) > 0 && (first?.scores.semantic ?? 0) > 0.5)
  assert.equal(outranks?.length, 1)
  await addText(service, memoryId, text, { title: 'A copy' })
  await addText(
    service,
    memoryId,
    'Ships of the harbour are painted every few months, and the lighthouse keeper reads.',
  )
  assert.equal((await correct(memoryId, { statement })).json.outranks?.length, 1)
  const corrections = Array.from({ length: 22 }, () => ({ statement }))
  const batch = await service.post<CorrectionBatch>(`/v1/memories/${memoryId}/corrections`, { corrections })
  const counts = batch.json.corrections.map((one) => one.outranks?.length ?? null)
  assert.deepEqual(counts, [...Array(20).fill(1), null, null])
  await addText(service, memoryId, 'Kettles: the period of their warranty is not twelve months.')
  const plain = await list(memoryId, '?limit=1')
  assert.equal(plain.json.corrections[0]?.outranks, null)
  const included = await list(memoryId, '?limit=1&include=outranks')
  assert.equal(included.json.corrections[0]?.outranks?.length, 2)
  const [made] = batch.json.corrections
  const shapes = [made, plain.json.corrections[0], included.json.corrections[0]].map((one) => Object.keys(one ?? {}))
  for (const shape of shapes) assert.deepEqual(shape, shapes[0])
  assertError(
    await service.get(`/v1/memories/${memoryId}/corrections?include=all`),
    400,
    'validation_failed',
    'include',
  )
})

test('a correction lists the passages it last overrode, with the time', async () => {
  verifies('beyond.corrections.last-outranked')
  const memoryId = await makeMemory(service)
  const text = 'Ferries to the island leave at six in the morning.'
  const id = await addText(service, memoryId, text, { title: 'Timetable' })
  const made = await correct(memoryId, { statement: 'Ferries to the island leave at seven.' })
  const statement = 'Bread is baked on Sundays as well.'
  await correct(memoryId, { statement })
  assert.equal(made.json.lastOutranked, null)
  const before = new Date().toISOString()
  await ask(service, memoryId, 'When do ferries to the island leave?')
  const [never, listed] = (await list(memoryId)).json.corrections
  assert.deepEqual([never?.statement, never?.lastOutranked], [statement, null])
  const { at, passages } = listed?.lastOutranked ?? assert.fail('nothing was noted')
  assert.ok(at >= before && at <= new Date().toISOString())
  const [first] = passages
  assertFields(first, 'documentId', 'chunkId', 'title', 'page', 'startOffset', 'endOffset', 'score', 'scores')
  assert.deepEqual([first?.documentId, first?.title], [id, 'Timetable'])
  assert.equal((await readText(service, memoryId, id)).slice(first?.startOffset, first?.endOffset), text)
  assertStatus(await service.delete(`/v1/memories/${memoryId}/documents/${id}`), 204)
  assert.deepEqual((await list(memoryId)).json.corrections[1]?.lastOutranked, { at, passages: [] })
})

test('corrections are listed newest first, page by page, each with its creator', async () => {
  verifies('beyond.corrections.list', 'beyond.corrections.created-by')
  const memoryId = await makeMemory(service)
  const { key, id: keyId, name } = await makeKey(service, memoryId)
  const path = `/v1/memories/${memoryId}/correct`
  await correct(memoryId, { statement: 'First.' })
  const own = await service.call<Correction>('POST', path, { body: { statement: 'Second.' }, key })
  assert.deepEqual(own.json.createdBy, { keyId, name })
  await correct(memoryId, { statement: 'Third.', topics: ['t'], boost: 3 })
  await addText(service, memoryId, 'A document is no correction.')
  const first = (await list(memoryId, '?limit=2')).json
  assert.deepEqual(
    [first.total, first.hasMore, ...first.corrections.map(({ statement }) => statement)],
    [3, true, 'Third.', 'Second.'],
  )
  assert.deepEqual(first.corrections[1]?.createdBy, { keyId, name })
  const rest = (await list(memoryId, `?limit=2&cursor=${first.nextCursor}`)).json
  assert.deepEqual([rest.hasMore, rest.corrections[0]?.statement], [false, 'First.'])
  // A memory key learns nothing here about keys it cannot list.
  const seen = (await list(memoryId, '', key)).json.corrections.map(({ createdBy }) => createdBy?.keyId ?? null)
  assert.deepEqual(seen, [null, keyId, null])
  const other = await makeMemory(service)
  assertError(await service.call('GET', `/v1/memories/${other}/corrections`, { key }), 404, 'memory_not_found')
  assertError(await service.get(`/v1/memories/${memoryId}/corrections?cursor=x`), 400, 'invalid_cursor', 'cursor')
})

test('a correction that expires is found until then and not after, and is listed as expired', async () => {
  verifies('beyond.corrections.expires')
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, 'The canteen closes at two.')
  // Long enough to be found once on a slow machine; how long it takes is not measured.
  const expiresAt = new Date(Date.now() + 2000).toISOString()
  const { id, ...made } = (await correct(memoryId, { statement: 'The canteen closes at three.', expiresAt })).json
  assert.deepEqual([made.expiresAt, made.isExpired], [expiresAt, false])
  assert.deepEqual((await readDocument(service, memoryId, id)).correction?.expiresAt, expiresAt)
  const isFound = async () => (await find(service, memoryId, 'when does the canteen close')).hits[0]?.documentId === id
  const wasFound = await isFound()
  assert.ok(wasFound || Date.now() > Date.parse(expiresAt))
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, Date.parse(expiresAt) - Date.now() + 50)))
  assert.equal(await isFound(), false)
  assert.doesNotMatch((await ask(service, memoryId, 'When does the canteen close?')).answer, /three/)
  const [listed] = (await list(memoryId, '?include=outranks')).json.corrections
  assert.deepEqual([listed?.id, listed?.isExpired, listed?.outranks], [id, true, []])
  const answer = await service.post<{ explainedDocument: { reason: string } }>(`/v1/memories/${memoryId}/find`, {
    query: 'when does the canteen close',
    options: { explainDocumentId: id },
  })
  assert.equal(answer.json.explainedDocument.reason, 'expired')
})

test('an expiry has to be a time in the future, and a wrong one keeps nothing', async () => {
  verifies('beyond.corrections.expires')
  const memoryId = await makeMemory(service)
  for (const expiresAt of ['2020-01-01T00:00:00Z', 'tomorrow', 7]) {
    const answer = await service.post(`/v1/memories/${memoryId}/correct`, { statement: 'x', expiresAt })
    assertError(answer, 400, 'validation_failed', 'expiresAt')
    const corrections = [{ statement: 'A good one.' }, { statement: 'x', expiresAt }]
    const batch = await service.post(`/v1/memories/${memoryId}/corrections`, { corrections })
    assertError(batch, 400, 'validation_failed', 'corrections[1].expiresAt')
    const first = await service.post(`/v1/memories/${memoryId}/corrections`, { corrections: corrections.toReversed() })
    assertError(first, 400, 'validation_failed', 'corrections[0].expiresAt')
  }
  assert.equal((await readMemory(service, memoryId)).correctionCount, 0)
})

test('an answer from a correction gives its date, in text and fields', async () => {
  verifies('beyond.corrections.in-answers')
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, 'The canteen closes at 14:00 every day.')
  const expiresAt = '2099-01-01T00:00:00.000Z'
  const { createdAt } = (await correct(memoryId, { statement: 'The canteen closes at 15:00.', expiresAt })).json
  const { answer, citations, sources } = await ask(service, memoryId, 'When does the canteen close?', {
    includeSources: true,
  })
  assert.equal(answer, `The canteen closes at 15:00. (corrected on ${createdAt.slice(0, 10)}) [1]`)
  assert.deepEqual(citations[0]?.correction, { createdAt, expiresAt })
  assert.deepEqual(
    sources.map(({ correction }) => correction),
    [{ createdAt, expiresAt }, null],
  )
})

test('corrections about other identifiers leave the document that has the one asked for first', async () => {
  verifies('beyond.corrections.identifiers')
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, 'The parcel 7c1e90fb23ad left the harbour on Monday.')
  const others = Array.from({ length: 20 }, (_, place) => {
    const token = `${(place * 7919 + 4096).toString(16)}c0f${place * 31 + 100}b4e`
    return { statement: `The parcel ${token} is lost.`, topics: [] }
  })
  assertStatus(await service.post(`/v1/memories/${memoryId}/corrections`, { corrections: others }), 201)
  for (const query of ['7c1e90fb23ad', 'where is the parcel 7c1e90fb23ad'])
    for (const mode of ['lexical', 'hybrid', 'auto']) {
      const { hits } = await find(service, memoryId, query, { options: { mode } })
      assert.deepEqual(
        hits.map(({ kind }) => kind),
        ['document'],
        `${query} ${mode}`,
      )
    }
})
