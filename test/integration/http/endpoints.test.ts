import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { SOURCE_EXAMPLES } from '../../../src/api/source.ts'
import { ROUTES } from '../../../src/http/routes/routes.ts'
import { DOCUMENT_ID, JOB, JOB_ID, MEMORY_ID, OPERATOR } from './fake-services.ts'
import { readError, startServer } from './running-server.ts'

const BODIES: Readonly<Record<string, object>> = {
  createKey: { name: 'CI' },
  renameKey: { name: 'CI 2' },
  changeMemory: { name: 'Support' },
  changeDocument: { enabled: false },
  changeCorrection: { boost: 3 },
  deleteDocuments: { ids: ['doc_none'] },
  createOrganization: { name: 'Acme' },
  createMemory: { name: 'Support KB' },
  addDocuments: { documents: [{ title: 'T', text: 'x', tags: ['a'] }] },
  find: { query: 'q' },
  createChatCompletion: { model: MEMORY_ID, messages: [{ role: 'user', content: 'q' }] },
  createEmbeddings: { model: 'fake', input: 'q' },
  searchVectorStore: { query: 'q' },
  findAcross: { query: 'q', memoryIds: [MEMORY_ID] },
  search: { query: 'q' },
  askAcross: { question: 'q', memoryIds: [MEMORY_ID] },
  ask: { question: 'q', options: { includeSources: true } },
  askOnce: { question: 'q', content: 'c', options: { includeSources: true } },
  evaluate: { questions: [{ query: 'q', documentIds: [DOCUMENT_ID] }] },
  reembedMemory: { embeddingModel: 'static-multi' },
  extract: { sections: [{ id: 's', name: 'S', fields: [{ key: 'k', label: 'L', data_type: 'date' }] }] },
  recognizeImage: { imageBase64: 'AAAA' },
  correct: { statement: 's', topics: ['t'] },
  addCorrections: { corrections: [{ statement: 's', topics: [] }] },
  createProject: { name: 'P' },
  updateProject: { name: 'Q' },
  createSource: { type: 'folder', folder: { path: '/srv/handbook' } },
  changeSource: { intervalMinutes: 60 },
  createWebhook: { url: 'https://hooks.example.com/' },
}

const FORMS: Readonly<Record<string, () => { body: FormData }>> = {
  importMemory: () => {
    const form = new FormData()
    form.append('file', new Blob(['gz']), 'a.tar.gz')
    return { body: form }
  },
}

const IDS: Readonly<Record<string, string>> = {
  memories: MEMORY_ID,
  models: MEMORY_ID,
  vector_stores: MEMORY_ID,
  jobs: JOB_ID,
}

function pathOf(url: string): string {
  const kind = url.split('/')[2] ?? ''
  return url
    .replace(':page', '1')
    .replace(':documentId', DOCUMENT_ID)
    .replace(':sourceId', SOURCE_EXAMPLES.source.id)
    .replace(':id', IDS[kind] ?? 'prj_1')
}

test('every endpoint answers as its own schema says', async (t) => {
  const server = await startServer(t, { operator: OPERATOR })
  for (const route of ROUTES.filter(({ operationId, isPage }) => operationId !== 'retryJob' && isPage !== true)) {
    const body = BODIES[route.operationId]
    const response = body
      ? await server.sendJson(route.method, pathOf(route.url), body)
      : await server.send(route.method, pathOf(route.url), FORMS[route.operationId]?.() ?? {})
    const described = route.answers[response.status]
    assert.ok(described, `${route.operationId} answered ${response.status}`)
    assert.match(response.headers.get('x-request-id') ?? '', /^req_/)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    if (response.status === 204) assert.equal(await response.text(), '')
    else if (described.schema) assertFits(described.schema, await response.json(), route.operationId)
    else assert.ok((await response.text()).length > 0)
  }
})

function assertFits(schema: TSchema, body: unknown, name: string): void {
  assert.deepEqual(Value.Errors(schema, body), [], name)
}

test('a created resource is named in Location', async (t) => {
  const server = await startServer(t)
  const response = await server.sendJson('POST', '/v1/memories', { name: 'Support KB', description: null })
  assert.deepEqual([response.status, response.headers.get('location')], [201, `/v1/memories/${MEMORY_ID}`])
})

test('work for a job is answered 202 with Location and Retry-After', async (t) => {
  const server = await startServer(t)
  const accepted = { jobId: JOB_ID, pollUrl: `/v1/jobs/${JOB_ID}`, documentIds: [DOCUMENT_ID], job: JOB, warnings: [] }
  server.services.ingest.addTexts = async () => ({ ...accepted, status: 'pending', reason: 'async_requested' })
  const body = { documents: [{ title: 'T', text: 'x' }], options: { async: true, colour: 1 } }
  const response = await server.sendJson('POST', `/v1/memories/${MEMORY_ID}/documents`, body)
  assert.equal(response.status, 202)
  assert.equal(response.headers.get('location'), `/v1/jobs/${JOB_ID}`)
  assert.equal(response.headers.get('retry-after'), '5')
  const { warnings } = (await response.json()) as { warnings: { param: string }[] }
  assert.deepEqual(
    warnings.map(({ param }) => param),
    ['options.colour'],
  )
})

test('find takes options.limit over topK over 10, with the defaults of the API document', async (t) => {
  const server = await startServer(t)
  const path = `/v1/memories/${MEMORY_ID}/find`
  const plain = {
    query: 'q',
    limit: 10,
    mode: 'auto',
    highlight: false,
    filter: null,
  }
  const find = async (body: object): Promise<unknown> => {
    await server.sendJson('POST', path, body)
    const [name, asked] = server.calls.at(-1) ?? []
    const { signal, ...request } = asked as { signal: AbortSignal }
    assert.ok(name === 'search.find' && signal instanceof AbortSignal)
    return request
  }
  assert.deepEqual(await find({ query: 'q' }), plain)
  assert.deepEqual(await find({ query: 'q', topK: 3 }), { ...plain, limit: 3 })
  assert.deepEqual(await find({ query: 'q', topK: 3, options: { limit: 4 } }), { ...plain, limit: 4 })
})

test('a query is counted once, before it runs, and never for an invalid request', async (t) => {
  const server = await startServer(t)
  await server.sendJson('POST', `/v1/memories/${MEMORY_ID}/find`, { query: '' })
  await server.sendJson('POST', '/v1/memories/mem_other/find', { query: 'q' })
  assert.equal(server.calls.length, 0)
  await server.sendJson('POST', `/v1/memories/${MEMORY_ID}/search`, { query: 'q' })
  assert.deepEqual(
    server.calls.map(([name]) => name),
    ['account.countQuery', 'search.search'],
  )
})

test('an original is sent with its name and type, whole or in part, and never as a page of ours', async (t) => {
  const server = await startServer(t)
  const path = `/v1/memories/${MEMORY_ID}/documents/${DOCUMENT_ID}/source`
  const whole = await server.send('GET', path)
  assert.deepEqual([whole.status, await whole.text()], [200, '0123456789'])
  assert.equal(whole.headers.get('content-type'), 'text/html')
  assert.equal(whole.headers.get('content-length'), '10')
  assert.equal(
    whole.headers.get('content-disposition'),
    `attachment; filename="r_.html"; filename*=UTF-8''r%C3%A9.html`,
  )
  assert.match(whole.headers.get('content-security-policy') ?? '', /sandbox/)
  const part = await server.send('GET', path, { headers: { range: 'bytes=2-4' } })
  assert.deepEqual([part.status, await part.text(), part.headers.get('content-range')], [206, '234', 'bytes 2-4/10'])
  const none = await server.send('GET', path, { headers: { range: 'bytes=50-' } })
  assert.deepEqual([none.status, none.headers.get('content-range')], [416, 'bytes */10'])
  const { code, param } = await readError(none)
  assert.deepEqual([code, param], ['range_not_satisfiable', 'Range'])
  const head = await server.send('HEAD', path)
  assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, '10', ''])
})

test('a job is held with wait and followed as events', async (t) => {
  const server = await startServer(t)
  assert.equal((await server.send('GET', `/v1/jobs/${JOB_ID}?wait=30`)).status, 200)
  assert.deepEqual(server.calls, [['jobs.wait', 30_000]])
  assert.equal((await readError(await server.send('GET', `/v1/jobs/${JOB_ID}?wait=61`))).param, 'wait')
  const events = await server.send('GET', `/v1/jobs/${JOB_ID}/events`)
  assert.equal(events.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.deepEqual(
    [...(await events.text()).matchAll(/^event: (\w+)$/gm)].map(([, name]) => name),
    ['progress', 'progress', 'end'],
  )
  assert.equal((await readError(await server.send('GET', '/v1/jobs/job_x/events'))).code, 'job_not_found')
})

test('readiness is 503 when the database or the object store is down', async (t) => {
  const server = await startServer(t)
  server.services.health.ready = async () => ({
    status: 'degraded',
    checks: { database: { status: 'down', error: 'timeout' } },
  })
  const response = await server.send('GET', '/health/ready', { headers: { authorization: '' } })
  assert.deepEqual([response.status, ((await response.json()) as { status: string }).status], [503, 'degraded'])
})
