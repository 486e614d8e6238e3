import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { type Service, useService } from './service.ts'
import type { Accepted, Account, Job, List, Memory } from './shapes.ts'
import { addText, assertFields, endOfJob, find, listDocuments, makeMemory, readMemory, upload } from './steps.ts'
import { verifies } from './verifies.ts'

const MB = 1024 * 1024
/** Stored with its original, this file leaves about 0.6 MB of the free plan's storage. */
const FILLING_BYTES = Math.floor(24.7 * MB)
const free = useService({ RECOLLECT_PLAN: 'free' })
const starter = useService({ RECOLLECT_PLAN: 'starter' })
const unlimited = useService()

async function accountOf(service: Service): Promise<Account> {
  const answer = await service.get<Account>('/v1/account')
  assertStatus(answer, 200)
  return answer.json
}

/** A mostly blank text of this many bytes, which fills storage at little processor time. */
function blankText(bytes: number, word: string): string {
  const line = `${' '.repeat(1023)}\n`
  return `${word}\n${line.repeat(Math.ceil(bytes / 1024))}`.slice(0, bytes)
}

/** Sending 250,000 queries is too slow: only this function writes behind the API. */
async function setQueriesUsed(service: Service, queries: number): Promise<void> {
  for (const name of await readdir(service.dataDirectory, { recursive: true })) {
    if (!/\.(db|sqlite|sqlite3)$/.test(name)) continue
    const database = new DatabaseSync(join(service.dataDirectory, name))
    database.exec('PRAGMA busy_timeout = 5000')
    database.prepare('UPDATE usage SET queries = ?').run(queries)
    database.close()
  }
}

test('the account shows organization, plan, usage and the key that asks', async () => {
  verifies('account.get', 'account.fields', 'account.plan.unlimited-default', 'account.unlimited-null', 'settings.plan')
  const account = await accountOf(unlimited)
  assert.match(account.organization.id, /^org_[0-9a-z]{26}$/)
  assertFields(account.organization, 'id', 'name', 'createdAt')
  assert.deepEqual([account.plan.id, account.plan.name], ['unlimited', 'Unlimited'])
  assert.deepEqual(account.plan.limits, {
    ...{ storageBytes: null, memories: null, queriesPerMonth: null },
    ...{ maxFileBytes: 104857600, maxImageBytes: 20971520, requestTimeoutSeconds: 600, requestBodyBytes: 157286400 },
  })
  assertFields(account.usage, 'storageBytes', 'memories', 'documents', 'queries', 'period')
  const { start, end } = account.usage.period
  assert.match(start, /^\d{4}-\d\d-01T00:00:00\.000Z$/)
  assert.ok(start <= new Date().toISOString() && end > new Date().toISOString())
  assertFields(account.apiKey, 'id', 'name', 'scope', 'memoryId')
  assert.deepEqual([account.apiKey.scope, account.apiKey.memoryId], ['organization', null])
})

test('usage counts storage, memories, documents and queries', async () => {
  verifies('account.usage.counts', 'account.queries.find-search', 'settings.storage.counted')
  const before = (await accountOf(unlimited)).usage
  const memoryId = await makeMemory(unlimited)
  await addText(unlimited, memoryId, 'Größe')
  const file = { content: 'Zwölf Fähren', filename: 'f.txt', options: { storeSource: true } }
  assertStatus(await upload(unlimited, memoryId, file), 200)
  await find(unlimited, memoryId, 'Fähren')
  assertStatus(await unlimited.post(`/v1/memories/${memoryId}/search`, { query: 'Fähren' }), 200)
  assertError(await unlimited.post(`/v1/memories/${memoryId}/find`, { query: 7 }), 400, 'validation_failed')
  assertError(await unlimited.post('/v1/memories/mem_x/find', { query: 'x' }), 404, 'memory_not_found')
  const after = (await accountOf(unlimited)).usage
  assert.equal(after.storageBytes - before.storageBytes, 7 + 2 * 14)
  assert.equal((await readMemory(unlimited, memoryId)).sizeBytes, 7 + 2 * 14)
  assert.deepEqual(
    [after.memories - before.memories, after.documents - before.documents, after.queries - before.queries],
    [1, 2, 2],
  )
  assertStatus(await unlimited.delete(`/v1/memories/${memoryId}`), 204)
  const end = (await accountOf(unlimited)).usage
  assert.deepEqual(
    [end.storageBytes, end.memories, end.documents, end.queries],
    [before.storageBytes, before.memories, before.documents, after.queries],
  )
})

test('the free plan has the limits of the API document', async () => {
  verifies(
    'limits.free.storage',
    'limits.free.memories',
    'limits.free.queries',
    'limits.free.file',
    'limits.free.image',
  )
  verifies('limits.free.timeout', 'limits.free.body', 'account.unlimited-null', 'settings.plan')
  const { plan } = await accountOf(free)
  assert.deepEqual(
    { id: plan.id, name: plan.name, ...plan.limits },
    {
      ...{ id: 'free', name: 'Free', storageBytes: 50 * MB, memories: 1, queriesPerMonth: null },
      ...{ maxFileBytes: 100 * MB, maxImageBytes: 20 * MB, requestTimeoutSeconds: 300, requestBodyBytes: 150 * MB },
    },
  )
})

test('the starter plan has the limits of the API document', async () => {
  verifies('limits.starter.storage', 'limits.starter.memories', 'limits.starter.queries', 'limits.starter.file')
  verifies('limits.starter.image', 'limits.starter.timeout', 'limits.starter.body', 'settings.plan')
  const { plan } = await accountOf(starter)
  assert.deepEqual(
    { id: plan.id, name: plan.name, ...plan.limits },
    {
      ...{ id: 'starter', name: 'Starter', storageBytes: 26843545600, memories: 5, queriesPerMonth: 250000 },
      ...{ maxFileBytes: 104857600, maxImageBytes: 20971520, requestTimeoutSeconds: 600, requestBodyBytes: 157286400 },
    },
  )
})

test('the fifth memory of starter is the last, also concurrently, until one is deleted', async () => {
  verifies('limits.starter.memories', 'errors.403.memory_limit_reached')
  const racing = Array.from({ length: 9 }, () => starter.post<Memory>('/v1/memories', { name: 'Racing' }))
  const answers = await Promise.all(racing)
  const made = answers.filter(({ status }) => status === 201)
  assert.equal(made.length, 5)
  for (const answer of answers.filter(({ status }) => status !== 201)) assertError(answer, 403, 'memory_limit_reached')
  assertStatus(await starter.delete(`/v1/memories/${made[0]?.json.id}`), 204)
  await makeMemory(starter)
  assertError(await starter.post('/v1/memories', { name: 'One more' }), 403, 'memory_limit_reached')
  assert.equal((await starter.get<List<'memories', Memory>>('/v1/memories')).json.total, 5)
})

test('the query after the last one of the month is 429 and says limit, used, resetDate and plan', async () => {
  verifies('limits.starter.queries', 'errors.429.query_quota_exceeded', 'rules.headers.retry-after')
  const memoryId = (await starter.get<List<'memories', Memory>>('/v1/memories')).json.memories[0]?.id ?? ''
  await find(starter, memoryId, 'anything')
  await setQueriesUsed(starter, 249_999)
  assert.equal((await accountOf(starter)).usage.queries, 249_999)
  const racing = Array.from({ length: 4 }, () => starter.post(`/v1/memories/${memoryId}/search`, { query: 'x' }))
  const answers = await Promise.all(racing)
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  const refused = await starter.post(`/v1/memories/${memoryId}/find`, { query: 'x' })
  assertError(refused, 429, 'query_quota_exceeded')
  const { limit, used, resetDate, planName } = refused.json.error
  assert.deepEqual([limit, used, planName], [250_000, 250_000, 'Starter'])
  assert.match(resetDate ?? '', /^\d{4}-\d\d-01/)
  assert.equal((await accountOf(starter)).usage.queries, 250_000)
  await addText(starter, memoryId, 'Adding goes on.')
})

test('the free plan has one memory and refuses what does not fit, keeps what fits, and takes the rest once there is room', async () => {
  verifies(
    'limits.free.memories',
    'limits.free.storage',
    'errors.403.storage_quota_exceeded',
    'errors.403.memory_limit_reached',
  )
  verifies(
    'settings.storage.sync-over',
    'settings.storage.job-over',
    'settings.storage.counted',
    'rules.retry.permanent-is-4xx',
  )
  verifies(
    'jobs.state.partial',
    'jobs.is-partial',
    'jobs.partial-message',
    'jobs.list.partial',
    'errors.api.job-partial',
    'jobs.retry',
  )
  const byLetters = { options: { mode: 'lexical' } }
  const memoryId = await makeMemory(free)
  assertError(await free.post('/v1/memories', { name: 'Second' }), 403, 'memory_limit_reached')

  const file = { content: blankText(FILLING_BYTES, 'filling'), filename: 'fill.txt', options: { storeSource: true } }
  const filling = await upload<Accepted>(free, memoryId, file)
  assertStatus(filling, 202)
  assert.equal((await endOfJob(free, filling.json.jobId)).status, 'completed')
  assert.equal((await accountOf(free)).usage.storageBytes, 2 * FILLING_BYTES)

  const over = { content: blankText(1.5 * MB, 'overflow'), filename: 'over.txt', options: { storeSource: true } }
  assertError(await upload(free, memoryId, over), 403, 'storage_quota_exceeded')
  const texts = ['one', 'two', 'three'].map((word) => ({ title: word, text: blankText(0.25 * MB, `${word} penguin`) }))
  const refused = await free.post(`/v1/memories/${memoryId}/documents`, { documents: texts })
  assertError(refused, 403, 'storage_quota_exceeded')
  const { limit, used, planName } = refused.json.error
  assert.deepEqual([limit, used, planName], [50 * MB, 2 * FILLING_BYTES, 'Free'])
  assert.equal((await accountOf(free)).usage.storageBytes, 2 * FILLING_BYTES)
  assert.deepEqual(
    [
      (await listDocuments(free, memoryId)).total,
      (await find(free, memoryId, 'overflow penguin', byLetters)).hits.length,
    ],
    [1, 0],
  )

  const body = { documents: texts, options: { async: true } }
  const { jobId } = (await free.post<Accepted>(`/v1/memories/${memoryId}/documents`, body)).json
  const job = await endOfJob(free, jobId)
  assert.deepEqual([job.status, job.isPartial], ['partial', true], JSON.stringify(job))
  assert.match(job.message, /quota|storage/i)
  assert.ok((await accountOf(free)).usage.storageBytes <= 50 * MB)
  assert.equal((await find(free, memoryId, 'penguin', byLetters)).hits.length, 2)
  const partial = (await free.get<List<'jobs', Job>>('/v1/jobs?status=partial')).json.jobs
  assert.deepEqual(
    partial.map(({ id }) => id),
    [jobId],
  )

  assertStatus(await free.call('POST', `/v1/jobs/${jobId}/retry`), 200)
  const inVain = await endOfJob(free, jobId)
  assert.deepEqual([inVain.status, inVain.isPartial, inVain.errorCode], ['partial', true, 'storage_quota_exceeded'])
  assert.deepEqual(inVain.result, job.result)

  assertStatus(await free.delete(`/v1/memories/${memoryId}/documents/${filling.json.documentIds[0]}`), 204)
  assertStatus(await free.call('POST', `/v1/jobs/${jobId}/retry`), 200)
  const again = await endOfJob(free, jobId)
  assert.deepEqual([again.status, again.isPartial], ['completed', false], JSON.stringify(again))
  assert.match(again.message, /^Added 3 of 3 documents/)
  assert.equal(again.result?.documentsAdded, 3)
  const { hits } = await find(free, memoryId, 'penguin', byLetters)
  assert.deepEqual(hits.map(({ title }) => title).sort(), ['one', 'three', 'two'])
})
