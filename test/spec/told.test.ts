import assert from 'node:assert/strict'
import test from 'node:test'
import { makeScannedPdf } from '../support/sample-pictures.ts'
import { assertError, assertStatus } from './answer.ts'
import { useService } from './service.ts'
import type { Accepted, Asked, AskedOnce, Job, Memory } from './shapes.ts'
import { addInBackground, addText, addTexts, ask, endOfJob, makeMemory, upload } from './steps.ts'
import { verifies } from './verifies.ts'

// Its own service: other tests send wrong keys until they are limited.
const service = useService({})
type Searched = { hits: { kind: string }[]; totalHitsRelation: string }
const CRANE = 'The crane at the quay lifts 40 tons.'
type Warned = { warnings?: { code: string; param: string | null }[] }
const named = ({ warnings = [] }: Warned) => warnings.map(({ code, param }) => [code, param])

test('unknown fields are named, also in a replay', async () => {
  verifies('told.unknown-fields')
  const headers = { 'Idempotency-Key': 'told-unknown' }
  for (const replayed of [null, 'true']) {
    const made = await service.post<Memory & Warned>('/v1/memories', { name: 'Told', nmae: 1 }, { headers })
    assertStatus(made, 201)
    assert.equal(made.headers.get('idempotent-replayed'), replayed)
    assert.deepEqual(named(made.json), [['unknown_field', 'nmae']])
  }
  const memoryId = await makeMemory(service, 'Told search')
  const found = await service.post<Warned>(`/v1/memories/${memoryId}/search`, { query: 'crane', limt: 3 })
  assert.deepEqual(named(found.json), [['unknown_field', 'limt']])
  const plain = await service.post<Warned>(`/v1/memories/${memoryId}/search`, { query: 'crane' })
  assert.equal('warnings' in plain.json, false)
})

test('hits of search have their kind, and the total says whether it is exact', async () => {
  verifies('told.search-kind', 'told.total-hits')
  const memoryId = await makeMemory(service, 'Told kinds')
  await addText(service, memoryId, CRANE)
  const path = `/v1/memories/${memoryId}`
  assertStatus(await service.post(`${path}/correct`, { statement: 'The crane at the quay lifts 45 tons.' }), 201)
  const few = (await service.post<Searched>(`${path}/search`, { query: 'crane at the quay' })).json
  assert.deepEqual(new Set(few.hits.map(({ kind }) => kind)), new Set(['correction', 'document']))
  assert.equal(few.totalHitsRelation, 'eq')
  const many = Array.from({ length: 300 }, (_, index) => ({ text: `Crane number ${index} stands at quay ${index}.` }))
  assertStatus(await addTexts(service, memoryId, many), 200)
  const found = (await service.post<Searched>(`${path}/find`, { query: 'crane quay' })).json
  assert.equal(found.totalHitsRelation, 'gte')
})

test('a named model that does not answer is warned of', async () => {
  verifies('told.model-ignored')
  const memoryId = await makeMemory(service, 'Told model')
  await addText(service, memoryId, CRANE)
  const question = 'How much does the crane at the quay lift?'
  const answer: Asked = await ask(service, memoryId, question, { model: 'gpt-5' })
  assert.deepEqual(named(answer), [['model_ignored', 'model']])
  for (const options of [{}, { model: 'extractive' }])
    assert.deepEqual((await ask(service, memoryId, question, options)).warnings, [])
})

test('ask-once replays its answer, refuses another body, and answers anew without the key', async () => {
  verifies('told.ask-once-replay')
  const body = { question: 'How much does the crane at the quay lift?', content: CRANE }
  const headers = { 'Idempotency-Key': 'told-once' }
  const [first, second] = [
    await service.post<AskedOnce>('/v1/ask-once', body, { headers }),
    await service.post<AskedOnce>('/v1/ask-once', body, { headers }),
  ]
  assert.deepEqual(second.json, first.json)
  assert.deepEqual(
    [first, second].map((one) => one.headers.get('idempotent-replayed')),
    [null, 'true'],
  )
  const other = await service.post('/v1/ask-once', { ...body, content: 'Another text.' }, { headers })
  assertError(other, 422, 'idempotency_key_reused')
})

test('two different keys in a request are refused with a message that says so', async () => {
  verifies('told.two-keys')
  const refused = await service.get('/v1/memories', { headers: { 'X-API-Key': 'another key' } })
  assertError(refused, 401, 'invalid_api_key')
  assert.match(refused.text, /several different API keys/)
})

test('the job of a deleted document says that the document was deleted', async () => {
  verifies('told.deleted-document')
  const memoryId = await makeMemory(service, 'Told deletion')
  const long = Array.from({ length: 40_000 }, (_, index) => `Sentence ${index} of a long report on cranes.`).join(' ')
  const { jobId, documentIds } = (await addInBackground(service, memoryId, long)).json
  assertStatus(await service.delete(`/v1/memories/${memoryId}/documents/${documentIds[0]}`), 204)
  const job: Job = await endOfJob(service, jobId)
  assert.deepEqual([job.status, job.errorCode], ['failed', 'document_not_found'])
  assert.match(job.message, /the document was deleted/)
})

test('a scan with enableOcr false ends alike in a request and in a job', async () => {
  verifies('told.excluded-pages')
  const memoryId = await makeMemory(service, 'Told scans')
  const content = await makeScannedPdf([{ scan: 'Never read.' }])
  for (const isAsync of [false, true]) {
    const options = { enableOcr: false, async: isAsync }
    const added = await upload(service, memoryId, { content, filename: 'scan.pdf', options })
    const job = isAsync ? await endOfJob(service, (added.json as unknown as Accepted).jobId) : null
    assert.equal(job?.status ?? added.json.status, 'completed')
    assert.deepEqual(named((job?.result as Warned | undefined) ?? added.json), [['pages_not_recognized', null]])
  }
})
