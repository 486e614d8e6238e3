import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import test from 'node:test'
import { type Answer, assertError, assertStatus, type ErrorAnswer } from './answer.ts'
import { useSharedService } from './service.ts'
import type { Accepted, Added, Document, Found, Job, Key, List, Memory, Project } from './shapes.ts'
import { addInBackground, addText, addTexts, assertFields, endOfJob, find, makeKey, makeMemory } from './steps.ts'
import { verifies } from './verifies.ts'

const TYPE_ID = '[0-7][0-9a-hjkmnp-tv-z]{25}'
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const JSON_TYPE = { 'content-type': 'application/json' }
const service = useSharedService()

test('every resource is a flat object with camelCase names and its own kind of id', async () => {
  verifies('rules.json.flat-resource', 'rules.json.camel-case', 'rules.ids.form', 'rules.time.milliseconds')
  verifies('rules.api.timestamps', 'rules.time.null-when-absent')
  const memory = (await service.post<Memory>('/v1/memories', { name: 'Ids' })).json
  const project = (await service.post<Project>('/v1/projects', { name: 'Ids' })).json
  const key = await makeKey(service)
  const accepted = (await addInBackground(service, memory.id, 'A line of text.')).json
  const job = (await service.get<Job>(accepted.pollUrl)).json
  const documents = (await service.get<List<'documents', Document>>(`/v1/memories/${memory.id}/documents`)).json
  const resources = { mem: memory, prj: project, key, job, doc: documents.documents[0] }
  for (const [prefix, resource] of Object.entries(resources)) {
    assert.ok(resource)
    assert.match(resource.id, new RegExp(`^${prefix}_${TYPE_ID}$`))
    assert.match(resource.createdAt, TIMESTAMP)
    for (const name of Object.keys(resource)) assert.match(name, /^[a-z][a-zA-Z0-9]*$/)
    assert.ok(!('data' in resource))
  }
  assert.equal(memory.description, null)
  assert.equal(memory.projectId, null)
  assert.ok(memory.id < (await makeMemory(service)), 'later ids sort later')
  await endOfJob(service, accepted.jobId)
})

test('every list is an object with the plural noun, nextCursor, hasMore and total', async () => {
  verifies('rules.json.list', 'beyond.same-rules')
  const memoryId = await makeMemory(service, 'Lists')
  const lists = {
    memories: '/v1/memories',
    projects: '/v1/projects',
    jobs: '/v1/jobs',
    keys: '/v1/keys',
    documents: `/v1/memories/${memoryId}/documents`,
  }
  for (const [name, path] of Object.entries(lists)) {
    const answer = await service.get<Record<string, unknown>>(path)
    assertStatus(answer, 200)
    assert.ok(Array.isArray(answer.json[name]), path)
    assertFields(answer.json, 'nextCursor', 'hasMore', 'total')
    assert.ok(!('data' in answer.json), path)
  }
})

test('creates answer 201 with a Location that can be read, reads and computed answers 200, deletes 204', async () => {
  verifies('rules.status.create', 'rules.status.read-update', 'rules.json.every-success', 'rules.api.json-content-type')
  const memory = await service.post<Memory>('/v1/memories', { name: 'Status' })
  assertStatus(memory, 201)
  assert.equal(memory.headers.get('location'), `/v1/memories/${memory.json.id}`)
  const read = await service.get<Memory>(memory.headers.get('location') ?? '')
  assertStatus(read, 200)
  assert.match(read.headers.get('content-type') ?? '', /^application\/json/)
  const project = await service.post<Project>('/v1/projects', { name: 'Status' })
  assertStatus(project, 201)
  assert.equal(project.headers.get('location'), `/v1/projects/${project.json.id}`)
  const renamed = await service.call('PUT', `/v1/projects/${project.json.id}`, { body: { name: 'Status 2' } })
  assertStatus(renamed, 200)
  const key = await service.post<Key>('/v1/keys', { name: 'Status' })
  assertStatus(key, 201)
  assert.match(key.headers.get('location') ?? '', /^\/v1\/keys/)
  assertStatus(await service.post(`/v1/memories/${memory.json.id}/find`, { query: 'nothing' }), 200)
  assertStatus(await service.post(`/v1/memories/${memory.json.id}/correct`, { statement: 'The sky is green.' }), 201)
})

test('documents answer 200 when ready and 202 when they go to the worker', async () => {
  verifies('rules.status.documents', 'rules.headers.retry-after')
  const memoryId = await makeMemory(service, 'Two ways')
  assertStatus(await addTexts(service, memoryId, [{ title: 'Now', text: 'Now.' }]), 200)
  const accepted = await service.post<Accepted>(`/v1/memories/${memoryId}/documents`, {
    documents: [{ title: 'Later', text: 'Later.' }],
    options: { async: true },
  })
  assertStatus(accepted, 202)
  assert.equal(accepted.headers.get('retry-after'), '5')
  await endOfJob(service, accepted.json.jobId)
})

test('a delete answers 204 without a body, and 404 when repeated', async () => {
  verifies('rules.status.delete', 'beyond.same-rules')
  const memoryId = await makeMemory(service, 'Deletes')
  const documentId = await addText(service, memoryId, 'To be deleted.')
  const project = await service.post<Project>('/v1/projects', { name: 'Deletes' })
  const key = await makeKey(service)
  const rows: [string, string][] = [
    [`/v1/memories/${memoryId}/documents/${documentId}`, 'document_not_found'],
    [`/v1/memories/${memoryId}`, 'memory_not_found'],
    [`/v1/projects/${project.json.id}`, 'project_not_found'],
    [`/v1/keys/${key.id}`, 'key_not_found'],
  ]
  for (const [path, code] of rows) {
    assertStatus(await service.delete(path), 204)
    assertError(await service.delete(path), 404, code)
  }
})

test('an empty body under a JSON content type is no body, on GET and DELETE as well', async () => {
  verifies('rules.body.empty-with-json-type', 'rules.body.empty-then-validation')
  const memoryId = await makeMemory(service, 'Empty bodies')
  assertStatus(await service.get(`/v1/memories/${memoryId}`, { headers: JSON_TYPE }), 200)
  assertError(
    await service.call('POST', `/v1/memories/${memoryId}/find`, { headers: JSON_TYPE }),
    400,
    'validation_failed',
  )
  assertError(await service.call('POST', '/v1/memories', { headers: JSON_TYPE, body: '' }), 400, 'validation_failed')
  assertError(await service.call('POST', '/v1/memories'), 400, 'validation_failed')
  assertStatus(await service.delete(`/v1/memories/${memoryId}`, { headers: JSON_TYPE }), 204)
})

test('a multipart body under a JSON content type is a 400 that says so', async () => {
  verifies('rules.body.multipart-under-json', 'errors.400.content_type_mismatch')
  const memoryId = await makeMemory(service, 'Mislabelled')
  const body = '--xyz\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--xyz--\r\n'
  const answer = await service.call('POST', `/v1/memories/${memoryId}/documents`, { headers: JSON_TYPE, body })
  assertError(answer, 400, 'content_type_mismatch')
  assert.match(answer.json.error.message + answer.json.error.remedy, /multipart/)
})

test('every answer has a new request id, also an error of the HTTP layer and one the client tried to set', async () => {
  verifies('rules.headers.request-id', 'errors.request-id')
  const theirs = { headers: { 'x-request-id': 'mine' } }
  const answers = [
    await service.get('/health', theirs),
    await service.get('/nowhere'),
    await service.call('PATCH', '/v1/memories'),
    await service.get('/v1/memories/%ZZ'),
    await service.call('POST', '/v1/memories', { headers: JSON_TYPE, body: '{' }),
  ]
  const ids = answers.map((answer) => answer.headers.get('x-request-id'))
  assert.equal(new Set(ids).size, answers.length)
  for (const answer of answers.slice(1))
    assert.equal((answer as Answer<ErrorAnswer>).json.error.requestId, answer.headers.get('x-request-id'))
})

test('a malformed id is a 404 of its resource', async () => {
  verifies('rules.ids.malformed-is-404', 'errors.404.memory_not_found', 'errors.404.document_not_found')
  verifies('errors.404.job_not_found', 'errors.404.project_not_found', 'errors.404.key_not_found')
  verifies('rules.retry.permanent-is-4xx')
  const memoryId = await makeMemory(service, 'Malformed')
  const wellFormed = '01h455vb4pex5vsknk084sn02q'
  for (const id of [
    'x',
    "mem_'%20OR%201=1--",
    'mem_8zzzzzzzzzzzzzzzzzzzzzzzzz',
    '..%2f..%2fetc',
    `${'a'.repeat(2000)}`,
  ]) {
    assertError(await service.get(`/v1/memories/${id}`), 404, 'memory_not_found')
    assertError(await service.post(`/v1/memories/${id}/find`, { query: 'x' }), 404, 'memory_not_found')
    assertError(await service.get(`/v1/memories/${memoryId}/documents/${id}`), 404, 'document_not_found')
    assertError(await service.get(`/v1/jobs/${id}`), 404, 'job_not_found')
    assertError(await service.get(`/v1/projects/${id}`), 404, 'project_not_found')
    assertError(await service.delete(`/v1/keys/${id}`), 404, 'key_not_found')
  }
  assertError(await service.get(`/v1/memories/mem_${wellFormed}`), 404, 'memory_not_found')
  assertError(await service.get(`/v1/memories/${memoryId}/documents/doc_${wellFormed}`), 404, 'document_not_found')
  assertError(await service.get(`/v1/jobs/job_${wellFormed}`), 404, 'job_not_found')
  assertError(await service.get(`/v1/projects/prj_${wellFormed}`), 404, 'project_not_found')
  assertError(await service.delete(`/v1/keys/key_${wellFormed}`), 404, 'key_not_found')
})

test('unknown request fields are ignored and named in the warnings of answers with warnings', async () => {
  verifies('rules.unknown.ignored', 'rules.unknown.warned')
  const made = await service.post<Memory>('/v1/memories', { name: 'Unknown', colour: 'blue' })
  assertStatus(made, 201)
  const memoryId = made.json.id
  const added = await service.post<Added>(`/v1/memories/${memoryId}/documents`, {
    documents: [{ title: 'A', text: 'A text about herons.', author: 'me' }],
    options: { storeSauce: true },
    extra: 1,
  })
  assertStatus(added, 200)
  const params = added.json.warnings.map((warning) => warning.param ?? '')
  assert.ok(
    params.some((param) => param.includes('author')),
    added.text,
  )
  assert.ok(params.includes('options.storeSauce'), added.text)
  assert.ok(params.includes('extra'), added.text)
  for (const warning of added.json.warnings) assertFields(warning, 'code', 'message', 'param')
  const found = await find(service, memoryId, 'herons', { options: { highlite: true }, top_k: 3 })
  assert.equal(found.hits.length, 1)
  const named = found.warnings.map((warning) => warning.param)
  assert.ok(named.includes('options.highlite') && named.includes('top_k'), JSON.stringify(found.warnings))
})

test('wrong types and ranges are 400 and name the field', async () => {
  verifies('rules.unknown.wrong-type', 'errors.400.validation_failed', 'errors.details')
  const memoryId = await makeMemory(service, 'Types')
  const path = `/v1/memories/${memoryId}`
  const rows: [string, unknown, string][] = [
    ['/v1/memories', { name: 7 }, 'name'],
    ['/v1/memories', { name: 'x', description: 7 }, 'description'],
    ['/v1/projects', { name: ['x'] }, 'name'],
    [`${path}/find`, { query: 7 }, 'query'],
    [`${path}/find`, { query: 'x', topK: '10' }, 'topK'],
    [`${path}/find`, { query: 'x', topK: 1.5 }, 'topK'],
    [`${path}/find`, { query: 'x', options: { limit: 0 } }, 'options.limit'],
    [`${path}/find`, { query: 'x', options: { mode: 'magic' } }, 'options.mode'],
    [`${path}/find`, { query: 'x', options: { highlight: 'yes' } }, 'options.highlight'],
    [`${path}/find`, { query: 'x', options: 'fast' }, 'options'],
    [`${path}/search`, { query: 'x', limit: 101 }, 'limit'],
    [`${path}/documents`, { documents: 'text' }, 'documents'],
    [`${path}/documents`, { documents: [{ title: 'a', text: 'b' }], options: { async: 'yes' } }, 'options.async'],
    [`${path}/correct`, { statement: 'x', boost: 'high' }, 'boost'],
    ['/v1/keys', { name: 'k', expiresAt: 'tomorrow' }, 'expiresAt'],
  ]
  for (const [to, body, param] of rows) assertError(await service.post(to, body), 400, 'validation_failed', param)
  const both = await service.post(`${path}/find`, { query: 7, topK: 'ten' })
  assertError(both, 400, 'validation_failed')
  assert.deepEqual(both.json.error.details?.map((detail) => detail.param).sort(), ['query', 'topK'])
})

test('a chunk id consists of its document id and its number', async () => {
  verifies('rules.ids.chunk')
  const memoryId = await makeMemory(service, 'Chunks')
  const documentId = await addText(service, memoryId, 'The kestrel hovers over the motorway.')
  const [hit] = (await service.post<Found>(`/v1/memories/${memoryId}/find`, { query: 'kestrel' })).json.hits
  assert.equal(hit?.chunkId, `${documentId}.${hit?.chunkIndex}`)
})

test('a known path with another method is 405 with Allow, an unknown path is 404', async () => {
  verifies('errors.405.method_not_allowed', 'errors.404.route_not_found')
  const memoryId = await makeMemory(service, 'Methods')
  const rows: [string, string, string[]][] = [
    ['PATCH', '/v1/memories', ['GET', 'POST']],
    ['PUT', `/v1/memories/${memoryId}`, ['GET', 'DELETE']],
    ['GET', `/v1/memories/${memoryId}/find`, ['POST']],
    ['DELETE', '/v1/account', ['GET']],
    ['POST', '/health', ['GET']],
    ['POST', '/v1/jobs', ['GET']],
    ['PATCH', '/v1/projects/prj_x', ['GET', 'PUT', 'DELETE']],
  ]
  for (const [method, path, allowed] of rows) {
    const answer = await service.call(method, path)
    assertError(answer, 405, 'method_not_allowed')
    const allow = (answer.headers.get('allow') ?? '').split(/,\s*/)
    for (const name of allowed) assert.ok(allow.includes(name), `${method} ${path}: ${allow}`)
    assert.ok(!allow.includes(method))
  }
  for (const path of ['/v1', '/v2/memories', '/v1/memory', '/v1/memories/a/b/c', '/favicon.txt']) {
    assertError(await service.get(path), 404, 'route_not_found')
  }
})

test('a GET that carries a body, and a HEAD, do no harm', async () => {
  verifies('rules.body.empty-with-json-type')
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${service.bootstrapKey}`,
      'content-type': 'application/json',
      'content-length': 2,
    }
    const request = httpRequest(`${service.url}/v1/memories`, { method: 'GET', headers })
    request.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
    request.end('{}')
  })
  assert.equal(status, 200)
  const head = await fetch(`${service.url}/health`, { method: 'HEAD' })
  assert.equal(head.status, 200)
})
