import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { test } from 'node:test'
import { MAX_FILE_BYTES } from '../../../src/limits.ts'
import type { UploadedFile } from '../../../src/services/ingest/ingest.ts'
import { MEMORY_ID, ORGANIZATION_KEY } from './fake-services.ts'
import { type RunningServer, readError, startServer } from './running-server.ts'

const PATH = `/v1/memories/${MEMORY_ID}/documents`
const DEFAULTS = {
  async: false,
  deduplicate: false,
  enableOcr: true,
  ocrMaxPages: 50,
  storeSource: false,
  embeddingModel: null,
}

type Part = { name: string; value: string | Blob; filename?: string }

function form(...parts: Part[]): FormData {
  const data = new FormData()
  for (const { name, value, filename } of parts) {
    if (typeof value === 'string') data.append(name, value)
    else data.append(name, value, filename)
  }
  return data
}

const file = (content: string, filename = 'a.txt'): Part => ({ name: 'file', value: new Blob([content]), filename })
const refuse = async (server: RunningServer, body: FormData) => readError(await server.send('POST', PATH, { body }))

test('an uploaded file is on disk, readable by its owner only, during the add and removed afterwards', async (t) => {
  const server = await startServer(t)
  const { addFile } = server.services.ingest
  let mode = 0
  server.services.ingest.addFile = async (...input) => {
    mode = (await stat(input[2].file.path)).mode & 0o777
    return addFile(...input)
  }
  const response = await server.send('POST', PATH, { body: form(file('hëllo', '../dir/résumé.txt')) })
  assert.equal(response.status, 200)
  const [, stored, options] = server.calls[0] ?? []
  const { bytes, filename } = stored as UploadedFile
  assert.deepEqual([bytes, filename, mode], [6, 'résumé.txt', 0o600])
  assert.deepEqual(options, DEFAULTS)
  assert.deepEqual(await server.uploads(), [])
})

test('a file part without a name is taken, with a word on what may have been meant', async (t) => {
  const server = await startServer(t)
  const response = await server.send('POST', PATH, { body: form({ name: 'file', value: 'handbook.md' }) })
  assert.equal(response.status, 200)
  const { warnings } = (await response.json()) as { warnings: { code: string; param: string }[] }
  assert.deepEqual(
    warnings.map(({ code, param }) => [code, param]),
    [['file_without_name', 'file']],
  )
})

test('options are taken before and after the file, as a field and as a blob', async (t) => {
  const server = await startServer(t)
  const text: Part = { name: 'options', value: '{"storeSource":true,"deduplicate":null}' }
  const blob: Part = { name: 'options', value: new Blob([String(text.value)], { type: 'application/json' }) }
  for (const parts of [
    [text, file('x')],
    [file('x'), text],
    [file('x'), blob],
  ]) {
    assert.equal((await server.send('POST', PATH, { body: form(...parts) })).status, 200)
    assert.deepEqual(server.calls.at(-1)?.[2], { ...DEFAULTS, storeSource: true })
  }
})

test('parts and options without a meaning are named in warnings', async (t) => {
  const server = await startServer(t)
  const parts: Part[] = [
    { name: 'author', value: 'T' },
    file('x'),
    { name: 'options', value: '{"colour":1}' },
    { ...file('y'), name: 'other' },
  ]
  const response = await server.send('POST', PATH, { body: form(...parts) })
  const { warnings } = (await response.json()) as { warnings: { param: string }[] }
  assert.deepEqual(warnings.map(({ param }) => param).sort(), ['author', 'options.colour', 'other'])
})

test('a form without exactly one file or with wrong options is refused, and nothing is kept', async (t) => {
  const server = await startServer(t)
  const options = (value: string): Part => ({ name: 'options', value })
  assert.equal((await refuse(server, form(options('{}')))).param, 'file')
  assert.equal((await refuse(server, form())).param, 'file')
  assert.equal((await refuse(server, form(file('x'), file('y')))).param, 'file')
  assert.equal((await refuse(server, form(file('x'), options('{')))).param, 'options')
  assert.equal((await refuse(server, form(file('x'), options('[]')))).param, 'options')
  assert.equal((await refuse(server, form(file('x'), options('{}'), options('{}')))).param, 'options')
  assert.equal((await refuse(server, form(options(`"${'x'.repeat(300_000)}"`), file('x')))).param, 'options')
  assert.equal((await refuse(server, form(file('x'), options('{"async":"yes"}')))).param, 'options.async')
  assert.equal((await refuse(server, form({ name: '__proto__', value: 'x' }, file('x')))).code, 'validation_failed')
  const many = Array.from({ length: 40 }, (_, index) => ({ name: `field${index}`, value: 'x' }))
  assert.equal((await refuse(server, form(...many, file('x')))).param, 'form')
  assert.deepEqual([server.calls, await server.uploads()], [[], []])
})

test('a broken or unfinished form is refused, and nothing is kept', async (t) => {
  const server = await startServer(t)
  const post = async (type: string, body: string) => {
    const { status, code } = await readError(
      await server.send('POST', PATH, { headers: { 'content-type': type }, body }),
    )
    return `${status} ${code}`
  }
  const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
  assert.equal(await post('multipart/form-data', '--b--'), '400 content_type_mismatch')
  assert.equal(await post('multipart/form-data; boundary=b', `${part}unfinished`), '400 content_type_mismatch')
  assert.equal(await post('multipart/form-data; boundary=b', '{"documents":[]}'), '400 content_type_mismatch')
  const encoded = part.replace('\r\n\r\n', '\r\nContent-Transfer-Encoding: Base64\r\n\r\n')
  assert.equal(
    await post('multipart/form-data; boundary=b', `${encoded}aGVsbG8=\r\n--b--\r\n`),
    '400 validation_failed',
  )
  assert.deepEqual([server.calls, await server.uploads()], [[], []])
})

test('a file over 100 MB is refused immediately, in time for the client to read the error', async (t) => {
  const server = await startServer(t)
  const block = new Uint8Array(1024 * 1024)
  const blocks = new Array<Uint8Array<ArrayBuffer>>(MAX_FILE_BYTES / block.length).fill(block)
  const fits = await server.send('POST', PATH, {
    body: form({ name: 'file', value: new Blob(blocks), filename: 'a.txt' }),
  })
  assert.equal(fits.status, 200)
  const tooLarge = new Blob([...blocks, 'x'])
  const { status, code } = await refuse(server, form({ name: 'file', value: tooLarge, filename: 'a.txt' }))
  assert.deepEqual([status, code, await server.uploads()], [413, 'file_too_large', []])
})

test('a body with a length over 150 MB is refused before it is sent', async (t) => {
  const server = await startServer(t)
  const head = (type: string) =>
    `POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ORGANIZATION_KEY}\r\nContent-Type: ${type}\r\nContent-Length: 157286401\r\nConnection: close\r\n\r\n`
  assert.match(await server.sendRaw(head('multipart/form-data; boundary=b')), /^HTTP\/1\.1 413 .*body_too_large/s)
  assert.match(await server.sendRaw(head('application/json')), /^HTTP\/1\.1 413 .*body_too_large/s)
})

test('a sender who leaves in the middle of a file leaves nothing behind', async (t) => {
  const server = await startServer(t)
  const socket = connect(server.port, '127.0.0.1')
  socket.write(
    `POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ORGANIZATION_KEY}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n`,
  )
  socket.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nbegin')
  while ((await server.uploads()).length === 0) await new Promise(setImmediate)
  socket.destroy()
  while ((await server.uploads()).length > 0) await new Promise(setImmediate)
  assert.deepEqual(server.calls, [])
})

test('JSON at a form endpoint is refused with its fault, a large one before its end', {
  timeout: 20_000,
}, async (t) => {
  const server = await startServer(t)
  const post = async (body: string, length: number) => {
    const socket = connect(server.port, '127.0.0.1')
    const type = 'Content-Type: application/json\r\nConnection: close'
    const head = `Host: x\r\nX-API-Key: ${ORGANIZATION_KEY}\r\n${type}\r\nContent-Length: ${length}`
    socket.write(`POST /v1/memories/import HTTP/1.1\r\n${head}\r\n\r\n${body}`)
    try {
      const { value } = (await socket[Symbol.asyncIterator]().next()) as { value: Buffer }
      return /^HTTP\/1.1 (\d+).*"code":"(\w+)"/s.exec(value.toString())?.slice(1).join(' ')
    } finally {
      socket.destroy()
    }
  }
  const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
  assert.equal(await post('{}', 2), '400 validation_failed')
  assert.equal(await post('{"a"', 4), '400 malformed_json')
  assert.equal(await post(part, part.length), '400 content_type_mismatch')
  // Of 10 GB little more than 1 MB comes, and the answer does not wait for the rest.
  const most = 'x'.repeat(2 * 1024 * 1024)
  assert.equal(await post(part + most, 10 * 1024 ** 3), '400 content_type_mismatch')
  assert.equal(await post(`{"file":"${most}`, 10 * 1024 ** 3), '400 validation_failed')
})
