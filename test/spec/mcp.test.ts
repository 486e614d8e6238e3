import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Service, useService } from './service.ts'
import { verifies } from './verifies.ts'

const service = useService()
const limited = useService({ RECOLLECT_RATE_LIMIT_PER_MINUTE: '4' })

const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }

type Reply = { id: number; result?: { isError?: boolean; content: { text: string }[] }; error?: { code: number } }

function post(to: Service, message: object, { key, ...headers }: Record<string, string> = {}): Promise<Response> {
  const signedIn = key === '' ? {} : { authorization: `Bearer ${key ?? to.bootstrapKey}` }
  return fetch(`${to.url}/mcp`, {
    method: 'POST',
    headers: { ...HEADERS, ...signedIn, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  })
}

async function callTool(to: Service, name: string, args: object, headers = {}): Promise<Reply> {
  const answer = await post(to, { id: 7, method: 'tools/call', params: { name, arguments: args } }, headers)
  assert.equal(answer.status, 200)
  return (await answer.json()) as Reply
}

test('a message of the protocol is answered in JSON, a notification with 202', async () => {
  verifies('beyond.mcp')
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'spec', version: '1' } }
  const begun = await post(service, { id: 1, method: 'initialize', params })
  const { result } = (await begun.json()) as { result: { protocolVersion: string; capabilities: object } }
  assert.equal(result.protocolVersion, '2025-06-18')
  assert.deepEqual(result.capabilities, { tools: {} })
  assert.equal((await post(service, { method: 'notifications/initialized' })).status, 202)
  const listed = await post(service, { id: 2, method: 'tools/list' })
  const { tools } = ((await listed.json()) as { result: { tools: { name: string }[] } }).result
  assert.equal(tools.length, 7)
  const unknown = await post(service, { id: 3, method: 'nothing/there' })
  assert.equal(((await unknown.json()) as Reply).error?.code, -32_601)
})

test('the protocol demands the same keys as every endpoint', async () => {
  verifies('beyond.mcp')
  for (const key of ['', 'wrong', `rcl_${'0'.repeat(46)}`]) {
    const answer = await post(service, { id: 1, method: 'tools/list' }, { key })
    assert.equal(answer.status, 401)
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
  }
})

test('the protocol is refused to web pages of other origins, other methods and batches', async () => {
  verifies('beyond.mcp')
  const foreign = await post(service, { id: 1, method: 'tools/list' }, { origin: 'https://evil.example' })
  assert.equal(foreign.status, 403)
  const own = await post(service, { id: 1, method: 'tools/list' }, { origin: service.url })
  assert.equal(own.status, 200)
  const got = await service.get('/mcp')
  assert.deepEqual([got.status, got.headers.get('allow')], [405, 'POST, OPTIONS'])
  const batch = await service.post('/mcp', [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }])
  assert.equal(batch.status, 400)
})

test('a tool costs as much as its endpoint, and has the rights of its key', async () => {
  verifies('beyond.mcp')
  const { json: memory } = await service.post<{ id: string }>('/v1/memories', { name: 'One' })
  await service.post('/v1/memories', { name: 'Two' })
  const { json: scoped } = await service.post<{ key: string }>('/v1/keys', { scope: 'memory', memoryId: memory.id })
  const before = await service.get<{ usage: { queries: number } }>('/v1/account')
  const added = await callTool(service, 'add_text', { title: 'T', text: 'The mill grinds.' }, { key: scoped.key })
  assert.equal(added.result?.isError, undefined)
  const found = await callTool(service, 'find', { query: 'mill', memory: 'One' })
  assert.match(found.result?.content[0]?.text ?? '', /The mill grinds\./)
  const after = await service.get<{ usage: { queries: number } }>('/v1/account')
  assert.equal(after.json.usage.queries, before.json.usage.queries + 1)
  const hidden = await callTool(service, 'find', { query: 'mill', memory: 'Two' }, { key: scoped.key })
  assert.equal(hidden.result?.isError, true)
})

test('each message counts as one request of the limit, for any tool', async () => {
  verifies('beyond.mcp')
  const statuses = []
  for (let n = 0; n < 5; n += 1) {
    const params = { name: 'find', arguments: { query: 'x' } }
    statuses.push((await post(limited, { id: n, method: 'tools/call', params })).status)
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 429])
})
