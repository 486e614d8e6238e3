import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import test from 'node:test'
import { assertError } from './answer.ts'
import { REQUIREMENTS } from './requirements.ts'
import { useSharedService } from './service.ts'
import { addTexts, assertFields, listDocuments, makeMemory, readMemory, upload } from './steps.ts'
import { verifies } from './verifies.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const service = useSharedService()

test('an error says code, message, remedy and request id, and which field is at fault', async () => {
  verifies('errors.shape', 'errors.true-status')
  const memoryId = await makeMemory(service)
  const answer = await service.post(`/v1/memories/${memoryId}/find`, { query: '' })
  assertError(answer, 400, 'validation_failed', 'query')
  assertFields(answer.json.error, 'code', 'message', 'param', 'details', 'remedy', 'requestId')
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  assert.deepEqual(Object.keys(answer.json), ['error'])
})

test('the error page of the docs has every code with its status', async () => {
  verifies('errors.page', 'errors.500.internal_error', 'errors.504.request_timeout')
  const page = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'errors.md'), 'utf8')
  const sections = new Map(page.split(/^## /m).map((section) => [section.slice(0, 3), section]))
  const rows = REQUIREMENTS.filter(({ section, sentence }) => section === 'Errors: table' && /^\d{3} /.test(sentence))
  for (const { sentence } of rows) {
    const [, status = '', code] = /^(\d{3}) ([a-z_]+)/.exec(sentence) ?? []
    const row = sections.get(status)?.match(new RegExp(`^\\| \`${code}\` \\| (.{6,}) \\| (.{6,}) \\|$`, 'm'))
    assert.ok(row, `${status} ${code} is missing`)
  }
})

test('invalid JSON is malformed_json immediately, however broken', async () => {
  verifies('errors.400.malformed_json')
  const path = '/v1/memories'
  for (const body of ['{', '{"name":}', 'name=x', "{'name':'x'}", '{"name":"x"}}', '[', 'undefined', '{"name":"x",}']) {
    assertError(await service.call('POST', path, { headers: JSON_TYPE, body }), 400, 'malformed_json')
  }
  const notUtf8 = new Uint8Array([0x7b, 0x22, 0x6e, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d])
  assertError(await service.call('POST', path, { headers: JSON_TYPE, body: notUtf8 }), 400, 'malformed_json')
})

test('200,000 nested arrays are refused, and the service continues', async () => {
  verifies('errors.400.malformed_json')
  for (const [open, close] of [
    ['[', ']'],
    ['{"":', '}'],
  ] as const) {
    const body = `{"name":${open.repeat(200_000)}1${close.repeat(200_000)}}`
    assertError(await service.call('POST', '/v1/memories', { headers: JSON_TYPE, body }), 400, 'malformed_json')
  }
  await makeMemory(service, 'Still here')
})

test('a body that is valid JSON but no object is validation_failed', async () => {
  verifies('errors.400.validation_failed')
  for (const body of ['[]', '"x"', '7', 'null', 'true']) {
    assertError(await service.call('POST', '/v1/memories', { headers: JSON_TYPE, body }), 400, 'validation_failed')
  }
})

test('names that are special in JavaScript are only data', async () => {
  verifies('rules.unknown.ignored')
  const body = '{"name":"x","__proto__":{"description":"polluted"},"constructor":{"prototype":{"a":1}}}'
  const answer = await service.call<{ description: string | null }>('POST', '/v1/memories', {
    headers: JSON_TYPE,
    body,
  })
  if (answer.status === 201) assert.equal(answer.json.description, null)
  else assertError(answer, 400, 'validation_failed')
})

test('a content type the endpoint does not take is 415', async () => {
  verifies('errors.415.unsupported_media_type')
  const memoryId = await makeMemory(service)
  for (const type of [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
  ]) {
    const headers = { 'content-type': type }
    assertError(await service.call('POST', '/v1/memories', { headers, body: 'name=x' }), 415, 'unsupported_media_type')
    const path = `/v1/memories/${memoryId}/documents`
    assertError(await service.call('POST', path, { headers, body: 'text' }), 415, 'unsupported_media_type')
  }
})

test('a JSON content type may carry a charset or a structured suffix of no harm', async () => {
  verifies('rules.api.json-content-type')
  for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"']) {
    const headers = { 'content-type': type }
    const answer = await service.call('POST', '/v1/memories', { headers, body: '{"name":"Größe"}' })
    assert.equal(answer.status, 201, type)
  }
})

test('a file of a type that is not supported is 415 and lists what is, and nothing is kept', async () => {
  verifies('errors.415.unsupported_file_type')
  const memoryId = await makeMemory(service)
  const png = new Uint8Array([
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0,
  ])
  const elf = new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 62, 0])
  const noise = Uint8Array.from({ length: 4096 }, (_, index) => (index * 7919 + (index >> 3) * 31) % 32)
  const files = [
    { content: png, filename: 'page.png' },
    { content: png, filename: 'notes.txt' },
    { content: elf, filename: 'report.md' },
    { content: noise, filename: 'noise.txt' },
  ]
  for (const file of files) {
    const answer = await upload(service, memoryId, file)
    assertError(answer, 415, 'unsupported_file_type')
    const said = answer.text
    for (const type of ['TXT', 'CSV', 'JSON', 'Markdown'])
      assert.match(said, new RegExp(type, 'i'), `${file.filename}: ${said}`)
  }
  assert.equal((await readMemory(service, memoryId)).documentCount, 0)
  assert.equal((await listDocuments(service, memoryId)).total, 0)
})

test('an empty or broken document is 422 and nothing is kept', async () => {
  verifies('errors.422.unprocessable_document', 'rules.retry.permanent-is-4xx')
  const memoryId = await makeMemory(service)
  const files = [
    { content: '', filename: 'empty.txt' },
    { content: ' \n\t \n', filename: 'blank.md' },
    { content: '{"a": [1, 2', filename: 'cut.json' },
  ]
  for (const file of files) {
    assertError(await upload(service, memoryId, file), 422, 'unprocessable_document')
  }
  assert.equal((await listDocuments(service, memoryId)).total, 0)
})

test('no error reveals internals, paths or foreign data', async () => {
  verifies('errors.no-internals')
  const paths = [
    '/v1/memories/%00',
    '/v1/memories?cursor=%7B%7D',
    '/v1/jobs?limit=NaN',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/v1/jobs?memoryId=x',
  ]
  for (const path of paths) {
    const answer = await service.get(path)
    assert.ok(answer.status < 500, path)
    assert.doesNotMatch(answer.text, /\/(home|work|usr|tmp)\/|sqlite|kysely|fastify|stack/i, path)
  }
})

test('malformed HTTP gets a JSON error in the usual shape, and the service continues', async () => {
  verifies('errors.shape')
  const { port } = new URL(service.url)
  const said = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1')
    let text = ''
    socket.on('data', (piece) => {
      text += piece.toString('utf8')
    })
    socket.on('close', () => resolve(text)).on('error', reject)
    socket.write('GET / HTTP/1.1\r\nbroken header line\r\n\r\n')
  })
  assert.match(said, /^HTTP\/1\.1 4\d\d /)
  assert.match(said, /\{"error":\{/)
  assert.match(said, /x-request-id: req_/i)
  await makeMemory(service, 'After the noise')
})

test('a field that is too long is 400, never 5xx', async () => {
  verifies('rules.retry.permanent-is-4xx')
  const memoryId = await makeMemory(service)
  const title = 'x'.repeat(100_000)
  assertError(await addTexts(service, memoryId, [{ title, text: 'x' }]), 400, 'validation_failed')
  assertError(
    await service.post(`/v1/memories/${memoryId}/find`, { query: 'x'.repeat(500_000) }),
    400,
    'validation_failed',
    'query',
  )
})
