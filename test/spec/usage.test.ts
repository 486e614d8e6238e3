import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { assertError, assertStatus } from './answer.ts'
import { createService, useService } from './service.ts'
import type { Key, Usage } from './shapes.ts'
import { addInBackground, addText, ask, endOfJob, find, makeKey, makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

const service = useService()
/** Counts are written 5 seconds after the first. */
const WRITTEN_MS = 7000
const DAY_MS = 24 * 3600_000
const KEEPER = 'The lock keeper opens the gate at six.'
const SCHEMA = { sections: [{ id: 's', name: 'S', fields: [{ key: 'opening', label: 'opening of the gate' }] }] }

function dayBefore(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
}

async function readUsage(query = '', key?: string): Promise<Usage> {
  const answer = await service.get<Usage>(`/v1/usage${query}`, key === undefined ? {} : { key })
  assertStatus(answer, 200)
  return answer.json
}

test('requests that were answered are counted once, with their times', async () => {
  verifies('usage.counts', 'usage.latency')
  const memoryId = await makeMemory(service, 'Counted')
  const path = `/v1/memories/${memoryId}`
  const before = (await readUsage(`?memoryId=${memoryId}`)).totals
  assert.deepEqual([before.finds, before.findP50Ms, before.askP95Ms], [0, null, null])
  const documentId = await addText(service, memoryId, KEEPER)
  const job = await addInBackground(service, memoryId, 'The harbour has two cranes.')
  await endOfJob(service, job.json.jobId)
  await find(service, memoryId, 'lock keeper')
  const headers = { 'idempotency-key': 'once' }
  for (let time = 0; time < 2; time += 1)
    assertStatus(await service.post(`${path}/search`, { query: 'gate' }, { headers }), 200)
  assertStatus(await service.post('/v1/find', { query: 'gate', memoryIds: [memoryId] }), 200)
  const call = { name: 'find', arguments: { memory_id: memoryId, query: 'gate' } }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
  assertStatus(await service.post('/mcp', message, { headers: { accept: 'application/json, text/event-stream' } }), 200)
  assert.equal((await ask(service, memoryId, 'When does the lock keeper open the gate?')).answered, true)
  assert.equal((await ask(service, memoryId, 'Which vaccine protects against measles?')).answered, false)
  const events = { headers: { accept: 'text/event-stream' } }
  assertStatus(await service.post(`${path}/ask`, { question: 'When does the keeper open the gate?' }, events), 200)
  assertStatus(await service.post(`${path}/extract`, SCHEMA), 200)
  const questions = [{ query: 'lock keeper', documentIds: [documentId] }]
  assertStatus(await service.post(`${path}/evaluate`, { questions }), 200)
  assertStatus(await service.post(`${path}/correct`, { statement: 'The gate opens at seven.' }), 201)
  assertError(await service.post(`${path}/find`, { query: '' }), 400, 'validation_failed')
  const { totals } = await readUsage(`?memoryId=${memoryId}`)
  const { finds, asks, asksDeclined, extractions, failedRequests, documentsAdded } = totals
  assert.deepEqual([finds, asks, asksDeclined, extractions, failedRequests, documentsAdded], [4, 3, 1, 1, 0, 2])
  for (const [half, most] of [
    [totals.findP50Ms, totals.findP95Ms],
    [totals.askP50Ms, totals.askP95Ms],
  ])
    assert.ok(half !== null && most !== null && half !== undefined && most !== undefined && 0 < half && half <= most)
})

test('every day of the range is there, the last 30 by default', async () => {
  verifies('usage.days', 'usage.range')
  const { from, to, days, totals, groupBy, groups, groupsLeftOut } = await readUsage()
  assert.deepEqual([days.length, days[0]?.day, days.at(-1)?.day], [30, from, to])
  assert.deepEqual([from, to], [dayBefore(29), dayBefore(0)])
  assert.deepEqual([days[0]?.finds, days[0]?.askP50Ms, totals.finds], [0, null, days.at(-1)?.finds])
  assert.deepEqual([groupBy, groups, groupsLeftOut], [null, [], 0])
  const single = await readUsage(`?from=${dayBefore(2)}&to=${dayBefore(2)}`)
  assert.deepEqual([single.days.length, single.totals.finds], [1, 0])
  assert.equal((await readUsage(`?from=${dayBefore(89)}`)).days.length, 90)
  for (const [query, param] of [
    [`from=${dayBefore(90)}`, 'from'],
    [`from=${dayBefore(0)}&to=${dayBefore(1)}`, 'from'],
    ['from=2026-02-30&to=2026-03-01', 'from'],
    ['to=yesterday', 'to'],
    ['to=2026-11-28T00:00:00Z', 'to'],
    ['groupBy=project', 'groupBy'],
  ])
    assertError(await service.get(`/v1/usage?${query}`), 400, 'validation_failed', param)
})

test('figures are of a memory, of a key, or of each', async () => {
  verifies('usage.filters', 'usage.groups', 'usage.several-memories')
  const [one, other] = [await makeMemory(service, 'One'), await makeMemory(service, 'Other')]
  const { id: keyId, key } = await makeKey(service)
  for (let time = 0; time < 30; time += 1)
    assertStatus(await service.post(`/v1/memories/${one}/find`, { query: 'x' }, { key }), 200)
  assertStatus(await service.post(`/v1/memories/${other}/find`, { query: 'x' }), 200)
  assertStatus(await service.post('/v1/find', { query: 'x', memoryIds: [one, other] }, { key }), 200)
  assertStatus(await service.post('/v1/ask-once', { question: 'When?', content: KEEPER }, { key }), 200)
  assert.equal((await readUsage(`?memoryId=${one}`)).totals.finds, 30)
  const ofKey = await readUsage(`?keyId=${keyId}&groupBy=memory`)
  assert.deepEqual([ofKey.totals.finds, ofKey.totals.asks], [31, 1])
  assert.deepEqual(
    ofKey.groups.map(({ id, totals, days }) => [id, totals.finds, totals.asks, days.length]),
    [
      [one, 30, 0, 30],
      [null, 1, 1, 30],
    ],
  )
  const byKey = await readUsage('?groupBy=key')
  assert.equal(byKey.groups.find(({ id }) => id === keyId)?.totals.finds, 31)
  assertError(await service.get('/v1/usage?memoryId=mem_unknown'), 404, 'memory_not_found')
  assertError(await service.get('/v1/usage?keyId=key_unknown'), 404, 'key_not_found')
})

test('a key of memories sees its memories, and a reader no keys', async () => {
  verifies('usage.scopes', 'usage.roles')
  const [own, other] = [await makeMemory(service, 'Own'), await makeMemory(service, 'Another')]
  await find(service, other, 'x')
  const { key } = await makeKey(service, own)
  assertStatus(await service.post(`/v1/memories/${own}/find`, { query: 'x' }, { key }), 200)
  const seen = await readUsage('?groupBy=memory', key)
  assert.deepEqual([seen.totals.finds, seen.groups.map(({ id }) => id)], [1, [own]])
  assertError(await service.get(`/v1/usage?memoryId=${other}`, { key }), 404, 'memory_not_found')
  assertError(await service.get('/v1/usage?groupBy=key', { key }), 403, 'scope_forbidden')
  const made = await service.post<Key>('/v1/keys', { name: 'Reader', role: 'reader' })
  const reader = { key: made.json.key }
  assertStatus(await service.get('/v1/usage?groupBy=memory', reader), 200)
  assertError(await service.get('/v1/usage?groupBy=key', reader), 403, 'role_forbidden')
  assertError(await service.get(`/v1/usage?keyId=${made.json.id}`, reader), 403, 'role_forbidden')
})

test('deleted memories and revoked keys leave only the totals', async () => {
  verifies('usage.erasure')
  const memoryId = await makeMemory(service, 'Deleted')
  const { id: keyId, key } = await makeKey(service)
  assertStatus(await service.post(`/v1/memories/${memoryId}/find`, { query: 'x' }, { key }), 200)
  const { totals } = await readUsage(`?memoryId=${memoryId}&keyId=${keyId}`)
  assert.equal(totals.finds, 1)
  const before = (await readUsage()).totals
  assertStatus(await service.delete(`/v1/memories/${memoryId}`), 204)
  assertStatus(await service.delete(`/v1/keys/${keyId}`), 204)
  assertError(await service.get(`/v1/usage?memoryId=${memoryId}`), 404, 'memory_not_found')
  assertError(await service.get(`/v1/usage?keyId=${keyId}`), 404, 'key_not_found')
  for (const groupBy of ['memory', 'key']) {
    const answer = await service.get<Usage>(`/v1/usage?groupBy=${groupBy}`)
    assert.deepEqual([answer.text.includes(memoryId), answer.text.includes(keyId)], [false, false])
    assert.equal(answer.json.totals.finds, before.finds)
  }
})

test('counts survive a stop, and those that were written also a kill', async (t) => {
  verifies('usage.kept', 'usage.sizes')
  const restarted = createService()
  t.after(() => restarted.dispose())
  await restarted.start()
  const memoryId = await makeMemory(restarted)
  await addText(restarted, memoryId, KEEPER)
  await find(restarted, memoryId, 'lock keeper')
  await restarted.stop()
  // A start measures the memories.
  await restarted.start()
  const read = async () => (await restarted.get<Usage>('/v1/usage')).json
  while ((await read()).totals.documents === null) await pause(50)
  const { days, totals } = await read()
  assert.deepEqual([totals.finds, totals.documentsAdded, totals.documents, totals.chunks], [1, 1, 1, 1])
  assert.equal(totals.storageBytes, KEEPER.length)
  assert.equal(days[0]?.storageBytes, null)
  await find(restarted, memoryId, 'lock keeper')
  await pause(WRITTEN_MS)
  await restarted.kill()
  await restarted.start()
  assert.equal((await read()).totals.finds, 2)
})

test('requests that fail in the service are counted, and refused ones are not', async (t) => {
  verifies('usage.failed')
  const settings = { RECOLLECT_LLM: 'openai-compatible:none@8k', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }
  const failing = createService(settings)
  t.after(() => failing.dispose())
  await failing.start()
  const memoryId = await makeMemory(failing)
  await addText(failing, memoryId, KEEPER)
  const question = { question: 'When does the lock keeper open the gate?' }
  const answer = await failing.post(`/v1/memories/${memoryId}/ask`, question)
  assertError(answer, 502, 'model_failed')
  assertError(await failing.post(`/v1/memories/${memoryId}/ask`, {}), 400, 'validation_failed')
  const { totals } = (await failing.get<Usage>(`/v1/usage?memoryId=${memoryId}`)).json
  assert.deepEqual([totals.failedRequests, totals.asks], [1, 0])
})
