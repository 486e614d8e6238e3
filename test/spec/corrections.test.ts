import assert from 'node:assert/strict'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { useService } from './service.ts'
import type { Correction, CorrectionBatch } from './shapes.ts'
import { addText, assertFields, find, listDocuments, makeMemory, readDocument, readMemory } from './steps.ts'
import { verifies } from './verifies.ts'

const service = useService()

function correct(memoryId: string, body: Record<string, unknown>) {
  return service.post<Correction>(`/v1/memories/${memoryId}/correct`, body)
}

test('a correction is created with its fields, boost 2 by default', async () => {
  verifies('corrections.correct', 'corrections.answer', 'corrections.fields', 'corrections.boost')
  const memoryId = await makeMemory(service)
  const answer = await correct(memoryId, { statement: 'The office closes at 17:00.', topics: ['opening hours'] })
  assertStatus(answer, 201)
  assert.ok(answer.headers.get('location'))
  const { id, createdAt, ...rest } = answer.json
  assert.match(id, /^doc_[0-9a-z]{26}$/)
  assert.match(createdAt, /Z$/)
  assert.equal((await readDocument(service, memoryId, id)).createdAt, createdAt)
  assert.deepEqual(rest, { memoryId, statement: 'The office closes at 17:00.', topics: ['opening hours'], boost: 2 })
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

test('a batch of corrections is created at once', async () => {
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

test('of two corrections that match alike the one with the higher boost comes first', async () => {
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
