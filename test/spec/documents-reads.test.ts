import assert from 'node:assert/strict'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { useSharedService } from './service.ts'
import type { Accepted, Added } from './shapes.ts'
import {
  addInBackground,
  addText,
  assertFields,
  endOfJob,
  find,
  listDocuments,
  makeMemory,
  readDocument,
  readMemory,
  upload,
  uploadReady,
} from './steps.ts'
import { verifies } from './verifies.ts'

const service = useSharedService()

test('a document has every field', async () => {
  verifies('documents.fields', 'documents.status', 'documents.sizes', 'documents.get.pages', 'documents.list')
  const memoryId = await makeMemory(service)
  const id = await uploadReady(service, memoryId, { content: 'A note on the heron.', filename: 'heron.txt' })
  const document = await readDocument(service, memoryId, id)
  assertFields(document, 'id', 'memoryId', 'title', 'filename', 'mimeType', 'sourceType', 'url', 'tags', 'metadata')
  assertFields(document, 'status', 'sizeBytes', 'pageCount', 'ocrPages', 'chunkCount', 'characterCount', 'contentHash')
  assertFields(document, 'embeddingModel', 'hasSource', 'jobId', 'error', 'createdAt', 'updatedAt', 'pages')
  const { pages, ...listed } = document
  assert.ok(Array.isArray(pages))
  assert.deepEqual(
    [document.memoryId, document.status, document.url, document.ocrPages, document.error, document.jobId],
    [memoryId, 'ready', null, 0, null, null],
  )
  assert.deepEqual([document.sizeBytes, document.characterCount, document.chunkCount], [20, 20, 1])
  assert.match(document.contentHash ?? '', /^[0-9a-f]{64}$/)
  assert.equal(document.embeddingModel, (await readMemory(service, memoryId)).embeddingModel)
  assert.ok(document.title.length > 0)
  assert.deepEqual((await listDocuments(service, memoryId)).documents, [listed])
})

test('equal content has an equal hash, other content another', async () => {
  verifies('documents.sizes')
  const memoryId = await makeMemory(service)
  const ids = [
    await addText(service, memoryId, 'Equal words.'),
    await addText(service, memoryId, 'Equal words.'),
    await addText(service, memoryId, 'Other words.'),
  ]
  const hashes = await Promise.all(ids.map(async (id) => (await readDocument(service, memoryId, id)).contentHash))
  assert.equal(hashes[0], hashes[1])
  assert.notEqual(hashes[0], hashes[2])
})

test('the list filters by status, tag and sourceType, and counts the result', async () => {
  verifies('documents.list.status', 'documents.list.tag', 'documents.list.source-type', 'documents.status')
  const memoryId = await makeMemory(service)
  const tagged = await addText(service, memoryId, 'Tagged.', { tags: ['red', 'wide'] })
  const plain = await addText(service, memoryId, 'Plain.', { tags: ['redder'] })
  const file = await uploadReady(service, memoryId, { content: 'File.', filename: 'f.txt' })
  const idsOf = async (query: string) => {
    const list = await listDocuments(service, memoryId, query)
    assert.equal(list.total, list.documents.length)
    return list.documents.map(({ id }) => id)
  }
  assert.deepEqual(await idsOf(''), [file, plain, tagged])
  assert.deepEqual(await idsOf('?tag=red'), [tagged])
  assert.deepEqual(await idsOf("?tag=red'%20OR%20'1'%3D'1"), [])
  assert.deepEqual(await idsOf('?sourceType=file'), [file])
  assert.deepEqual(await idsOf('?sourceType=text'), [plain, tagged])
  assert.deepEqual(await idsOf('?sourceType=text&tag=wide&status=ready'), [tagged])
  assert.deepEqual(await idsOf('?status=failed'), [])
  for (const [query, param] of [
    ['?status=done', 'status'],
    ['?sourceType=fax', 'sourceType'],
  ] as const) {
    assertError(await service.get(`/v1/memories/${memoryId}/documents${query}`), 400, 'validation_failed', param)
  }
})

test('a document whose job failed is listed as failed, with the reason', async () => {
  verifies('documents.status', 'documents.list.status', 'jobs.state.failed', 'errors.api.job-failed', 'jobs.error')
  const memoryId = await makeMemory(service)
  const options = { async: true }
  const answer = await upload<{ jobId: string; documentIds: string[] }>(service, memoryId, {
    content: '{"cut": [1, 2',
    filename: 'cut.json',
    options,
  })
  assertStatus(answer, 202)
  const job = await endOfJob(service, answer.json.jobId)
  assert.equal(job.status, 'failed')
  assert.equal(job.errorCode, 'unprocessable_document')
  assert.ok(job.completedAt !== null && !('result' in job))
  const [failed] = (await listDocuments(service, memoryId, '?status=failed')).documents
  assert.equal(failed?.id, answer.json.documentIds[0])
  assert.ok((failed?.error ?? '').length > 5)
  assert.equal(job.error, `cut: ${failed?.error}`)
  assert.equal((await readMemory(service, memoryId)).documentCount, 0)
})

test('corrections are left out of the list unless asked for', async () => {
  verifies('documents.list.no-corrections', 'documents.list.source-type')
  const memoryId = await makeMemory(service)
  const id = await addText(service, memoryId, 'A document.')
  const { json } = await service.post<{ id: string }>(`/v1/memories/${memoryId}/correct`, {
    statement: 'A correction.',
  })
  assert.deepEqual(
    (await listDocuments(service, memoryId)).documents.map((one) => one.id),
    [id],
  )
  const corrections = (await listDocuments(service, memoryId, '?sourceType=correction')).documents
  assert.deepEqual(
    corrections.map((one) => [one.id, one.sourceType]),
    [[json.id, 'correction']],
  )
})

test('a stored original comes back byte for byte, with its name and type', async () => {
  verifies('documents.source', 'documents.options.store-source', 'documents.has-source')
  const memoryId = await makeMemory(service)
  const content = Uint8Array.from(Buffer.from('\ufeffname;größe\r\nFuß;12\r\n', 'utf8'))
  const file = { content, filename: 'Maße "neu".csv', type: 'text/csv', options: { storeSource: true } }
  const id = await uploadReady(service, memoryId, file)
  assert.equal((await readDocument(service, memoryId, id)).hasSource, true)
  const answer = await service.get(`/v1/memories/${memoryId}/documents/${id}/source`)
  assertStatus(answer, 200)
  assert.deepEqual(answer.bytes, Buffer.from(content))
  assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/)
  assert.equal(answer.headers.get('content-length'), String(content.length))
  assert.match(answer.headers.get('content-disposition') ?? '', /filename\*=UTF-8''Ma%C3%9Fe/i)
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
})

test('ranges of an original are answered with 206, and a range outside with 416', async () => {
  verifies('documents.source')
  const memoryId = await makeMemory(service)
  const content = '0123456789'.repeat(10)
  const id = await uploadReady(service, memoryId, { content, filename: 'r.txt', options: { storeSource: true } })
  const path = `/v1/memories/${memoryId}/documents/${id}/source`
  assert.equal((await service.get(path)).headers.get('accept-ranges'), 'bytes')
  const rows: [string, string, string][] = [
    ['bytes=0-9', content.slice(0, 10), 'bytes 0-9/100'],
    ['bytes=95-', content.slice(95), 'bytes 95-99/100'],
    ['bytes=-7', content.slice(-7), 'bytes 93-99/100'],
    ['bytes=90-5000', content.slice(90), 'bytes 90-99/100'],
  ]
  for (const [range, expected, contentRange] of rows) {
    const answer = await service.get(path, { headers: { range } })
    assertStatus(answer, 206)
    assert.deepEqual([answer.text, answer.headers.get('content-range')], [expected, contentRange])
  }
  const conditional = await service.get(path, { headers: { range: 'bytes=50-', 'if-range': '"of another file"' } })
  assertStatus(conditional, 200)
  assert.equal(conditional.text, content)
  const outside = await service.get(path, { headers: { range: 'bytes=100-' } })
  assertStatus(outside, 416)
  assert.equal(outside.headers.get('content-range'), 'bytes */100')
  const nonsense = await service.get(path, { headers: { range: 'lines=1-2' } })
  assertStatus(nonsense, 200)
})

test('an original that was not kept is 404 source_not_stored', async () => {
  verifies('errors.404.source_not_stored', 'documents.has-source', 'documents.options.store-source')
  const memoryId = await makeMemory(service)
  const file = await uploadReady(service, memoryId, { content: 'Not kept.', filename: 'n.txt' })
  const text = await addText(service, memoryId, 'Only text.')
  for (const id of [file, text]) {
    assert.equal((await readDocument(service, memoryId, id)).hasSource, false)
    assertError(await service.get(`/v1/memories/${memoryId}/documents/${id}/source`), 404, 'source_not_stored')
  }
})

test('the extracted text is streamed as plain text', async () => {
  verifies('documents.text')
  const memoryId = await makeMemory(service)
  const id = await addText(service, memoryId, '<script>alert(1)</script> & Größe')
  const answer = await service.get(`/v1/memories/${memoryId}/documents/${id}/text`)
  assertStatus(answer, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; charset=utf-8/i)
  assert.equal(answer.text, '<script>alert(1)</script> & Größe')
})

test('a deleted document disappears immediately from reads, lists, counts and search', async () => {
  verifies('documents.delete')
  const memoryId = await makeMemory(service)
  const kept = await addText(service, memoryId, 'The ibex stays on the ridge.')
  const gone = await addText(service, memoryId, 'The ibex falls off the ridge.')
  assertStatus(await service.delete(`/v1/memories/${memoryId}/documents/${gone}`), 204)
  for (const rest of ['', '/text', '/source']) {
    assertError(await service.get(`/v1/memories/${memoryId}/documents/${gone}${rest}`), 404, 'document_not_found')
  }
  assert.deepEqual(
    (await listDocuments(service, memoryId)).documents.map(({ id }) => id),
    [kept],
  )
  assert.deepEqual(
    (await find(service, memoryId, 'ibex ridge')).hits.map(({ documentId }) => documentId),
    [kept],
  )
  assert.equal((await readMemory(service, memoryId)).documentCount, 1)
})

test('a document that waits for the worker can be deleted, and never shows', async () => {
  verifies('documents.delete', 'documents.accepted.readable')
  const memoryId = await makeMemory(service)
  const { documentIds, jobId } = (await addInBackground(service, memoryId, 'Soon forgotten axolotl. '.repeat(30_000)))
    .json
  assertStatus(await service.delete(`/v1/memories/${memoryId}/documents/${documentIds[0]}`), 204)
  await endOfJob(service, jobId)
  assert.deepEqual((await find(service, memoryId, 'axolotl')).hits, [])
  assert.equal((await listDocuments(service, memoryId)).total, 0)
})

test('deduplicate skips equal and nearly equal documents and says of which', async () => {
  verifies('documents.options.deduplicate', 'documents.added.duplicate')
  const memoryId = await makeMemory(service)
  const words = Array.from({ length: 300 }, (_, index) => `word${(index * 7) % 301}`)
  const original = await addText(service, memoryId, words.join(' '))
  const near = words.with(150, 'changed').join(' ')
  const spaced = `  ${words.join('\n').toUpperCase()}  `
  for (const text of [words.join(' '), spaced, near]) {
    const body = { documents: [{ title: 'Again', text }], options: { deduplicate: true } }
    const answer = await service.post<Added>(`/v1/memories/${memoryId}/documents`, body)
    assertStatus(answer, 200)
    assert.deepEqual([answer.json.documentsAdded, answer.json.documentsSkipped, answer.json.documentIds], [0, 1, []])
    const [entry] = answer.json.documents
    assert.deepEqual([entry?.status, entry?.duplicateOf, entry?.title], ['duplicate', original, 'Again'])
  }
  assert.equal((await listDocuments(service, memoryId)).total, 1)
})

test('without deduplicate, and for other content, documents are added', async () => {
  verifies('documents.options.deduplicate')
  const memoryId = await makeMemory(service)
  const text = 'The same short sentence stands here twice.'
  await addText(service, memoryId, text)
  await addText(service, memoryId, text)
  const other = 'The same short sentence stands elsewhere and talks of bees.'
  const body = { documents: [{ title: 'Other', text: other }], options: { deduplicate: true } }
  const answer = await service.post<Added>(`/v1/memories/${memoryId}/documents`, body)
  assert.deepEqual([answer.json.documentsAdded, (await listDocuments(service, memoryId)).total], [1, 3])
})

test('deduplicate holds within one batch and for files', async () => {
  verifies('documents.options.deduplicate', 'documents.added.duplicate')
  const memoryId = await makeMemory(service)
  const text = 'One and the same content in one batch, written by a careless sender.'
  const documents = [
    { title: 'A', text },
    { title: 'B', text },
  ]
  const batch = { documents, options: { deduplicate: true } }
  const answer = await service.post<Added>(`/v1/memories/${memoryId}/documents`, batch)
  assert.deepEqual([answer.json.documentsAdded, answer.json.documentsSkipped], [1, 1], answer.text)
  const file = await upload(service, memoryId, { content: text, filename: 'c.txt', options: { deduplicate: true } })
  assert.deepEqual([file.json.documentsSkipped, file.json.documents[0]?.duplicateOf], [1, answer.json.documentIds[0]])
})

for (const async of [false, true]) {
  test(`an externalId replaces its document with deduplicate as well, ${async ? 'by a job' : 'within a request'}`, async () => {
    verifies('documents.options.deduplicate', 'documents.json.external-id')
    const memoryId = await makeMemory(service)
    const add = async (...documents: { text: string; externalId?: string; tags?: string[] }[]) => {
      const titled = documents.map((document) => ({ title: 'Note', ...document }))
      const body = { documents: titled, options: { deduplicate: true, async } }
      const { json } = await service.post<Added & Pick<Accepted, 'jobId'>>(`/v1/memories/${memoryId}/documents`, body)
      const result = async ? (await endOfJob(service, json.jobId)).result : json
      return result?.documentsAdded
    }
    const list = async () => {
      const { documents } = await listDocuments(service, memoryId)
      return documents.map(({ externalId, tags }) => [externalId, tags])
    }
    const bees = 'The bees of the monastery make a dark honey in the autumn.'
    assert.deepEqual(await add({ text: 'An old note on wasps.', externalId: 'X' }, { text: bees }), 2)
    assert.deepEqual(await add({ text: bees, externalId: 'X' }), 1)
    const { hits } = await find(service, memoryId, 'wasps', { options: { mode: 'lexical' } })
    assert.deepEqual(hits, [])
    assert.deepEqual(await add({ text: bees, externalId: 'X', tags: ['new'] }), 1)
    assert.deepEqual((await list()).toSorted(), [
      [null, []],
      ['X', ['new']],
    ])
    const moved = [{ text: 'A new note on hornets.', externalId: 'X' }, { text: bees }]
    assert.deepEqual(await add(...moved), 1)
  })
}

test('a text whose only like is being replaced is added with deduplicate', async () => {
  verifies('documents.options.deduplicate')
  const memoryId = await makeMemory(service)
  const text = 'The ferry to the island leaves at nine in the morning.'
  const add = (documents: object[]) =>
    service.post<Added>(`/v1/memories/${memoryId}/documents`, { documents, options: { deduplicate: true } })
  await add([{ title: 'Ferry', text, externalId: 'ferry' }])
  const { json } = await add([
    { title: 'Ferry', text: 'The ferry has been given up.', externalId: 'ferry' },
    { title: 'Old', text },
  ])
  assert.deepEqual([json.documentsAdded, json.documentsSkipped], [2, 0])
})

test('an embedding model that is not available takes the default one with a warning, and is never reported', async () => {
  verifies(
    'documents.options.embedding-model',
    'settings.model.unavailable',
    'settings.model.pins',
    'memories.embedding-model',
  )
  verifies('settings.model.pinned-unavailable', 'settings.embedder-embedded')
  const memoryId = await makeMemory(service)
  const add = (embeddingModel?: string) =>
    service.post<Added>(`/v1/memories/${memoryId}/documents`, {
      documents: [{ title: 'x', text: 'Pinned words.' }],
      options: embeddingModel === undefined ? {} : { embeddingModel },
    })
  for (const name of ['text-embedding-3-small', 'no-such-model']) {
    const answer = await add(name)
    assertStatus(answer, 200)
    const [warning] = answer.json.warnings
    assert.deepEqual([warning?.code, warning?.param], ['embedding_model_unavailable', 'options.embeddingModel'])
  }
  const { embeddingModel } = await readMemory(service, memoryId)
  assert.ok(embeddingModel !== null && !['text-embedding-3-small', 'no-such-model'].includes(embeddingModel))
  assert.deepEqual((await add()).json.warnings, [])
  const named = await add(embeddingModel)
  assertStatus(named, 200)
  assert.deepEqual(named.json.warnings, [])
})

test('the options of recognition are checked already', async () => {
  verifies('documents.options.enable-ocr', 'documents.options.ocr-max-pages', 'limits.ocr-max-pages')
  const memoryId = await makeMemory(service)
  const add = (options: Record<string, unknown>) =>
    service.post(`/v1/memories/${memoryId}/documents`, { documents: [{ title: 'x', text: 'Words.' }], options })
  for (const value of [0, 201, '50', 1.5]) {
    assertError(await add({ ocrMaxPages: value }), 400, 'validation_failed', 'options.ocrMaxPages')
  }
  assertError(await add({ enableOcr: 'no' }), 400, 'validation_failed', 'options.enableOcr')
  for (const options of [{ ocrMaxPages: 1 }, { ocrMaxPages: 200, enableOcr: false }])
    assertStatus(await add(options), 200)
})
