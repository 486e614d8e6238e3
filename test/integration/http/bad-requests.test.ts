import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MEMORY_ID, ORGANIZATION_KEY } from './fake-services.ts'
import { readError, startServer } from './running-server.ts'

const KEYED = `Host: x\r\nX-API-Key: ${ORGANIZATION_KEY}\r\n`

test('an unknown path is 404 and a known one with another method 405 with Allow', async (t) => {
  const server = await startServer(t)
  assert.equal((await readError(await server.send('GET', '/v2/memories'))).code, 'route_not_found')
  const wrong = await server.send('PUT', `/v1/memories/${MEMORY_ID}`)
  assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET, HEAD, PATCH, DELETE, OPTIONS'])
  assert.equal((await readError(wrong)).code, 'method_not_allowed')
  // The literal path of a route is no identifier of another route.
  for (const [method, path] of [
    ['GET', '/v1/memories/import?limit=1'],
    ['DELETE', '/v1/memories/import/'],
  ] as const) {
    const named = await server.send(method, path)
    assert.deepEqual([named.status, named.headers.get('allow')], [405, 'POST, OPTIONS'])
  }
  const asked = await server.send('OPTIONS', '/v1/memories')
  assert.deepEqual([asked.status, asked.headers.get('allow')], [204, 'GET, HEAD, POST, OPTIONS'])
  assert.match(await server.sendRaw(`BREW /v1/memories HTTP/1.1\r\n${KEYED}Connection: close\r\n\r\n`), / 40[05] /)
  const odd = await server.send('GET', `/v1/memories/${MEMORY_ID}/documents/doc/pages/%0D%0A.png`)
  assert.equal((await readError(odd)).code, 'route_not_found')
  // A method for which the framework expects a body.
  assert.equal((await readError(await server.send('QUERY', '/v1/memories'))).code, 'method_not_allowed')
  assert.equal((await readError(await server.send('QUERY', '/v2'))).code, 'route_not_found')
  assert.equal((await server.send('GET', '/v1/memories/')).status, 200)
})

test('invalid JSON bodies are refused with their fault', async (t) => {
  const server = await startServer(t)
  const post = async (type: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const { status, code } = await readError(
      await server.send('POST', '/v1/memories', { headers: { 'content-type': type, ...headers }, body }),
    )
    return `${status} ${code}`
  }
  const json = 'application/json'
  assert.equal(await post(json, '{"name":'), '400 malformed_json')
  assert.equal(await post(json, '['.repeat(200_000)), '400 malformed_json')
  assert.equal(await post(json, new Uint8Array([0x22, 0xff, 0x22])), '400 malformed_json')
  assert.equal(await post(json, '--b\r\nContent-Disposition: form-data\r\n\r\n\r\n--b--'), '400 content_type_mismatch')
  assert.equal(await post(json, '[]'), '400 validation_failed')
  assert.equal(await post('text/plain', '{"name":"x"}'), '415 unsupported_media_type')
  assert.equal(await post('no type', '{"name":"x"}'), '415 unsupported_media_type')
  assert.equal(await post(json, '{}', { 'content-encoding': 'gzip' }), '415 unsupported_media_type')
  assert.equal(await post('multipart/form-data; boundary=b', '--b--'), '415 unsupported_media_type')
  assert.equal(await post(json, `{"name":"${'x'.repeat(1024 * 1024)}"}`), '413 body_too_large')
  assert.equal(await post(json, ''), '400 validation_failed')
})

test('a find with valid fields is never too large, however its JSON is written', async (t) => {
  const server = await startServer(t)
  const fill = (length: number, index: number) => String(index).padEnd(3, '_') + '\u{1F6A2}'.repeat(length - 3)
  const metadata = Array.from({ length: 100 }, (_, index) => [fill(200, index), fill(2000, index)])
  const tags = Array.from({ length: 100 }, (_, index) => fill(200, index))
  const documentIds = Array(1000).fill(MEMORY_ID)
  const filter = { tags, documentIds, metadata: Object.fromEntries(metadata) }
  const toEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16)}`
  const text = JSON.stringify({ query: fill(20_000, 0), options: { filter } }).replaceAll(/[^ -~]/g, toEscape)
  assert.ok(text.length > 2.5 * 1024 * 1024)
  const headers = { 'content-type': 'application/json' }
  const answer = await server.send('POST', `/v1/memories/${MEMORY_ID}/find`, { headers, body: text })
  assert.equal(answer.status, 200, await answer.text())
})

test('a body-less request with a JSON content type is fine', async (t) => {
  const server = await startServer(t)
  const headers = { 'content-type': 'application/json' }
  assert.equal((await server.send('GET', '/v1/memories', { headers })).status, 200)
  assert.equal((await server.send('DELETE', `/v1/memories/${MEMORY_ID}`, { headers })).status, 204)
  const missing = await readError(await server.send('POST', '/v1/memories', { headers }))
  assert.deepEqual([missing.code, missing.param], ['validation_failed', 'name'])
})

test('names that poison prototypes travel nowhere', async (t) => {
  const server = await startServer(t)
  const body = '{"name":"x","__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}'
  const response = await server.send('POST', '/v1/memories', { headers: { 'content-type': 'application/json' }, body })
  assert.equal(response.status, 201)
  const empty = { description: null, projectId: null, projectName: null, chunking: null }
  assert.deepEqual(server.calls[0]?.[1], { name: 'x', ...empty })
  assert.equal('admin' in {}, false)
})

test('every wrong field and parameter is named', async (t) => {
  const server = await startServer(t)
  const path = `/v1/memories/${MEMORY_ID}/find`
  const response = await server.sendJson('POST', path, { query: 7, options: { limit: 101, mode: 'x' } })
  const { error } = (await response.json()) as { error: { details: { param: string }[] } }
  assert.deepEqual(
    error.details.map(({ param }) => param),
    ['query', 'options.mode', 'options.limit'],
  )
  assert.equal(
    (await readError(await server.send('GET', '/v1/jobs?limit=0'))).message,
    'limit must be an integer from 1 to 100',
  )
  assert.equal((await readError(await server.send('GET', '/v1/jobs?status=done'))).param, 'status')
  assert.equal((await readError(await server.send('GET', '/v1/jobs?limit=1&limit=2'))).param, 'limit')
  assert.equal((await server.send('GET', '/v1/jobs?limit=&status=&foo=1')).status, 200)
})

test('add-documents takes one form at a time and says so', async (t) => {
  const server = await startServer(t)
  const path = `/v1/memories/${MEMORY_ID}/documents`
  const documents = [{ title: 'T', text: 'x' }]
  const refuse = async (body: object) => (await readError(await server.sendJson('POST', path, body))).param
  assert.equal(await refuse({ documents, url: 'https://x' }), 'url')
  assert.equal(await refuse({ url: '' }), 'url')
  assert.equal(await refuse({ url: ['https://x'] }), 'url')
  assert.equal(await refuse({ url: 'x'.repeat(8193) }), 'url')
  assert.equal(await refuse({ url: 'https://x', options: { async: 'yes' } }), 'options.async')
  const { param, message } = await readError(await server.sendJson('POST', path, {}))
  assert.deepEqual([param, /multipart.+ documents.+ url/.test(message)], ['documents', true])
  assert.equal(await refuse({ documents: [] }), 'documents')
  assert.equal(await refuse({ documents: [...documents, { title: 'T', text: '' }] }), 'documents[1].text')
  assert.equal(await refuse({ documents, options: { ocrMaxPages: 201 } }), 'options.ocrMaxPages')
  assert.deepEqual(server.calls, [])
})

test('malformed HTTP gets the error body', async (t) => {
  const server = await startServer(t)
  const answers = [
    await server.sendRaw('NONSENSE\r\n\r\n'),
    await server.sendRaw('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'),
    await server.sendRaw('GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'),
    await server.sendRaw('GET /health HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n'),
    await server.sendRaw('GET /health HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n'),
    await server.sendRaw(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`),
    await server.sendRaw(`GET /v1/memories/%zz HTTP/1.1\r\n${KEYED}Connection: close\r\n\r\n`),
    await server.sendRaw(`POST /v1/memories HTTP/1.1\r\n${KEYED}Expect: wonders\r\nContent-Length: 0\r\n\r\n`),
    await server.sendRaw(
      `POST /v1/memories HTTP/1.1\r\n${KEYED}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ),
  ]
  for (const answer of answers) {
    assert.match(answer, /^HTTP\/1\.1 400 /)
    assert.match(answer, /\r\nX-Request-Id: req_/i)
    assert.match(answer, /\{"error":\{"code":"validation_failed"/)
  }
})

test('a header repeated with different keys is 401', async (t) => {
  const server = await startServer(t)
  const head = `GET /v1/memories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ORGANIZATION_KEY}\r\n`
  const twice = await server.sendRaw(`${head}Authorization: Bearer other\r\nConnection: close\r\n\r\n`)
  assert.match(twice, /^HTTP\/1\.1 401 /)
  assert.match(await server.sendRaw(`${head}Connection: close\r\n\r\n`), /^HTTP\/1\.1 200 /)
})

test('a long or odd identifier is a 404 of its resource', async (t) => {
  const server = await startServer(t)
  for (const id of ['x'.repeat(5000), '%00', "'%20OR%201=1", '..%2f..%2fetc']) {
    assert.equal((await readError(await server.send('GET', `/v1/memories/${id}`))).code, 'memory_not_found')
  }
})

test('an unexpected error is 500 without its cause, which is logged', async (t) => {
  const server = await startServer(t)
  server.services.memories.get = () => Promise.reject(new Error('secret path /var/data'))
  const response = await server.send('GET', `/v1/memories/${MEMORY_ID}`)
  const { status, code, message } = await readError(response)
  assert.deepEqual([status, code, message.includes('secret')], [500, 'internal_error', false])
  const logged = server.logged.find(({ level }) => level === 'error')
  assert.equal(logged?.facts['requestId'], response.headers.get('x-request-id'))
  assert.ok(logged?.facts['err'] instanceof Error)
})

test('a request at the limit of open files is 503 with Retry-After, and the watcher is notified', async (t) => {
  let heard = 0
  const onOutOfFiles = () => {
    heard += 1
  }
  const server = await startServer(t, { onOutOfFiles })
  const inLance = new Error('LanceError(IO): Too many open files (os error 24)')
  for (const cause of [Object.assign(new Error('open'), { code: 'EMFILE' }), inLance]) {
    server.services.memories.list = () => Promise.reject(cause)
    const answer = await server.send('GET', '/v1/memories')
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
    const { status, message } = await readError(answer)
    assert.deepEqual([status, message], [503, 'The service has reached its limit of open files.'])
  }
  assert.equal(heard, 2)
})
