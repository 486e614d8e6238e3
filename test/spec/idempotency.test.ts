import assert from 'node:assert/strict'
import test from 'node:test'
import { type Answer, assertError, assertStatus } from './answer.ts'
import { MULTIPART_TYPE, multipart } from './multipart.ts'
import { prose } from './prose.ts'
import { type Request, useSharedService } from './service.ts'
import type { Added, List, Memory } from './shapes.ts'
import { listDocuments, makeKey, makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

const service = useSharedService()
const keyed = (key: string): Request => ({ headers: { 'idempotency-key': key } })

function assertReplayed(first: Answer<unknown>, second: Answer<unknown>): void {
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  assert.equal(first.headers.get('idempotent-replayed'), null)
  assert.deepEqual([second.status, second.text], [first.status, first.text])
  assert.equal(second.headers.get('location'), first.headers.get('location'))
}

test('a repeated POST answers the first answer again and does nothing twice', async () => {
  verifies('rules.idempotency.replays', 'rules.retry.no-5xx-after-commit')
  const memoryId = await makeMemory(service)
  const path = `/v1/memories/${memoryId}`
  const rows: [string, unknown][] = [
    ['/v1/memories', { name: 'Once' }],
    ['/v1/projects', { name: 'Once' }],
    [`${path}/documents`, { documents: [{ title: 'Once', text: 'Once and only once.' }] }],
    [`${path}/documents`, { documents: [{ title: 'Job', text: 'One job only.' }], options: { async: true } }],
    [`${path}/correct`, { statement: 'Once is enough.' }],
    [`${path}/corrections`, { corrections: [{ statement: 'Twice is too much.' }] }],
    [`${path}/find`, { query: 'once' }],
  ]
  for (const [index, [to, body]] of rows.entries()) {
    const first = await service.post(to, body, keyed(`row-${index}`))
    assert.ok(first.status < 300, first.text)
    assertReplayed(first, await service.post(to, body, keyed(`row-${index}`)))
  }
  assert.equal((await listDocuments(service, memoryId)).total, 2)
  assert.equal((await listDocuments(service, memoryId, '?sourceType=correction')).total, 2)
})

test('a repeated upload is replayed with any boundary', async () => {
  verifies('rules.idempotency.replays')
  const memoryId = await makeMemory(service)
  const path = `/v1/memories/${memoryId}/documents`
  const body = multipart([{ name: 'file', filename: 'a.txt', content: 'Uploaded once.' }])
  const request = { body, headers: { ...MULTIPART_TYPE, 'idempotency-key': 'upload' } }
  const first = await service.call<Added>('POST', path, request)
  assertStatus(first, 200)
  assertReplayed(first, await service.call<Added>('POST', path, request))
  const other = multipart([{ name: 'file', filename: 'a.txt', content: 'Uploaded anew.' }])
  assertError(await service.call('POST', path, { ...request, body: other }), 422, 'idempotency_key_reused')
  const form = new FormData()
  form.append('file', new Blob(['Uploaded once.'], { type: 'application/octet-stream' }), 'a.txt')
  const retried = await service.call<Added>('POST', path, { body: form, headers: { 'idempotency-key': 'upload' } })
  assert.deepEqual([retried.status, retried.json.documentIds], [200, first.json.documentIds], retried.text)
  assert.equal((await listDocuments(service, memoryId)).total, 1)
})

test('the same Idempotency-Key with another body or path is 422', async () => {
  verifies('rules.idempotency.other-body', 'errors.422.idempotency_key_reused')
  assertStatus(await service.post('/v1/memories', { name: 'First' }, keyed('reused')), 201)
  assertError(await service.post('/v1/memories', { name: 'Second' }, keyed('reused')), 422, 'idempotency_key_reused')
  assertError(await service.post('/v1/projects', { name: 'First' }, keyed('reused')), 422, 'idempotency_key_reused')
})

test('an Idempotency-Key has 1 to 255 characters', async () => {
  verifies('rules.idempotency.length')
  assertStatus(await service.post('/v1/memories', { name: 'x' }, keyed('k'.repeat(255))), 201)
  assertError(await service.post('/v1/memories', { name: 'x' }, keyed('k'.repeat(256))), 400, 'validation_failed')
})

test('an Idempotency-Key belongs to its API key', async () => {
  verifies('rules.idempotency.per-key')
  const other = await makeKey(service)
  const first = await service.post<Memory>('/v1/memories', { name: 'Mine' }, keyed('shared'))
  const second = await service.post<Memory>('/v1/memories', { name: 'Yours' }, { ...keyed('shared'), key: other.key })
  assertStatus(second, 201)
  assert.equal(second.headers.get('idempotent-replayed'), null)
  assert.notEqual(second.json.id, first.json.id)
})

test('while the first request is running the same Idempotency-Key is 409, and later it replays', async () => {
  verifies('rules.idempotency.still-running', 'errors.409.idempotency_in_progress')
  const memoryId = await makeMemory(service)
  const path = `/v1/memories/${memoryId}/documents`
  const body = { documents: [{ title: 'Slow', text: prose(1_900_000) }] }
  const racing = Array.from({ length: 4 }, () => service.post<Added>(path, body, keyed('slow')))
  const answers = await Promise.all(racing)
  const early = answers.filter(({ status }) => status !== 200)
  assert.ok(early.length > 0)
  for (const answer of early) {
    assertError(answer, 409, 'idempotency_in_progress')
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  }
  const done = answers.find((answer) => answer.status === 200 && answer.headers.get('idempotent-replayed') === null)
  assert.ok(done)
  assertReplayed(done, await service.post(path, body, keyed('slow')))
  assert.equal((await listDocuments(service, memoryId)).total, 1)
})

test('a refused request stores nothing and leaves its Idempotency-Key free', async () => {
  verifies('rules.idempotency.replays')
  const wrong = await service.post('/v1/memories', { name: 7 }, keyed('wrong'))
  assertError(wrong, 400, 'validation_failed')
  const again = await service.post('/v1/memories', { name: 7 }, keyed('wrong'))
  assertError(again, 400, 'validation_failed')
})

test('the first answer is kept over a restart and over a crash', async () => {
  verifies('rules.idempotency.kept', 'rules.idempotency.replays')
  const first = await service.post<Memory>('/v1/memories', { name: 'Kept' }, keyed('kept'))
  await service.restart()
  assertReplayed(first, await service.post('/v1/memories', { name: 'Kept' }, keyed('kept')))
  await service.crash()
  assertReplayed(first, await service.post('/v1/memories', { name: 'Kept' }, keyed('kept')))
  const { memories } = (await service.get<List<'memories', Memory>>('/v1/memories')).json
  assert.equal(memories.filter(({ name }) => name === 'Kept').length, 1)
})
