import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { type Answer, assertError, assertStatus, type ErrorAnswer } from './answer.ts'
import { runCommandLine } from './product.ts'
import { useSharedService } from './service.ts'
import type { Accepted, Account, Job, Key, List, Memory } from './shapes.ts'
import { addInBackground, addText, addTexts, assertFields, endOfJob, makeKey, makeMemory, upload } from './steps.ts'
import { verifies } from './verifies.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const service = useSharedService()

/** A well-formed but unknown key: 40 characters and their CRC-32 in six base62 digits. */
function strangerKey(body = 'a'.repeat(40)): string {
  let sum = crc32(body)
  let digits = ''
  for (let index = 0; index < 6; index += 1) {
    digits = BASE62.charAt(sum % 62) + digits
    sum = Math.floor(sum / 62)
  }
  return `rcl_${body}${digits}`
}

/** The first refusal of the key, or the answer after `limitMs`. */
async function untilRefused(key: string, limitMs: number): Promise<Answer<ErrorAnswer>> {
  const limit = performance.now() + limitMs
  for (;;) {
    const isLast = performance.now() >= limit
    const answer = await service.get('/v1/account', { key })
    if (answer.status === 401 || isLast) return answer
    await pause(20)
  }
}

test('every protected endpoint refuses a request without a key, before anything else', async () => {
  verifies('keys.api.required', 'rules.api.key-needed', 'errors.401.missing_api_key')
  const memoryId = await makeMemory(service)
  const rows: [string, string][] = [
    ['GET', '/v1/account'],
    ['GET', '/v1/memories'],
    ['POST', '/v1/memories'],
    ['GET', `/v1/memories/${memoryId}`],
    ['DELETE', `/v1/memories/${memoryId}`],
    ['POST', `/v1/memories/${memoryId}/documents`],
    ['GET', `/v1/memories/${memoryId}/documents`],
    ['POST', `/v1/memories/${memoryId}/find`],
    ['POST', `/v1/memories/${memoryId}/search`],
    ['POST', `/v1/memories/${memoryId}/correct`],
    ['POST', `/v1/memories/${memoryId}/corrections`],
    ['GET', '/v1/jobs'],
    ['GET', '/v1/jobs/job_x'],
    ['GET', '/v1/projects'],
    ['POST', '/v1/projects'],
    ['GET', '/v1/keys'],
    ['POST', '/v1/keys'],
  ]
  for (const [method, path] of rows) {
    const answer = await service.call(method, path, { key: null })
    assertError(answer, 401, 'missing_api_key')
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/)
  }
})

test('a key is taken as Bearer in any case and as X-API-Key', async () => {
  verifies('keys.api.bearer', 'keys.api.header', 'keys.scheme-case')
  const key = service.bootstrapKey
  const headers = [
    { authorization: `Bearer ${key}` },
    { authorization: `bearer ${key}` },
    { authorization: `BEARER ${key}` },
    { 'x-api-key': key },
    { authorization: `Bearer ${key}`, 'x-api-key': key },
  ]
  for (const one of headers)
    assertStatus(await service.get('/v1/account', { key: null, headers: one as Record<string, string> }), 200)
})

test('two different keys in both headers are 401', async () => {
  verifies('keys.both-different')
  const other = await makeKey(service)
  const answer = await service.get('/v1/account', { headers: { 'x-api-key': other.key } })
  assertError(answer, 401, 'invalid_api_key')
})

test('unknown, malformed, mistyped, revoked and expired keys look the same', async () => {
  verifies('errors.401.invalid_api_key', 'keys.typo', 'keys.revoked', 'keys.expired')
  const revoked = await makeKey(service)
  assertStatus(await service.get('/v1/account', { key: revoked.key }), 200)
  assertStatus(await service.delete(`/v1/keys/${revoked.id}`), 204)
  const soon = new Date(Date.now() + 1500).toISOString()
  const expiring = await service.post<Key>('/v1/keys', { name: 'Soon over', expiresAt: soon })
  assertStatus(expiring, 201)
  assert.equal(expiring.json.expiresAt, soon)
  const other = await makeKey(service)
  const mistyped = other.key.slice(0, 20) + (other.key[20] === 'A' ? 'B' : 'A') + other.key.slice(21)
  await untilRefused(expiring.json.key, 2600)
  const said = new Set<string>()
  for (const key of [strangerKey(), 'nonsense', 'rcl_short', mistyped, revoked.key, expiring.json.key]) {
    const answer = await service.get('/v1/account', { key })
    assertError(answer, 401, 'invalid_api_key')
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/)
    const { requestId: _, ...error } = answer.json.error
    said.add(JSON.stringify(error))
  }
  assert.equal(said.size, 1)
})

test('a revoked key is refused within a second', async () => {
  verifies('keys.revoked')
  const key = await makeKey(service)
  assertStatus(await service.get('/v1/account', { key: key.key }), 200)
  assertStatus(await service.delete(`/v1/keys/${key.id}`), 204)
  assertError(await untilRefused(key.key, 1000), 401, 'invalid_api_key')
})

test('a key has the form rcl_, 40 characters and their CRC-32, and is shown once', async () => {
  verifies('keys.format', 'keys.shown-once', 'keys.fields', 'keys.issue.http', 'keys.scopes')
  const key = await makeKey(service)
  assertFields(key, 'id', 'name', 'key', 'keyPreview', 'scope', 'memoryId', 'createdAt', 'lastUsedAt', 'expiresAt')
  assert.match(key.key, /^rcl_[0-9A-Za-z]{46}$/)
  assert.equal(key.scope, 'organization')
  assert.equal(key.memoryId, null)
  assert.equal(key.expiresAt, null)
  assert.ok(key.keyPreview.startsWith(key.key.slice(0, 8)) && key.keyPreview.endsWith(key.key.slice(-4)))
  assert.ok(key.keyPreview.length < 20)
  const list = await service.get<List<'keys', Key>>('/v1/keys')
  assert.ok(list.json.keys.some(({ id }) => id === key.id))
  assert.ok(!list.text.includes(key.key))
  for (const listed of list.json.keys) assert.ok(!('key' in listed))
})

test('the store holds neither a key nor the bootstrap key', async () => {
  verifies('keys.stored-hash')
  const { key } = await makeKey(service)
  const names = await readdir(service.dataDirectory, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile())
  assert.ok(files.length > 0)
  for (const file of files) {
    const bytes = await readFile(join(file.parentPath, file.name))
    for (const secret of [key, service.bootstrapKey]) assert.ok(!bytes.includes(secret), `${file.name} holds a key`)
  }
})

test('a memory-scoped key does everything under its memory but delete the memory', async () => {
  verifies('keys.api.memory-scope', 'keys.memory-scope.allowed', 'keys.scopes')
  const memoryId = await makeMemory(service, 'Scoped')
  const { key, scope, memoryId: bound } = await makeKey(service, memoryId)
  assert.deepEqual([scope, bound], ['memory', memoryId])
  const path = `/v1/memories/${memoryId}`
  const asScoped = { key }
  assertStatus(await service.get(path, asScoped), 200)
  const added = await upload(service, memoryId, { content: 'A note on otters.', filename: 'otters.txt', key })
  assertStatus(added, 200)
  const documentPath = `${path}/documents/${added.json.documentIds[0]}`
  assertStatus(await service.get(`${path}/documents`, asScoped), 200)
  assertStatus(await service.get(documentPath, asScoped), 200)
  assertStatus(await service.get(`${documentPath}/text`, asScoped), 200)
  assertStatus(await service.post(`${path}/find`, { query: 'otters' }, asScoped), 200)
  assertStatus(await service.post(`${path}/search`, { query: 'otters' }, asScoped), 200)
  assertStatus(await service.post(`${path}/correct`, { statement: 'Otters swim.' }, asScoped), 201)
  assertStatus(
    await service.post(`${path}/corrections`, { corrections: [{ statement: 'Otters eat fish.' }] }, asScoped),
    201,
  )
  assertStatus(await service.delete(documentPath, asScoped), 204)
  assertError(await service.delete(path, asScoped), 403, 'scope_forbidden')
  assertStatus(await service.get(path), 200)
})

test('a memory-scoped key sees only its memory and its jobs', async () => {
  verifies('keys.memory-scope.list', 'keys.memory-scope.jobs')
  const memoryId = await makeMemory(service, 'Mine')
  const otherId = await makeMemory(service, 'Theirs')
  const { key } = await makeKey(service, memoryId)
  const mine = await addInBackground(service, memoryId, 'Mine.')
  const theirs = await addInBackground(service, otherId, 'Theirs.')
  const memories = await service.get<List<'memories', Memory>>('/v1/memories', { key })
  assert.deepEqual(
    memories.json.memories.map(({ id }) => id),
    [memoryId],
  )
  assert.equal(memories.json.total, 1)
  const jobs = await service.get<List<'jobs', Job>>('/v1/jobs', { key })
  assert.deepEqual(
    jobs.json.jobs.map(({ id }) => id),
    [mine.json.jobId],
  )
  assert.equal(jobs.json.total, 1)
  assertStatus(await service.get(mine.json.pollUrl, { key }), 200)
  assertError(await service.get(theirs.json.pollUrl, { key }), 404, 'job_not_found')
  await endOfJob(service, theirs.json.jobId)
})

test('other memories, their documents and jobs are 404 for a memory-scoped key', async () => {
  verifies('keys.memory-scope.others-404', 'errors.404.not-forbidden')
  const memoryId = await makeMemory(service, 'Own')
  const otherId = await makeMemory(service, 'Foreign')
  const documentId = await addText(service, otherId, 'Foreign words.')
  const job: Accepted = (await addInBackground(service, otherId, 'More foreign words.')).json
  await endOfJob(service, job.jobId)
  const asScoped = { key: (await makeKey(service, memoryId)).key }
  const path = `/v1/memories/${otherId}`
  assertError(await service.get(path, asScoped), 404, 'memory_not_found')
  assertError(await service.get(`${path}/documents`, asScoped), 404, 'memory_not_found')
  assertError(await service.post(`${path}/find`, { query: 'foreign' }, asScoped), 404, 'memory_not_found')
  assertError(await service.post(`${path}/correct`, { statement: 'x' }, asScoped), 404, 'memory_not_found')
  assertError(await service.get(`${path}/documents/${documentId}`, asScoped), 404, 'memory_not_found')
  assertError(
    await service.get(`/v1/memories/${memoryId}/documents/${documentId}`, asScoped),
    404,
    'document_not_found',
  )
  assertError(
    await service.delete(`/v1/memories/${memoryId}/documents/${documentId}`, asScoped),
    404,
    'document_not_found',
  )
  for (const action of ['cancel', 'retry']) {
    assertError(await service.call('POST', `/v1/jobs/${job.jobId}/${action}`, asScoped), 404, 'job_not_found')
  }
  assertError(await service.get(`/v1/jobs/${job.jobId}/events`, asScoped), 404, 'job_not_found')
  const listed = await service.get<List<'jobs', Job>>(`/v1/jobs?memoryId=${otherId}`, asScoped)
  assert.ok(listed.status === 404 || listed.json.jobs.length === 0)
})

test('everything outside its memory is 403 for a memory-scoped key', async () => {
  verifies('keys.memory-scope.forbidden', 'errors.403.scope_forbidden', 'keys.issue.http')
  const memoryId = await makeMemory(service, 'Narrow')
  const { key } = await makeKey(service, memoryId)
  const rows: [string, string, unknown][] = [
    ['POST', '/v1/memories', { name: 'x' }],
    ['DELETE', `/v1/memories/${memoryId}`, undefined],
    ['GET', '/v1/account', undefined],
    ['GET', '/v1/projects', undefined],
    ['POST', '/v1/projects', { name: 'x' }],
    ['GET', '/v1/projects/prj_01h455vb4pex5vsknk084sn02q', undefined],
    ['PUT', '/v1/projects/prj_01h455vb4pex5vsknk084sn02q', { name: 'x' }],
    ['DELETE', '/v1/projects/prj_01h455vb4pex5vsknk084sn02q', undefined],
    ['GET', '/v1/keys', undefined],
    ['POST', '/v1/keys', { name: 'x' }],
    ['DELETE', '/v1/keys/key_01h455vb4pex5vsknk084sn02q', undefined],
  ]
  for (const [method, path, body] of rows) {
    assertError(await service.call(method, path, body === undefined ? { key } : { key, body }), 403, 'scope_forbidden')
  }
})

test('deleting a memory revokes its scoped keys', async () => {
  verifies('keys.memory-scope.others-404')
  const memoryId = await makeMemory(service, 'Short-lived')
  const { key } = await makeKey(service, memoryId)
  assertStatus(await service.delete(`/v1/memories/${memoryId}`), 204)
  assertError(await untilRefused(key, 1000), 401, 'invalid_api_key')
})

test('a key for a memory that is not there is 404, and a wrong name or expiry is 400', async () => {
  verifies('keys.issue.http')
  assertError(
    await service.post('/v1/keys', { name: 'x', memoryId: 'mem_01h455vb4pex5vsknk084sn02q' }),
    404,
    'memory_not_found',
  )
  assertError(await service.post('/v1/keys', { name: 7 }), 400, 'validation_failed', 'name')
  const past = { name: 'x', expiresAt: '2001-01-01T00:00:00.000Z' }
  assertError(await service.post('/v1/keys', past), 400, 'validation_failed', 'expiresAt')
})

test('the account says which key asks, and a used key knows when', async () => {
  verifies('keys.fields', 'account.fields')
  const key = await makeKey(service)
  const account = await service.get<Account>('/v1/account', { key: key.key })
  assert.deepEqual(account.json.apiKey, {
    id: key.id,
    name: 'Spec',
    scope: 'organization',
    role: 'admin',
    memoryId: null,
    memoryIds: [],
  })
  const until = Date.now() + 10_000
  for (;;) {
    const { keys } = (await service.get<List<'keys', Key>>('/v1/keys')).json
    if (keys.find(({ id }) => id === key.id)?.lastUsedAt != null) break
    assert.ok(Date.now() < until, 'lastUsedAt is never set')
  }
})

test('the command line makes, lists and revokes keys beside the running service', async () => {
  verifies('keys.issue.cli')
  const memoryId = await makeMemory(service, 'By hand')
  const settings = { RECOLLECT_DATA_DIR: service.dataDirectory }
  const made = await runCommandLine(settings, ['keys', 'create', '--name', 'CLI', '--memory', memoryId])
  assert.equal(made.code, 0, made.output)
  const [key] = /rcl_[0-9A-Za-z]{46}/.exec(made.output) ?? []
  assert.ok(key, made.output)
  service.watchKey(key)
  const memories = await service.get<List<'memories', Memory>>('/v1/memories', { key })
  assert.deepEqual(
    memories.json.memories.map(({ id }) => id),
    [memoryId],
  )
  const listed = await runCommandLine(settings, ['keys', 'list'])
  assert.equal(listed.code, 0, listed.output)
  assert.ok(listed.output.includes('CLI') && !listed.output.includes(key))
  const [id] = /key_[0-9a-z]{26}/.exec(made.output) ?? listed.output.match(/key_[0-9a-z]{26}(?=.*CLI)/) ?? []
  assert.ok(id)
  const revoked = await runCommandLine(settings, ['keys', 'revoke', id])
  assert.equal(revoked.code, 0, revoked.output)
  assertError(await untilRefused(key, 1100), 401, 'invalid_api_key')
})

test('many wrong keys from one address are slowed down, while a right key still passes', async () => {
  verifies('errors.429.rate_limited', 'rules.headers.retry-after')
  let last = await service.get('/v1/account', { key: strangerKey('b'.repeat(40)) })
  for (let count = 0; count < 1000 && last.status === 401; count += 1) {
    last = await service.get('/v1/account', { key: strangerKey(String(count).padStart(40, 'c')) })
  }
  assertError(last, 429, 'rate_limited')
  assertStatus(await addTexts(service, await makeMemory(service), [{ title: 'Right', text: 'A right key.' }]), 200)
})
