import assert from 'node:assert/strict'
import test from 'node:test'
import { assertError, assertStatus } from './answer.ts'
import { useSharedService } from './service.ts'
import type { Accepted, Added } from './shapes.ts'
import {
  addText,
  addTexts,
  assertFields,
  endOfJob,
  find,
  listDocuments,
  makeMemory,
  readDocument,
  readMemory,
  readText,
} from './steps.ts'
import { verifies } from './verifies.ts'

const service = useSharedService()

test('JSON documents are answered when they are ready to search, with every field of the answer', async () => {
  verifies('documents.add.json', 'documents.add.200', 'documents.added.fields', 'documents.added.entries')
  verifies('documents.ways', 'documents.sync-and-async')
  const memoryId = await makeMemory(service)
  const documents = [
    { title: 'Herons', text: 'The grey heron fishes at dawn.', tags: ['birds'] },
    { title: 'Pikes', text: 'The pike waits in the reeds. Größe: 1 m.' },
  ]
  const added = await addTexts(service, memoryId, documents)
  assertStatus(added, 200)
  const { processingMs, documentIds, documents: entries, ...rest } = added.json
  assert.ok(processingMs >= 0)
  const totalBytes = documents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  const counts = { documentsAdded: 2, documentsSkipped: 0, chunksCreated: 2, totalBytes }
  assert.deepEqual(rest, { status: 'completed', ...counts, warnings: [] })
  assert.deepEqual(
    entries.map(({ id }) => id),
    documentIds,
  )
  for (const [index, entry] of entries.entries()) {
    assert.deepEqual(entry, {
      ...entry,
      title: documents[index]?.title,
      status: 'ready',
      chunkCount: 1,
      duplicateOf: null,
    })
  }
  const found = await find(service, memoryId, 'heron at dawn')
  assert.equal(found.hits[0]?.documentId, documentIds[0])
})

test('a JSON document is kept with its title, text, tags and metadata', async () => {
  verifies('documents.tags-metadata', 'documents.json.metadata', 'documents.source-type', 'documents.text')
  const memoryId = await makeMemory(service)
  const text = 'Zeile eins\r\nZeile zwei – mit 😀 und "Zitat".\n'
  const metadata = { author: 'Ada', pages: 3, final: true, note: null }
  const id = await addText(service, memoryId, text, { title: 'Notiz', tags: ['a', 'b c'], metadata })
  const document = await readDocument(service, memoryId, id)
  assert.deepEqual(
    [document.title, document.sourceType, document.tags, document.metadata, document.filename, document.url],
    ['Notiz', 'text', ['a', 'b c'], metadata, null, null],
  )
  assert.equal(document.sizeBytes, Buffer.byteLength(text))
  assert.equal(document.characterCount, text.length)
  assert.equal(await readText(service, memoryId, id), text)
})

test('adding an externalId again replaces the document', async () => {
  verifies('documents.json.external-id', 'rules.retry.no-5xx-after-commit')
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, 'An unrelated pelican stays.', { externalId: 'other' })
  const first = await addText(service, memoryId, 'The old wording mentions walruses.', { externalId: 'handbook-7' })
  const second = await addText(service, memoryId, 'The new wording mentions penguins.', { externalId: 'handbook-7' })
  assert.notEqual(second, first)
  assertError(await service.get(`/v1/memories/${memoryId}/documents/${first}`), 404, 'document_not_found')
  const list = await listDocuments(service, memoryId)
  assert.deepEqual([list.total, (await readMemory(service, memoryId)).documentCount], [2, 2])
  const texts = (await find(service, memoryId, 'walruses penguins wording')).hits.map(({ text }) => text)
  assert.ok(texts.some((text) => text.includes('penguins')) && !texts.some((text) => text.includes('walruses')))
})

test('an externalId belongs to its memory', async () => {
  verifies('documents.json.external-id')
  const [one, two] = [await makeMemory(service), await makeMemory(service)]
  const first = await addText(service, one, 'In the first memory.', { externalId: 'same' })
  await addText(service, two, 'In the second memory.', { externalId: 'same' })
  assert.equal((await readDocument(service, one, first)).status, 'ready')
})

test('one bad entry refuses the whole batch, is named, and nothing is stored', async () => {
  verifies('documents.json.all-or-nothing')
  const memoryId = await makeMemory(service)
  const good = { title: 'Good', text: 'A good flamingo.' }
  const bad: unknown[] = [
    { title: 'No text' },
    { title: 'Empty', text: '' },
    { title: 7, text: 'x' },
    { title: 'x', text: ['x'] },
    { title: 'x', text: 'x', tags: 'birds' },
    { title: 'x', text: 'x', tags: [7] },
    { title: 'x', text: 'x', metadata: { deep: { er: 1 } } },
    { title: 'x', text: 'x', metadata: ['x'] },
    { title: 'x', text: 'x', metadata: { ['k'.repeat(201)]: 'x' } },
    { title: 'x', text: 'x', externalId: 7 },
    'just text',
    null,
  ]
  for (const entry of bad) {
    const answer = await service.post(`/v1/memories/${memoryId}/documents`, { documents: [good, good, entry] })
    assertError(answer, 400, 'validation_failed')
    assert.match(answer.json.error.param ?? '', /^documents\W?2/, answer.text)
  }
  assert.equal((await listDocuments(service, memoryId)).total, 0)
  assert.deepEqual((await find(service, memoryId, 'flamingo')).hits, [])
  const memory = await readMemory(service, memoryId)
  assert.deepEqual([memory.documentCount, memory.chunkCount, memory.sizeBytes], [0, 0, 0])
})

test('a body without documents, with an empty list, or with two forms is 400', async () => {
  verifies('documents.add.json', 'rules.body.empty-then-validation')
  const path = `/v1/memories/${await makeMemory(service)}/documents`
  assertError(await service.post(path, {}), 400, 'validation_failed')
  assertError(await service.post(path, { documents: [] }), 400, 'validation_failed', 'documents')
  const both = { documents: [{ title: 'x', text: 'x' }], url: 'https://example.com/' }
  assertError(await service.post(path, both), 400, 'validation_failed')
  assertError(
    await service.post(path, { documents: [{ title: 'x', text: 'x' }], options: [] }),
    400,
    'validation_failed',
  )
})

test('an invisible text, title or tag counts as empty', async () => {
  verifies('documents.add.json')
  const path = `/v1/memories/${await makeMemory(service)}/documents`
  for (const nothing of ['', ' \n', '\u0000', '\u200b', '\u2060\u200d \ufeff']) {
    const wrong = {
      text: { text: nothing },
      title: { text: 'x', title: nothing },
      'tags[0]': { text: 'x', tags: [nothing] },
    }
    for (const [field, document] of Object.entries(wrong)) {
      assertError(
        await service.post(path, { documents: [document] }),
        400,
        'validation_failed',
        `documents[0].${field}`,
      )
    }
  }
  assertStatus(await service.post(path, { documents: [{ title: '\u200ba', text: '\u200b👍\ufe0f' }] }), 200)
})

test('options apply to the batch, and async sends it to the worker', async () => {
  verifies('documents.options.async', 'documents.async.requested', 'documents.accepted.reason')
  const memoryId = await makeMemory(service)
  const documents = [
    { title: 'A', text: 'Alpine newts hibernate.' },
    { title: 'B', text: 'Barn owls screech.', tags: ['birds'] },
  ]
  const answer = await service.post<Accepted>(`/v1/memories/${memoryId}/documents`, {
    documents,
    options: { async: true },
  })
  assertStatus(answer, 202)
  assert.equal(answer.json.reason, 'async_requested')
  assert.equal(answer.json.documentIds.length, 2)
  const job = await endOfJob(service, answer.json.jobId)
  assert.deepEqual([job.status, job.result?.documentsAdded], ['completed', 2])
  assert.deepEqual(job.result?.documentIds, answer.json.documentIds)
  assert.equal((await find(service, memoryId, 'barn owls')).hits[0]?.title, 'B')
  const now = await service.post<Added>(`/v1/memories/${memoryId}/documents`, { documents, options: { async: false } })
  assertStatus(now, 200)
})

test('a 202 has all fields, a Location and readable documents', async () => {
  verifies('documents.add.202', 'documents.accepted.fields', 'documents.accepted.headers', 'errors.api.async-is-normal')
  verifies('documents.accepted.poll-url', 'documents.accepted.readable', 'jobs.state.created')
  const memoryId = await makeMemory(service)
  const body = { documents: [{ title: 'Soon', text: 'Soon to be read.' }], options: { async: true } }
  const answer = await service.post<Accepted>(`/v1/memories/${memoryId}/documents`, body)
  assertStatus(answer, 202)
  const { jobId, pollUrl, status, documentIds, job } = answer.json
  assertFields(answer.json, 'jobId', 'pollUrl', 'status', 'reason', 'documentIds', 'job')
  assert.deepEqual([pollUrl, status, job.id, job.status], [`/v1/jobs/${jobId}`, 'pending', jobId, 'pending'])
  assert.equal(answer.headers.get('location'), pollUrl)
  assert.equal(answer.headers.get('retry-after'), '5')
  assertStatus(await service.get(pollUrl), 200)
  const document = await readDocument(service, memoryId, documentIds[0] ?? '')
  assert.ok(['pending', 'processing', 'ready'].includes(document.status), document.status)
  assert.deepEqual([document.title, document.jobId], ['Soon', jobId])
  await endOfJob(service, jobId)
  assert.equal((await readDocument(service, memoryId, documentIds[0] ?? '')).status, 'ready')
})

test('a batch of 300 documents is added in one request', async () => {
  verifies('documents.added.fields')
  const memoryId = await makeMemory(service)
  const documents = Array.from({ length: 300 }, (_, index) => ({
    title: `T${index}`,
    text: `Entry ${index} of the log book.`,
  }))
  const added = await addTexts(service, memoryId, documents)
  assertStatus(added, 200)
  assert.deepEqual([added.json.documentsAdded, new Set(added.json.documentIds).size], [300, 300])
  assert.equal((await listDocuments(service, memoryId)).total, 300)
  assert.equal((await find(service, memoryId, 'entry 217')).hits[0]?.text, 'Entry 217 of the log book.')
})

test('twenty concurrent requests are all stored and found', async () => {
  verifies('documents.add.200')
  const memoryId = await makeMemory(service)
  const adds = Array.from({ length: 20 }, (_, index) =>
    addText(service, memoryId, `Word number wq${index}zx stands here.`),
  )
  const ids = await Promise.all(adds)
  assert.equal(new Set(ids).size, 20)
  for (const [index, id] of ids.entries()) {
    assert.equal(
      (await find(service, memoryId, `wq${index}zx`, { options: { mode: 'lexical' } })).hits[0]?.documentId,
      id,
    )
  }
})
