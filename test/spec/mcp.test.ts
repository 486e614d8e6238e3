import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Service, useService } from './service.ts'
import { verifies } from './verifies.ts'

const service = useService()
const limited = useService({ RECOLLECT_RATE_LIMIT_PER_MINUTE: '4' })

const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }

type Reply = {
  id: number
  result?: { isError?: boolean; content: { text: string }[]; structuredContent?: object }
  error?: { code: number }
}
type Found = {
  hits: { rank: number; title: string; text: string; startOffset: number; endOffset: number }[]
  nextCursor: string | null
}
type ResourceReply = {
  result?: { resources?: { uri: string; title: string }[]; nextCursor?: string; contents?: { text: string }[] }
  error?: { code: number }
}

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

function factsOf<Facts extends object>({ result }: Reply): Facts {
  return (result?.structuredContent ?? {}) as Facts
}

test('a message of the protocol is answered in JSON, a notification with 202', async () => {
  verifies('beyond.mcp')
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'spec', version: '1' } }
  const begun = await post(service, { id: 1, method: 'initialize', params })
  const { result } = (await begun.json()) as { result: { protocolVersion: string; capabilities: object } }
  assert.equal(result.protocolVersion, '2025-06-18')
  assert.deepEqual(result.capabilities, { tools: {}, resources: {} })
  assert.equal((await post(service, { method: 'notifications/initialized' })).status, 202)
  const listed = await post(service, { id: 2, method: 'tools/list' })
  const { tools } = ((await listed.json()) as { result: { tools: { name: string }[] } }).result
  assert.equal(tools.length, 10)
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

test('a find is small, and its cursor gives the passages that follow, each with its exact text', async () => {
  verifies('mcp.find-size', 'mcp.excerpts')
  const { json: memory } = await service.post<{ id: string }>('/v1/memories', { name: 'Logs' })
  const texts = Array.from({ length: 9 }, (_, day) => {
    const filler = `Day ${day}: the keeper wrote "wind, tide – and weather" into the log. `.repeat(9)
    return `${filler}On day ${day} the lighthouse lamp was repaired by crew ${day}. ${filler}`
  })
  await service.post(`/v1/memories/${memory.id}/documents`, {
    documents: texts.map((text, day) => ({ title: `Log ${day}`, text, tags: ['log'] })),
  })
  const ranks: number[] = []
  let cursor: string | null = null
  for (let page = 0; page < 12; page += 1) {
    const args = {
      query: 'Who repaired the lighthouse lamp?',
      memory: memory.id,
      ...(cursor === null ? {} : { cursor }),
    }
    const reply = await callTool(service, 'find', args)
    const { result } = reply
    assert.ok(Buffer.byteLength(JSON.stringify(result)) <= 6000, `${Buffer.byteLength(JSON.stringify(result))} bytes`)
    const facts = factsOf<Found>(reply)
    for (const { rank, title, text, startOffset, endOffset } of facts.hits) {
      ranks.push(rank)
      assert.equal(texts[Number(title.slice(4))]?.slice(startOffset, endOffset), text)
    }
    if (page === 0) assert.ok(facts.hits.length >= 3 && facts.hits[0]?.text.includes('lamp was repaired'))
    cursor = facts.nextCursor
    if (cursor === null) break
  }
  assert.ok(ranks.length >= 9)
  assert.deepEqual(
    ranks,
    Array.from(ranks, (_, index) => index + 1),
  )
  const large = await callTool(service, 'find', { query: 'lamp', memory: memory.id, limit: 9, maxBytes: 48_000 })
  assert.ok(Buffer.byteLength(JSON.stringify(large.result)) > 6000)
  const wrong = await callTool(service, 'find', { query: 'lamp', memory: memory.id, cursor: 'x' })
  assert.match(wrong.result?.content[0]?.text ?? '', /^validation_failed: cursor is not a nextCursor/)
})

test('memories are listed and created, and documents deleted, with the rights of the key', async () => {
  verifies('mcp.memories', 'mcp.delete-document')
  const made = await callTool(service, 'create_memory', { name: 'Charts', description: 'Sea charts.' })
  const { memoryId } = factsOf<{ memoryId: string }>(made)
  const listed = await callTool(service, 'list_memories', { name: 'Charts' })
  assert.match(listed.result?.content[0]?.text ?? '', /^1 memory\.\n- Charts \(mem_\w+, 0 documents\): Sea charts\.$/)
  const { json: scoped } = await service.post<{ key: string }>('/v1/keys', { scope: 'memory', memoryId })
  const own = await callTool(service, 'list_memories', {}, { key: scoped.key })
  assert.equal(factsOf<{ total: number }>(own).total, 1)
  const refused = await callTool(service, 'create_memory', { name: 'More' }, { key: scoped.key })
  assert.match(refused.result?.content[0]?.text ?? '', /^scope_forbidden: /)
  const added = await service.post<{ documentIds: string[] }>(`/v1/memories/${memoryId}/documents`, {
    documents: [{ title: 'Old chart', text: 'Here be dragons.' }],
  })
  const correction = await service.post<{ id: string }>(`/v1/memories/${memoryId}/correct`, {
    statement: 'No dragons.',
  })
  for (const documentId of [added.json.documentIds[0], correction.json.id]) {
    const gone = await callTool(service, 'delete_document', { documentId, memory: 'Charts' })
    assert.equal(gone.result?.isError, undefined)
    const again = await callTool(service, 'delete_document', { documentId, memory: 'Charts' })
    assert.match(again.result?.content[0]?.text ?? '', /^document_not_found: /)
  }
})

test('documents are resources, memory by memory, within the scope of the key', async () => {
  verifies('mcp.resources')
  const client = await service.post<{ id: string }>('/v1/memories', { name: 'Shelf' })
  const documents = Array.from({ length: 60 }, (_, index) => ({
    title: `Book ${index}`,
    text: `Text of book ${index}.`,
  }))
  await service.post(`/v1/memories/${client.json.id}/documents`, { documents })
  const { json: scoped } = await service.post<{ key: string }>('/v1/keys', {
    scope: 'memory',
    memoryId: client.json.id,
  })
  const ask = async (method: string, params: object, key?: string) => {
    const answer = await post(service, { id: 1, method, params }, key === undefined ? {} : { key })
    return (await answer.json()) as ResourceReply
  }
  const first = await ask('resources/list', {}, scoped.key)
  const second = await ask('resources/list', { cursor: first.result?.nextCursor }, scoped.key)
  const all = [...(first.result?.resources ?? []), ...(second.result?.resources ?? [])]
  assert.deepEqual(
    [all.length, new Set(all.map(({ uri }) => uri)).size, second.result?.nextCursor],
    [60, 60, undefined],
  )
  const [book] = all
  const read = await ask('resources/read', { uri: book?.uri }, scoped.key)
  assert.equal(read.result?.contents?.[0]?.text, `Text of book ${book?.title.slice(5)}.`)
  let everything = 0
  for (let cursor: string | undefined, page = 0; page < 20; page += 1) {
    const { result } = await ask('resources/list', cursor === undefined ? {} : { cursor })
    everything += result?.resources?.length ?? 0
    cursor = result?.nextCursor
    if (cursor === undefined) break
  }
  assert.ok(everything > 60)
  const { json: other } = await service.post<{ id: string }>('/v1/memories', { name: 'Another' })
  const foreign = book?.uri.replace(client.json.id, other.id)
  for (const uri of [foreign, 'recollect://memories/x', 'file:///etc/passwd'])
    assert.equal((await ask('resources/read', { uri }, scoped.key)).error?.code, -32_002, uri)
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
