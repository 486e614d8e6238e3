import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startGate } from '../support/model-server/gate.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { assertError, assertStatus } from './answer.ts'
import { createService } from './service.ts'
import {
  addInBackground,
  addText,
  addTexts,
  endOfJob,
  find,
  listDocuments,
  makeKey,
  makeMemory,
  readDocument,
  readMemory,
} from './steps.ts'
import { verifies } from './verifies.ts'

type Accepted = { jobId: string; pollUrl: string; status: string; job: { jobType: string; status: string } }

const LIFT = 'The lift is serviced by the caretaker on Tuesdays.'
const ROOF = 'The roof was sealed with tar in autumn.'
const CELLAR = 'The cellar floods when the pump is switched off.'
const SEMANTIC = { options: { mode: 'semantic' } }

const models = await startModelServer()
// Texts without a common word are apart in so many.
models.setDimensions(256)
const gate = await startGate(models.url)
const settings = { RECOLLECT_EMBEDDER: 'openai:mini', OPENAI_BASE_URL: gate.url }
const service = createService(settings)
before(() => service.start())
after(async () => {
  await service.dispose()
  await gate.close()
  await models.close()
})

/** A memory of the embedded model. */
async function makeFilled() {
  const memoryId = await makeMemory(service, 'Filled')
  const texts = [LIFT, ROOF, 'The number of the house is eleven.']
  const documents = texts.map((text) => ({ title: 'Note', text }))
  const answer = await addTexts(service, memoryId, documents, { embeddingModel: 'embedded' })
  assertStatus(answer, 200)
  return { memoryId, roof: answer.json.documentIds[1] ?? '' }
}

async function reembed(memoryId: string, embeddingModel: string): Promise<Accepted> {
  const answer = await service.post<Accepted>(`/v1/memories/${memoryId}/reembed`, { embeddingModel })
  assertStatus(answer, 202)
  return answer.json
}

/** The texts of the two best hits, a correction first. */
async function findTexts(memoryId: string, query: string): Promise<string[]> {
  const { hits, mode, warnings } = await find(service, memoryId, query, SEMANTIC)
  assert.deepEqual([mode, warnings], ['semantic', []])
  return hits.slice(0, 2).map(({ text }) => text)
}

test('a memory goes to another model and back, and finds the same', async () => {
  verifies('beyond.reembed', 'beyond.reembed.switch', 'beyond.reembed.same-model')
  const { memoryId } = await makeFilled()
  for (const [name, model] of [
    ['openai:mini', 'mini'],
    ['embedded', 'static-multi'],
    ['static-multi', 'static-multi'],
  ] as const) {
    const { jobId, pollUrl, status, job } = await reembed(memoryId, name)
    assert.deepEqual([pollUrl, status, job.jobType], [`/v1/jobs/${jobId}`, 'pending', 'reembedding'])
    const ended = await endOfJob(service, jobId)
    assert.deepEqual([ended.status, ended.progress, ended.result?.chunksCreated], ['completed', 100, 3])
    assert.match(ended.message, new RegExp(`3 chunks with ${model}`))
    assert.equal((await readMemory(service, memoryId)).embeddingModel, model)
    const { documents } = await listDocuments(service, memoryId)
    assert.deepEqual([...new Set(documents.map(({ embeddingModel }) => embeddingModel))], [model])
    assert.ok((await findTexts(memoryId, 'who services the lift')).includes(LIFT))
  }
})

test("the memory's own key is enough, and the model it has already is asked again for every text", async () => {
  verifies('beyond.reembed.same-model', 'beyond.reembed.access')
  const { memoryId } = await makeFilled()
  const { key } = await makeKey(service, memoryId)
  const path = `/v1/memories/${memoryId}/reembed`
  for (const embeddingModel of ['mini', 'openai:mini']) {
    models.requests.length = 0
    const accepted = await service.post<Accepted>(path, { embeddingModel }, { key })
    assertStatus(accepted, 202)
    assert.equal((await endOfJob(service, accepted.json.jobId)).status, 'completed')
    const texts = models.requests.flatMap(({ body }) => [body.input ?? []].flat())
    for (const text of [LIFT, ROOF]) assert.ok(texts.some((sent) => sent.includes(text)))
  }
})

test('the old vectors answer while a slow model makes the new ones, and what is added and deleted stays so', async () => {
  verifies('beyond.reembed.switch', 'beyond.reembed.meanwhile')
  const { memoryId, roof } = await makeFilled()
  gate.shut()
  const { jobId } = await reembed(memoryId, 'mini')
  await gate.arrived()
  assert.ok((await findTexts(memoryId, 'who services the lift')).includes(LIFT))
  const added = await addText(service, memoryId, CELLAR)
  const correction = await service.post(`/v1/memories/${memoryId}/correct`, {
    statement: 'The lift is serviced on Fridays.',
  })
  assertStatus(correction, 201)
  assertStatus(await service.delete(`/v1/memories/${memoryId}/documents/${roof}`), 204)
  const inBackground = await addInBackground(service, memoryId, 'The attic is dry all year round.')
  assert.equal((await endOfJob(service, inBackground.json.jobId)).status, 'completed')
  assert.equal((await readMemory(service, memoryId)).embeddingModel, 'static-multi')
  gate.open()
  assert.equal((await endOfJob(service, jobId)).status, 'completed')
  const { embeddingModel, documentCount, correctionCount } = await readMemory(service, memoryId)
  assert.deepEqual([embeddingModel, documentCount, correctionCount], ['mini', 4, 1])
  assert.equal((await readDocument(service, memoryId, added)).embeddingModel, 'mini')
  for (const text of [CELLAR, 'The attic is dry all year round.', 'The lift is serviced on Fridays.']) {
    assert.ok((await findTexts(memoryId, text)).includes(text))
  }
  assert.ok(!(await findTexts(memoryId, ROOF)).includes(ROOF))
})

test('a cancelled re-embedding, or one with a failing model, leaves the memory unchanged; a retry succeeds', async () => {
  verifies('beyond.reembed.broken')
  const { memoryId } = await makeFilled()
  gate.shut()
  const { jobId } = await reembed(memoryId, 'mini')
  await gate.arrived()
  assertStatus(await service.post(`/v1/jobs/${jobId}/cancel`, {}), 200)
  const cancelled = await endOfJob(service, jobId)
  assert.deepEqual([cancelled.status, cancelled.errorCode], ['failed', 'cancelled'])
  assert.equal((await readMemory(service, memoryId)).embeddingModel, 'static-multi')
  assert.ok((await findTexts(memoryId, 'who services the lift')).includes(LIFT))
  gate.open()
  assertStatus(await service.post(`/v1/jobs/${jobId}/retry`, {}), 200)
  assert.equal((await endOfJob(service, jobId)).status, 'completed')
  assert.ok((await findTexts(memoryId, 'who services the lift')).includes(LIFT))
})

test('a re-embedding whose process is killed continues in the next one', async () => {
  verifies('beyond.reembed.broken')
  const { memoryId } = await makeFilled()
  gate.shut()
  const { jobId } = await reembed(memoryId, 'mini')
  await gate.arrived()
  await service.kill()
  gate.open()
  await service.start()
  assert.equal((await endOfJob(service, jobId)).status, 'completed')
  assert.ok((await findTexts(memoryId, 'who services the lift')).includes(LIFT))
})

test('an impossible re-embedding is refused with what to do', async () => {
  verifies('beyond.reembed.unknown-model', 'beyond.reembed.once', 'beyond.same-rules')
  const { memoryId } = await makeFilled()
  const path = `/v1/memories/${memoryId}/reembed`
  const unknown = await service.post(path, { embeddingModel: 'text-embedding-3-small' })
  assertError(unknown, 400, 'validation_failed', 'embeddingModel')
  assert.match(unknown.json.error.message, /static-multi, mini/)
  assertError(await service.post(path, {}), 400, 'validation_failed')
  assertError(await service.post('/v1/memories/mem_none/reembed', { embeddingModel: 'mini' }), 404, 'memory_not_found')
  const other = await makeMemory(service, 'Other')
  const { key } = await makeKey(service, other)
  assertError(await service.post(path, { embeddingModel: 'mini' }, { key }), 404, 'memory_not_found')
  gate.shut()
  const { jobId } = await reembed(memoryId, 'mini')
  await gate.arrived()
  const second = await service.post(path, { embeddingModel: 'embedded' })
  assertError(second, 409, 'reembedding_in_progress')
  assert.ok(second.text.includes(jobId))
  assertStatus(await service.post(`/v1/jobs/${jobId}/cancel`, {}), 200)
  assert.equal((await endOfJob(service, jobId)).errorCode, 'cancelled')
  gate.open()
  assert.equal((await endOfJob(service, (await reembed(memoryId, 'mini')).jobId)).status, 'completed')
})
