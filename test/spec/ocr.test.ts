import assert from 'node:assert/strict'
import test from 'node:test'
import { SAMPLE_DOCUMENTS } from '../support/sample-documents.ts'
import { makeBlankPicture, makeSamplePictures, makeTiff, type SamplePicture } from '../support/sample-pictures.ts'
import { type Answer, assertError, assertStatus, type ErrorAnswer } from './answer.ts'
import { useSharedService } from './service.ts'
import type { Accepted, RecognizedImage } from './shapes.ts'
import { assertFields, endOfJob, find, listDocuments, makeMemory, readDocument, readText } from './steps.ts'
import { verifies } from './verifies.ts'

const MB = 1024 * 1024
const service = useSharedService()
const pictures = await makeSamplePictures()

function picture(name: string): SamplePicture {
  const found = pictures[name]
  assert.ok(found)
  return found
}

type Bytes = Uint8Array<ArrayBuffer>

/** Sends a picture as a form. */
function recognizeForm<Body = RecognizedImage>(
  memoryId: string,
  content: Bytes,
  fields: Readonly<Record<string, string>> = {},
  filename = 'slip.png',
): Promise<Answer<Body>> {
  const form = new FormData()
  form.append('file', new Blob([content]), filename)
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return service.call<Body>('POST', `/v1/memories/${memoryId}/ocr`, { body: form })
}

/** Sends a picture as JSON. */
function recognizeJson<Body = RecognizedImage>(
  memoryId: string,
  imageBase64: unknown,
  options?: unknown,
): Promise<Answer<Body>> {
  return service.post<Body>(`/v1/memories/${memoryId}/ocr`, { imageBase64, options })
}

const toBase64 = (content: Bytes) => Buffer.from(content).toString('base64')

test('PNG, JPEG, WebP, GIF, TIFF and BMP are read as displayed, and their text is added', async () => {
  verifies('ocr.types', 'ocr.purpose', 'ocr.multipart', 'ocr.ingested', 'ocr.upright', 'formats.by-content')
  verifies('documents.source-type.others')
  const memoryId = await makeMemory(service)
  for (const [name, { content, filename, says, mimeType }] of Object.entries(pictures)) {
    const answer = await recognizeForm(memoryId, content, {}, name === 'GIF' ? 'wrong.png' : filename)
    assertStatus(answer, 200)
    const { text, documentId, documentIds, documentsAdded, warnings } = answer.json
    assert.match(text, new RegExp(`The ${says} hangs in\\s+the hall of the tower`), name)
    assert.deepEqual([documentIds, documentsAdded, warnings], [[documentId], 1, []])
    const record = await readDocument(service, memoryId, documentId ?? '')
    assert.deepEqual(
      [record.sourceType, record.status, record.mimeType, record.ocrPages],
      ['ocr', 'ready', mimeType, 1],
    )
    assert.equal(record.pages[0]?.method, 'ocr')
    assert.match((await find(service, memoryId, `Where does the ${says} hang?`)).hits[0]?.text ?? '', new RegExp(says))
  }
  const listed = await service.get(`/v1/memories/${memoryId}/documents?sourceType=ocr`)
  assert.equal((listed.json as unknown as { total: number }).total, 6)
})

test('the answer reports the text, its quality and position, and the added document', async () => {
  verifies('ocr.answer', 'ocr.default-mode', 'ocr.boxes', 'ocr.json')
  const memoryId = await makeMemory(service)
  const answer = await recognizeJson(memoryId, toBase64(picture('TIFF').content))
  assertStatus(answer, 200)
  const { json } = answer
  assertFields(json, 'text', 'confidence', 'mode', 'engine', 'languages', 'width', 'height', 'blocks', 'documentId')
  assertFields(json, 'documentIds', 'documentsAdded', 'chunksCreated', 'processingMs', 'warnings')
  assert.deepEqual([json.mode, json.languages, json.chunksCreated], ['fast', ['eng'], 1])
  assert.ok(json.engine.length > 3)
  for (const confidence of [json.confidence, ...json.blocks.map((block) => block.confidence)]) {
    assert.ok(confidence > 0.7 && confidence <= 1, answer.text)
  }
  assert.ok(json.blocks.length > 0)
  for (const { text, bbox } of json.blocks) {
    const [left = -1, top = -1, width = 0, height = 0] = bbox
    assert.ok(left >= 0 && top >= 0 && width > 10 && height > 5, answer.text)
    assert.ok(left + width <= json.width && top + height <= json.height, answer.text)
    assert.ok(json.text.includes(text))
  }
  assert.equal((await readText(service, memoryId, json.documentId ?? '')).trim(), json.text)
})

test('base64 may come with the prefix of a data URL, on lines, and without padding', async () => {
  verifies('ocr.data-url', 'ocr.json')
  const memoryId = await makeMemory(service)
  const plain = toBase64(picture('WebP').content)
  const lines = plain.replace(/(.{76})/g, '$1\r\n')
  for (const form of [`data:image/webp;base64,${plain}`, lines, plain.replace(/=+$/, '')]) {
    const answer = await recognizeJson(memoryId, form)
    assertStatus(answer, 200)
    assert.match(answer.json.text, /sextant/)
  }
})

test('the mode is fast or accurate, in either form', async () => {
  verifies('ocr.modes', 'ocr.multipart', 'ocr.json')
  const memoryId = await makeMemory(service)
  const { content } = picture('PNG')
  const form = await recognizeForm(memoryId, content, { mode: 'accurate' })
  const json = await recognizeJson(memoryId, toBase64(content), { mode: 'accurate' })
  for (const answer of [form, json]) {
    assertStatus(answer, 200)
    assert.equal(answer.json.mode, 'accurate')
    assert.match(answer.json.text, /barometer/)
  }
  assertError(await recognizeForm(memoryId, content, { mode: 'quick' }), 400, 'validation_failed', 'mode')
  assertError(
    await recognizeJson(memoryId, toBase64(content), { mode: 'quick' }),
    400,
    'validation_failed',
    'options.mode',
  )
})

test('an unavailable recognition language is named in a warning, and another is used', async () => {
  verifies('ocr.hints', 'ocr.json')
  const memoryId = await makeMemory(service)
  const image = toBase64(picture('PNG').content)
  const answer = await recognizeJson(memoryId, image, { languageHints: ['en', 'tlh'] })
  assertStatus(answer, 200)
  assert.deepEqual(answer.json.languages, ['eng'])
  assert.match(answer.json.text, /barometer/)
  assert.deepEqual(
    answer.json.warnings.map(({ param, message }) => [param, /tlh/.test(message)]),
    [['options.languageHints', true]],
  )
  assertError(
    await recognizeJson(memoryId, image, { languageHints: 'en' }),
    400,
    'validation_failed',
    'options.languageHints',
  )
})

test('a picture without text is 200 with no text, and nothing is added', async () => {
  verifies('ocr.no-text')
  const memoryId = await makeMemory(service)
  const answer = await recognizeForm(memoryId, await makeBlankPicture())
  assertStatus(answer, 200)
  const { text, blocks, documentId, documentIds, documentsAdded, chunksCreated, warnings } = answer.json
  assert.deepEqual([text, blocks, documentId, documentIds, documentsAdded, chunksCreated], ['', [], null, [], 0, 0])
  assert.match(warnings[0]?.message ?? '', /blank/)
  assert.equal((await listDocuments(service, memoryId)).total, 0)
})

test('all pages of a TIFF are read, and more than five go to the worker', async () => {
  verifies('ocr.pages', 'ocr.answer', 'documents.page-counts')
  const memoryId = await makeMemory(service)
  const answer = await recognizeForm(memoryId, await makeTiff(['The first page', 'The second page']), {}, 'two.tif')
  assertStatus(answer, 200)
  assert.match(answer.json.text, /first page\s+The second page/)
  assert.deepEqual([...new Set(answer.json.blocks.map(({ page }) => page))], [1, 2])
  const record = await readDocument(service, memoryId, answer.json.documentId ?? '')
  assert.deepEqual([record.pageCount, record.ocrPages, record.pages.length], [2, 2, 2])

  const six = await makeTiff(Array.from({ length: 6 }, (_, index) => `Leaf ${index + 1}`))
  const accepted = await recognizeForm<Accepted>(memoryId, six, {}, 'six.tif')
  assertStatus(accepted, 202)
  assert.equal(accepted.json.reason, 'scanned_pages')
  const job = await endOfJob(service, accepted.json.jobId)
  assert.equal(job.status, 'completed', JSON.stringify(job))
  const later = await readDocument(service, memoryId, accepted.json.documentIds[0] ?? '')
  assert.deepEqual([later.sourceType, later.ocrPages], ['ocr', 6])
})

test('a duplicate picture names its original, and its stored response loses its words with it', async () => {
  verifies('ocr.answer', 'beyond.deleted-bytes')
  const memoryId = await makeMemory(service)
  const imageBase64 = toBase64(picture('PNG').content)
  const send = (key: string) =>
    service.post<RecognizedImage>(
      `/v1/memories/${memoryId}/ocr`,
      { imageBase64, options: { deduplicate: true } },
      { headers: { 'idempotency-key': key } },
    )
  const { documentId, duplicateOf } = (await send('first')).json
  assert.equal(duplicateOf, null)
  const second = (await send('second')).json
  assert.deepEqual([second.documentId, second.duplicateOf, second.documentsSkipped], [null, documentId, 1])
  assert.notEqual(second.text, '')
  assertStatus(await service.delete(`/v1/memories/${memoryId}/documents/${documentId}`), 204)
  for (const key of ['first', 'second']) {
    const again = await send(key)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual([again.json.text, again.json.blocks], ['', []], key)
  }
})

test('a file that is not a picture is 415 with the supported types, and nothing is stored', async () => {
  verifies('ocr.no-picture', 'errors.415.unsupported_file_type')
  const memoryId = await makeMemory(service)
  const pdf = SAMPLE_DOCUMENTS['PDF']?.content
  assert.ok(pdf)
  for (const content of [pdf, Uint8Array.from(Buffer.from('Only words.'))]) {
    const answer = await recognizeForm(memoryId, content, {}, 'picture.png')
    assertError(answer, 415, 'unsupported_file_type')
    for (const name of Object.keys(pictures)) assert.match(answer.text, new RegExp(name))
  }
  assert.equal((await listDocuments(service, memoryId)).total, 0)
})

test('a picture that is damaged or empty is 422 image_unreadable, and keeps nothing', async () => {
  verifies('errors.422.image_unreadable', 'rules.retry.permanent-is-4xx')
  const memoryId = await makeMemory(service)
  for (const name of ['PNG', 'JPEG', 'TIFF', 'BMP', 'WebP', 'GIF']) {
    const { content, filename } = picture(name)
    const half = content.slice(0, Math.floor(content.length / 2))
    const answer = await recognizeForm<ErrorAnswer>(memoryId, half, {}, filename)
    assertError(answer, 422, 'image_unreadable')
    assert.match(answer.json.error.message, /damaged|truncated|cut off/, name)
  }
  assert.equal((await listDocuments(service, memoryId)).total, 0)
})

test('a picture with a declared size above any page is refused before decoding', async () => {
  verifies('errors.422.image_unreadable')
  const memoryId = await makeMemory(service)
  const bmp = Buffer.alloc(2000)
  bmp.write('BM', 'latin1')
  for (const [at, value] of [
    [10, 54],
    [14, 40],
    [18, 60_000],
    [22, 60_000],
    [26, 1 | (24 << 16)],
  ] as const)
    bmp.writeUInt32LE(value, at)
  assertError(await recognizeForm(memoryId, Uint8Array.from(bmp), {}, 'huge.bmp'), 422, 'image_unreadable')
})

test('no picture, two pictures and invalid base64 are 400 and name the field', async () => {
  verifies('ocr.multipart', 'ocr.json', 'errors.400.validation_failed')
  const memoryId = await makeMemory(service)
  const path = `/v1/memories/${memoryId}/ocr`
  assertError(await service.post(path, {}), 400, 'validation_failed', 'imageBase64')
  for (const imageBase64 of ['', 'not base64!', 7, null, 'data:image/png;base64,']) {
    const answer = await recognizeJson(memoryId, imageBase64)
    assertError(answer, 400, 'validation_failed', 'imageBase64')
  }
  const none = new FormData()
  none.append('mode', 'fast')
  assertError(await service.call('POST', path, { body: none }), 400, 'validation_failed', 'file')
  const two = new FormData()
  for (const name of ['a.png', 'b.png']) two.append('file', new Blob([picture('PNG').content]), name)
  assertError(await service.call('POST', path, { body: two }), 400, 'validation_failed', 'file')
  assertError(await recognizeForm('mem_01h455vb4pex5vsknk084sn02q', picture('PNG').content), 404, 'memory_not_found')
})

/** The picture padded to `bytes` with trailing data, which decoders ignore. */
function padded(content: Bytes, bytes: number): Bytes {
  const whole = new Uint8Array(bytes)
  whole.set(content)
  return whole
}

/** Waits for the job of a picture too large for synchronous recognition. */
async function endOfAccepted(answer: Answer<Accepted>): Promise<[status: string, documents: number | undefined]> {
  assertStatus(answer, 202)
  assert.equal(answer.json.reason, 'file_over_sync_threshold')
  const job = await endOfJob(service, answer.json.jobId)
  return [job.status, job.result?.documentsAdded]
}

test('a picture may have 20 MB, one byte more is 413', async () => {
  verifies('limits.image', 'errors.413.image_too_large', 'ocr.answer')
  const memoryId = await makeMemory(service)
  const { content } = picture('PNG')
  const large = await recognizeForm<Accepted>(memoryId, padded(content, 20 * MB))
  assert.deepEqual(await endOfAccepted(large), ['completed', 1])
  assert.match(await readText(service, memoryId, large.json.documentIds[0] ?? ''), /barometer/)
  assertError(await recognizeForm(memoryId, padded(content, 20 * MB + 1)), 413, 'image_too_large')
  assert.equal((await listDocuments(service, memoryId)).total, 1)
})

test('a base64 payload may have 27 MB, more is 413', async () => {
  verifies('limits.base64', 'errors.413.image_too_large')
  const memoryId = await makeMemory(service)
  const full = toBase64(padded(picture('PNG').content, 20 * MB))
  assert.deepEqual(await endOfAccepted(await recognizeJson<Accepted>(memoryId, full)), ['completed', 1])
  assertError(await recognizeJson(memoryId, 'A'.repeat(27 * MB + 4)), 413, 'image_too_large')
  assert.equal((await listDocuments(service, memoryId)).total, 1)
})

test('a large picture without text ends its job, and nothing is added', async () => {
  verifies('ocr.no-text', 'scans.never-silent')
  const memoryId = await makeMemory(service)
  const answer = await recognizeForm<Accepted>(memoryId, padded(await makeBlankPicture(), 2 * MB + 1))
  assertStatus(answer, 202)
  const job = await endOfJob(service, answer.json.jobId)
  assert.equal(job.status, 'completed')
  assert.match(job.message, /contains no text.*blank/)
  assert.equal((await listDocuments(service, memoryId)).total, 0)
})

test('the original picture is kept where it is asked for', async () => {
  verifies('formats.source', 'ocr.json')
  const memoryId = await makeMemory(service)
  const { content } = picture('GIF')
  const answer = await recognizeJson(memoryId, toBase64(content), { storeSource: true })
  assertStatus(answer, 200)
  const source = await service.get(`/v1/memories/${memoryId}/documents/${answer.json.documentId}/source`)
  assertStatus(source, 200)
  assert.ok(source.bytes.equals(Buffer.from(content)))
  assert.equal(source.headers.get('content-type'), 'image/gif')
})
