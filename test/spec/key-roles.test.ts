import assert from 'node:assert/strict'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { useSharedService } from './service.ts'
import type { Account, Found, Key, List, Memory } from './shapes.ts'
import { addText, makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

const service = useSharedService()

async function makeKey(rights: object): Promise<Key> {
  const answer = await service.post<Key>('/v1/keys', { name: 'Roles', ...rights })
  assertStatus(answer, 201)
  return answer.json
}

test('a reader searches, asks and reads, and changes nothing', async () => {
  verifies('keys.roles', 'keys.roles.forbidden')
  const memoryId = await makeMemory(service, 'Read only')
  const documentId = await addText(service, memoryId, 'The lock keeper opens the gate at six.')
  const reader = await makeKey({ role: 'reader' })
  const asReader = { key: reader.key }
  const path = `/v1/memories/${memoryId}`
  for (const [method, url, body] of [
    ['GET', path],
    ['GET', `${path}/documents/${documentId}`],
    ['GET', '/v1/account'],
    ['POST', `${path}/find`, { query: 'lock keeper' }],
    ['POST', `${path}/search`, { query: 'lock keeper' }],
    ['POST', `${path}/ask`, { question: 'When does the lock keeper open the gate?' }],
    ['POST', '/v1/find', { query: 'lock keeper', memoryIds: [memoryId] }],
  ] as const)
    assertStatus(await service.call(method, url, { ...asReader, ...(body === undefined ? {} : { body }) }), 200)
  for (const [method, url, body] of [
    ['POST', `${path}/documents`, { documents: [{ text: 'x' }] }],
    ['POST', `${path}/documents/delete`, { ids: [documentId] }],
    ['PATCH', `${path}/documents/${documentId}`, { title: 'x' }],
    ['DELETE', `${path}/documents/${documentId}`],
    ['POST', `${path}/correct`, { statement: 'x' }],
    ['PATCH', path, { description: 'x' }],
    ['DELETE', path],
    ['POST', '/v1/memories', { name: 'x' }],
    ['POST', '/v1/projects', { name: 'x' }],
    ['POST', '/v1/keys', { name: 'x' }],
    ['GET', '/v1/keys'],
    ['GET', '/v1/webhooks'],
  ] as const) {
    const refused = await service.call(method, url, { ...asReader, ...(body === undefined ? {} : { body }) })
    assertError(refused, 403, 'role_forbidden')
  }
  const { apiKey } = (await service.get<Account>('/v1/account', asReader)).json
  assert.deepEqual([apiKey.role, apiKey.memoryIds], ['reader', []])
})

test('every key reads itself, without its secret, and no other key', async () => {
  verifies('keys.roles')
  const memoryId = await makeMemory(service, 'Own key')
  for (const rights of [{ role: 'reader', memoryId }, { memoryId }, { role: 'reader' }, {}]) {
    const { key, id, name, scope, role, memoryIds } = await makeKey(rights)
    const own = await service.get<Account['apiKey']>('/v1/keys/self', { key })
    assertStatus(own, 200)
    const of = { memoryId: 'memoryId' in rights ? memoryId : null, memoryIds }
    assert.deepEqual(own.json, { id, name, scope, role, ...of })
  }
  assertError(await service.get('/v1/keys/self', { key: 'rcl_none' }), 401, 'invalid_api_key')
})

test('a writer changes memories and documents, and manages neither keys nor webhooks', async () => {
  verifies('keys.roles', 'keys.roles.forbidden')
  const { key } = await makeKey({ role: 'writer' })
  const made = await service.post<Memory>('/v1/memories', { name: 'Written' }, { key })
  assertStatus(made, 201)
  const added = await service.post(`/v1/memories/${made.json.id}/documents`, { documents: [{ text: 'x' }] }, { key })
  assertStatus(added, 200)
  assertStatus(await service.delete(`/v1/memories/${made.json.id}`, { key }), 204)
  assertError(await service.post('/v1/keys', { name: 'x' }, { key }), 403, 'role_forbidden')
  const hook = { url: 'https://example.com/hook', events: ['job.completed'] }
  assertError(await service.post('/v1/webhooks', hook, { key }), 403, 'role_forbidden')
})

test('the default role is admin, or writer for memories, and a memory-scoped admin is 400', async () => {
  verifies('keys.roles.default')
  const memoryId = await makeMemory(service, 'Default role')
  assert.equal((await makeKey({})).role, 'admin')
  assert.equal((await makeKey({ memoryId })).role, 'writer')
  assertError(await service.post('/v1/keys', { role: 'admin', memoryId }), 400, 'validation_failed')
  assertError(await service.post('/v1/keys', { role: 'owner' }), 400, 'validation_failed')
})

test('the tools of MCP need the role of their operation', async () => {
  verifies('keys.roles.mcp')
  const memoryId = await makeMemory(service, 'Tools')
  await addText(service, memoryId, 'The lock keeper opens the gate at six.')
  const { key } = await makeKey({ role: 'reader', memoryId })
  const call = async (name: string, given: object) => {
    const params = { name, arguments: { memory: memoryId, ...given } }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const headers = { accept: 'application/json, text/event-stream' }
    return JSON.stringify((await service.call('POST', '/mcp', { key, body, headers })).json)
  }
  assert.match(await call('find', { query: 'lock keeper' }), /opens the gate/)
  assert.match(await call('add_text', { title: 'New', text: 'A new text.' }), /role_forbidden|requires the role writer/)
})

test('a key of several memories may use each of them, and sees no other', async () => {
  verifies('keys.memories')
  const [first, second, third] = await Promise.all(
    ['First', 'Second', 'Third'].map((name) => makeMemory(service, `Shared ${name}`)),
  )
  assert.ok(first && second && third)
  await addText(service, second, 'The lock keeper opens the gate at six.')
  const made = await makeKey({ memoryIds: [first, second, first], role: 'reader' })
  assert.deepEqual([made.scope, made.memoryId, made.memoryIds], ['memory', null, [first, second]])
  const { key } = made
  const listed = (await service.get<List<'memories', Memory>>('/v1/memories', { key })).json.memories
  assert.deepEqual(new Set(listed.map(({ id }) => id)), new Set([first, second]))
  const query = { query: 'lock keeper', memoryIds: [first, second] }
  assert.equal((await service.post<Found>('/v1/find', query, { key })).json.hits.length, 1)
  assertError(await service.get(`/v1/memories/${third}`, { key }), 404, 'memory_not_found')
  assertError(await service.get('/v1/account', { key }), 403, 'scope_forbidden')
  const unknown = 'mem_01h455vb4pex5vsknk084sn02q'
  assertError(await service.post('/v1/keys', { memoryIds: [first, unknown] }), 404, 'memory_not_found')
  assertError(await service.post('/v1/keys', { memoryIds: [first], memoryId: first }), 400, 'validation_failed')
  assertError(await service.post('/v1/keys', { memoryIds: [] }), 400, 'validation_failed')
})

test('a mistyped field makes no key', async () => {
  verifies('keys.unknown-field')
  const memoryId = await makeMemory(service, 'Mistyped')
  const total = async () => (await service.get<List<'keys', Key>>('/v1/keys')).json.total
  const before = await total()
  for (const body of [
    { memoryid: memoryId },
    { memory: memoryId },
    { name: 'x', roles: 'reader' },
    { memoryId: [memoryId] },
  ])
    assertError(await service.post('/v1/keys', body), 400, 'validation_failed')
  assert.equal(await total(), before)
})
