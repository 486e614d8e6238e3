import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { test } from 'node:test'
import { NO_FILE_FIELDS } from '../../../src/services/ingest/given-fields.ts'
import type { UploadedFile } from '../../../src/services/ingest/ingest.ts'
import { DOCUMENT_ID, JOB, JOB_ID, MEMORY_ID, ORGANIZATION_KEY } from './fake-services.ts'
import { type RunningServer, readError, startServer } from './running-server.ts'

const PATH = `/v1/memories/${MEMORY_ID}/ocr`
const DEFAULTS = {
  mode: 'fast',
  languageHints: [],
  async: false,
  deduplicate: false,
  ocrMaxPages: 50,
  storeSource: false,
  embeddingModel: null,
  fields: NO_FILE_FIELDS,
}
const MB = 1024 * 1024
const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 254, 62, 63])
const BASE64 = PICTURE.toString('base64')

/** A server that records the content of each received picture. */
async function startWithPictures(...[t]: Parameters<typeof startServer>) {
  const server = await startServer(t)
  const pictures: Buffer[] = []
  const { addImage } = server.services.ingest
  server.services.ingest.addImage = async (...input) => {
    const [
      ,
      ,
      {
        image: { path, bytes },
      },
    ] = input
    const { mode, size } = await stat(path)
    assert.deepEqual([mode & 0o777, bytes], [0o600, size])
    pictures.push(await readFile(path))
    return addImage(...input)
  }
  return { ...server, pictures }
}

function form(fields: Record<string, string>, picture: Blob = new Blob([PICTURE])): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  data.append('file', picture, 'scan.png')
  return data
}

/** The head of a request whose body the test sends in its own pace. */
const head = (bytes: number) =>
  `POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ORGANIZATION_KEY}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\nConnection: close\r\n\r\n`

const optionsOf = (server: RunningServer) => server.calls.at(-1)?.[2]
const fileOf = (server: RunningServer) => server.calls.at(-1)?.[1] as UploadedFile
const warned = async (response: Response) =>
  ((await response.json()) as { warnings: { param: string }[] }).warnings.map(({ param }) => param)

test('a picture comes as a form or as base64, byte for byte, and is gone afterwards', async (t) => {
  const server = await startWithPictures(t)
  const lines = BASE64.replace(/.{5}/g, '$&\r\n')
  const sent = [
    BASE64,
    lines,
    PICTURE.toString('base64url'),
    BASE64.replace(/=/g, ''),
    `data:image/png;base64,${BASE64}`,
  ]
  for (const imageBase64 of sent) {
    const response = await server.sendJson('POST', PATH, { imageBase64 })
    assert.equal(response.status, 200)
    assert.equal(((await response.json()) as { text: string }).text, 'HELLO')
    assert.deepEqual(optionsOf(server), DEFAULTS)
  }
  assert.equal(fileOf(server).declaredType, 'image/png')
  assert.equal((await server.send('POST', PATH, { body: form({}) })).status, 200)
  assert.equal(fileOf(server).filename, 'scan.png')
  assert.deepEqual(server.pictures, new Array(sent.length + 1).fill(PICTURE))
  assert.deepEqual(await server.uploads(), [])
})

test('escapes of any JSON writer are read, at any position of the field', async (t) => {
  const server = await startWithPictures(t)
  const headers = { 'content-type': 'application/json' }
  const escaped = BASE64.replaceAll('+', String.raw`\u002B`).replaceAll('/', String.raw`\/`)
  assert.match(escaped, /\\u002B|\\\//)
  for (const body of [
    `{"options":{"mode":"accurate"},"imageBase64":"${escaped}"}`,
    `{"imageBase64" : "${escaped}", "options":{"mode":"accurate","imageBase64":"x"}}`,
  ]) {
    const response = await server.send('POST', PATH, { headers, body })
    assert.equal(response.status, 200)
    assert.deepEqual(optionsOf(server), { ...DEFAULTS, mode: 'accurate' })
  }
  assert.deepEqual(server.pictures, [PICTURE, PICTURE])
})

test('mode and languageHints are taken in every form, and options win', async (t) => {
  const server = await startServer(t)
  const languageHints = ['de', 'en']
  const options = { mode: 'accurate', languageHints, storeSource: true }
  const expected = { ...DEFAULTS, mode: 'accurate', languageHints }
  for (const body of [
    { mode: 'accurate', languageHints },
    { mode: 'fast', languageHints: ['x'], options },
  ]) {
    assert.equal((await server.sendJson('POST', PATH, { imageBase64: BASE64, ...body })).status, 200)
    const storeSource = 'options' in body
    assert.deepEqual(optionsOf(server), { ...expected, storeSource })
  }
  for (const fields of [
    { mode: 'accurate', languageHints: 'de, en,' },
    { mode: 'accurate', languageHints: ' ["de","en"]' },
    { mode: 'fast', languageHints: 'x', options: JSON.stringify({ ...options, storeSource: false }) },
  ]) {
    assert.equal((await server.send('POST', PATH, { body: form(fields) })).status, 200)
    assert.deepEqual(optionsOf(server), expected)
  }
})

test('fields without a meaning are named in warnings', async (t) => {
  const server = await startServer(t)
  const options = { enableOcr: false, colour: 1 }
  const json = await server.sendJson('POST', PATH, { imageBase64: BASE64, author: 'T', options })
  assert.deepEqual(await warned(json), ['options.enableOcr', 'options.colour', 'author'])
  const body = form({ author: 'T', options: JSON.stringify(options) })
  assert.deepEqual(await warned(await server.send('POST', PATH, { body })), [
    'author',
    'options.enableOcr',
    'options.colour',
  ])
})

test('requests of a wrong shape are refused by name, and nothing is kept', async (t) => {
  const server = await startServer(t)
  const refuse = async (body: object) => {
    const { status, code, param } = await readError(await server.sendJson('POST', PATH, body))
    return `${status} ${code} ${param}`
  }
  const imageBase64 = BASE64
  for (const body of [
    {},
    { imageBase64: null },
    { imageBase64: 17 },
    { imageBase64: '' },
    { imageBase64: 'no base64!' },
  ]) {
    assert.equal(await refuse(body), '400 validation_failed imageBase64')
  }
  assert.equal(await refuse({ imageBase64, mode: 'best' }), '400 validation_failed mode')
  assert.equal(await refuse({ imageBase64, options: { mode: 'best' } }), '400 validation_failed options.mode')
  assert.equal(
    await refuse({ imageBase64, options: { languageHints: 'de' } }),
    '400 validation_failed options.languageHints',
  )
  assert.equal(await refuse({ imageBase64, languageHints: [7] }), '400 validation_failed languageHints[0]')
  const many = new Array(21).fill('de')
  assert.equal(await refuse({ imageBase64, languageHints: many }), '400 validation_failed languageHints')
  assert.equal(await refuse({ imageBase64, options: [] }), '400 validation_failed options')
  const refuseForm = async (fields: Record<string, string>) =>
    (await readError(await server.send('POST', PATH, { body: form(fields) }))).param
  assert.equal(await refuseForm({ mode: 'best' }), 'mode')
  assert.equal(await refuseForm({ languageHints: '[de' }), 'languageHints')
  assert.equal(await refuseForm({ languageHints: '[7]' }), 'languageHints[0]')
  assert.equal(await refuseForm({ options: '{' }), 'options')
  const noFile = new FormData()
  noFile.append('mode', 'fast')
  assert.equal((await readError(await server.send('POST', PATH, { body: noFile }))).param, 'file')
  assert.equal((await readError(await server.send('POST', PATH))).param, 'imageBase64')
  assert.deepEqual([server.calls, await server.uploads()], [[], []])
})

test('a body that is not JSON is refused with its fault', async (t) => {
  const server = await startServer(t)
  const post = async (body: string, type = 'application/json') => {
    const { status, code } = await readError(
      await server.send('POST', PATH, { headers: { 'content-type': type }, body }),
    )
    return `${status} ${code}`
  }
  assert.equal(await post(`{"imageBase64":"${BASE64}"`), '400 malformed_json')
  assert.equal(await post(`{"imageBase64":"${BASE64}`), '400 malformed_json')
  assert.equal(await post(`{"imageBase64":"${BASE64}","imageBase64":"${BASE64}"}`), '400 validation_failed')
  assert.equal(await post(`["${BASE64}"]`), '400 validation_failed')
  assert.equal(await post('--b\r\nContent-Disposition: form-data\r\n'), '400 content_type_mismatch')
  assert.equal(await post(`--b\r\n${'x'.repeat(2 * MB)}`), '400 content_type_mismatch')
  assert.equal(await post(`{"imageBase64":"${BASE64}","title":"${'x'.repeat(2 * MB)}"}`), '413 body_too_large')
  assert.equal(await post('x', 'image/png'), '415 unsupported_media_type')
  assert.deepEqual([server.calls, await server.uploads()], [[], []])
})

test('a picture may have 20 MB and its base64 27 MB, and the answer says which was too much', async (t) => {
  const server = await startServer(t)
  const json = async (imageBase64: string) => {
    const response = await server.sendJson('POST', PATH, { imageBase64 })
    if (response.status === 200) return '200'
    const { status, code, message } = await readError(response)
    return `${status} ${code}: ${message}`
  }
  const whole = 'A'.repeat(Math.ceil((20 * MB) / 3) * 4 - 4)
  assert.equal(await json(`${whole}AAA=`), '200')
  assert.equal(fileOf(server).bytes, 20 * MB)
  assert.equal(await json(`${whole}AAAA`), '413 image_too_large: The image is larger than 20 MB.')
  assert.equal(await json('A'.repeat(27 * MB)), '413 image_too_large: The image is larger than 20 MB.')
  assert.equal(await json('A'.repeat(27 * MB + 1)), '413 image_too_large: The base64 payload is larger than 27 MB.')
  const fits = await server.send('POST', PATH, { body: form({}, new Blob([new Uint8Array(20 * MB)])) })
  assert.equal(fits.status, 200)
  const tooLarge = await server.send('POST', PATH, { body: form({}, new Blob([new Uint8Array(20 * MB + 1)])) })
  const { status, code, param } = await readError(tooLarge)
  assert.deepEqual([status, code, param, await server.uploads()], [413, 'image_too_large', 'file', []])
})

test('a picture with a fault is refused before the end of its body', async (t) => {
  const server = await startServer(t)
  const answer = await server.sendRaw(head(1_000_000), `{"imageBase64":"${BASE64}!!"`)
  assert.match(answer, /^HTTP\/1\.1 400 .+imageBase64 must be base64/s)
  assert.deepEqual([server.calls, await server.uploads()], [[], []])
})

test('a sender who leaves in the middle of a picture leaves nothing behind', async (t) => {
  const server = await startServer(t)
  const socket = connect(server.port, '127.0.0.1')
  socket.write(`${head(1_000_000)}{"imageBase64":"${BASE64}`)
  while ((await server.uploads()).length === 0) await new Promise(setImmediate)
  socket.destroy()
  while ((await server.uploads()).length > 0) await new Promise(setImmediate)
  assert.deepEqual(server.calls, [])
})

test('work for a job is answered 202 with Location', async (t) => {
  const server = await startServer(t)
  const accepted = { jobId: JOB_ID, pollUrl: `/v1/jobs/${JOB_ID}`, documentIds: [DOCUMENT_ID], job: JOB, warnings: [] }
  server.services.ingest.addImage = async () => ({ ...accepted, status: 'pending', reason: 'scanned_pages' })
  const response = await server.sendJson('POST', PATH, { imageBase64: BASE64, options: { colour: 1 } })
  assert.deepEqual([response.status, response.headers.get('location')], [202, `/v1/jobs/${JOB_ID}`])
  assert.deepEqual(await warned(response), ['options.colour'])
})

test('the same picture under the same Idempotency-Key is read once, another is refused', async (t) => {
  const server = await startServer(t)
  const send = (body: object, key: string) => server.sendJson('POST', PATH, body, { 'idempotency-key': key })
  const first = await send({ imageBase64: BASE64 }, 'k1')
  const again = await send({ imageBase64: BASE64 }, 'k1')
  assert.deepEqual([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')], [null, 'true'])
  assert.deepEqual(await again.json(), await first.json())
  assert.equal((await send({ imageBase64: 'AAAA' }, 'k1')).status, 422)
  assert.equal((await send({ imageBase64: BASE64, mode: 'accurate' }, 'k1')).status, 422)
  const url = { url: 'https://a.example/' }
  const documents = `/v1/memories/${MEMORY_ID}/documents`
  const header = { 'idempotency-key': 'k2' }
  await server.sendJson('POST', documents, url, header)
  const repeated = await server.sendJson('POST', documents, url, header)
  assert.equal(repeated.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(
    server.calls.map(([name]) => name),
    ['ingest.addImage', 'ingest.addUrl'],
  )
})
