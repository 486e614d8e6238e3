import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import test from 'node:test'
import { type Answer, assertError, assertStatus } from './answer.ts'
import { MULTIPART_TYPE, multipart, type Part } from './multipart.ts'
import { prose } from './prose.ts'
import { useSharedService } from './service.ts'
import type { Accepted, Added, DocumentWithPages } from './shapes.ts'
import { endOfJob, find, listDocuments, makeMemory, readDocument, readText, upload, uploadReady } from './steps.ts'
import { verifies } from './verifies.ts'

const MB = 1024 * 1024
const service = useSharedService()

function send<Body = Added>(memoryId: string, parts: readonly Part[], end = true): Promise<Answer<Body>> {
  const body = multipart(parts, end)
  return service.call<Body>('POST', `/v1/memories/${memoryId}/documents`, { headers: MULTIPART_TYPE, body })
}

test('an uploaded file is answered when it is ready to search', async () => {
  verifies('documents.add.multipart', 'documents.add.200', 'documents.ways', 'documents.source-type')
  const memoryId = await makeMemory(service)
  const content = '# Escalation\n\nP1 incidents are acknowledged within 10 minutes.\n'
  const id = await uploadReady(service, memoryId, { content, filename: 'handbook.md', type: 'text/markdown' })
  const [hit] = (await find(service, memoryId, 'how fast do we acknowledge a P1?')).hits
  assert.equal(hit?.documentId, id)
  const document = await readDocument(service, memoryId, id)
  assert.deepEqual(
    [document.sourceType, document.filename, document.mimeType, document.sizeBytes, document.hasSource],
    ['file', 'handbook.md', 'text/markdown', Buffer.byteLength(content), false],
  )
})

test('options count before and after the file', async () => {
  verifies('documents.add.multipart', 'documents.options.store-source', 'documents.has-source')
  const memoryId = await makeMemory(service)
  const file = { name: 'file', filename: 'a.txt', content: 'Some words.' }
  const options = { name: 'options', content: '{"storeSource":true}' }
  const typed = { ...options, filename: 'options.json', type: 'application/json' }
  for (const parts of [
    [options, file],
    [file, options],
  ]) {
    const answer = await send(memoryId, parts)
    assertStatus(answer, 200)
    assert.equal((await readDocument(service, memoryId, answer.json.documentIds[0] ?? '')).hasSource, true)
  }
  const asBlob = await send(memoryId, [file, typed])
  assert.ok([200, 400].includes(asBlob.status), 'options sent as a file are taken or refused, never ignored')
  if (asBlob.status === 200) {
    assert.equal((await readDocument(service, memoryId, asBlob.json.documentIds[0] ?? '')).hasSource, true)
  }
})

test('no file, two files, broken options and a broken body are 400 and keep nothing', async () => {
  verifies('documents.add.multipart', 'errors.400.validation_failed')
  const memoryId = await makeMemory(service)
  const file = { name: 'file', filename: 'a.txt', content: 'Some words.' }
  assertError(await send(memoryId, []), 400, 'validation_failed', 'file')
  assertError(await send(memoryId, [{ name: 'options', content: '{}' }]), 400, 'validation_failed', 'file')
  assertError(await send(memoryId, [file, file]), 400, 'validation_failed', 'file')
  assertError(
    await send(memoryId, [file, { name: 'options', content: '{"async":' }]),
    400,
    'validation_failed',
    'options',
  )
  assertError(await send(memoryId, [{ name: 'options', content: '[]' }, file]), 400, 'validation_failed', 'options')
  const wrong = { name: 'options', content: '{"storeSource":"yes"}' }
  assertError(await send(memoryId, [file, wrong]), 400, 'validation_failed', 'options.storeSource')
  const cut = await send(memoryId, [file], false)
  assert.equal(cut.status, 400, cut.text)
  assert.equal((await listDocuments(service, memoryId)).total, 0)
})

test('an unknown form part and an unknown option are ignored and named', async () => {
  verifies('rules.unknown.warned')
  const memoryId = await makeMemory(service)
  const parts = [
    { name: 'file', filename: 'a.txt', content: 'Some words.' },
    { name: 'options', content: '{"storeSauce":true}' },
    { name: 'colour', content: 'blue' },
  ]
  const answer = await send(memoryId, parts)
  assertStatus(answer, 200)
  const named = answer.json.warnings.map(({ param }) => param)
  assert.ok(named.includes('options.storeSauce') && named.includes('colour'), answer.text)
})

test('a file name is only data', async () => {
  verifies('documents.fields')
  const memoryId = await makeMemory(service)
  const names = [
    '../../../../tmp/escape.txt',
    '..\\\\..\\\\escape.txt',
    'Größe 😀.txt',
    '.hidden',
    `${'x'.repeat(400)}.txt`,
    '',
  ]
  for (const filename of names) {
    const answer = await send(memoryId, [{ name: 'file', filename, content: 'Some words here.' }])
    assert.ok([200, 400].includes(answer.status), `${filename}: ${answer.text}`)
    if (answer.status !== 200) continue
    const document = await readDocument(service, memoryId, answer.json.documentIds[0] ?? '')
    assert.ok(!/[/\\]/.test(document.filename ?? ''), document.filename ?? '')
    assert.ok((document.filename ?? '').length <= 255)
  }
  const kept = await readdir(service.dataDirectory, { recursive: true })
  assert.ok(!kept.some((name) => name.includes('escape')))
})

test('a file of 2 MB is processed synchronously, one byte more goes to the worker', async () => {
  verifies('documents.async.large-file', 'limits.async-file', 'documents.accepted.reason', 'documents.sync-and-async')
  const memoryId = await makeMemory(service)
  const text = prose(2 * MB + 1)
  const small = await upload(service, memoryId, { content: text.slice(0, 2 * MB), filename: 'small.txt' })
  assertStatus(small, 200)
  const large = await upload<Accepted>(service, memoryId, { content: text, filename: 'large.txt' })
  assertStatus(large, 202)
  assert.deepEqual([large.json.reason, large.json.status], ['file_over_sync_threshold', 'pending'])
  const job = await endOfJob(service, large.json.jobId)
  assert.equal(job.status, 'completed', JSON.stringify(job))
  assert.equal(job.result?.totalBytes, 2 * MB + 1)
  const [id] = large.json.documentIds
  const document: DocumentWithPages = await readDocument(service, memoryId, id ?? '')
  assert.deepEqual([document.status, document.characterCount], ['ready', text.length])
  assert.equal(await readText(service, memoryId, id ?? ''), text)
})

test('a small file goes to the worker on request', async () => {
  verifies('documents.options.async', 'documents.async.requested')
  const memoryId = await makeMemory(service)
  const options = { async: true, storeSource: true }
  const answer = await upload<Accepted>(service, memoryId, { content: 'Later words.', filename: 'later.txt', options })
  assertStatus(answer, 202)
  assert.equal(answer.json.reason, 'async_requested')
  assert.equal((await endOfJob(service, answer.json.jobId)).status, 'completed')
  const [id = ''] = answer.json.documentIds
  assert.equal((await service.get(`/v1/memories/${memoryId}/documents/${id}/source`)).text, 'Later words.')
})

test('an upload that breaks off keeps nothing', async () => {
  verifies('rules.retry.no-5xx-after-commit')
  const memoryId = await makeMemory(service)
  const { port } = new URL(service.url)
  await new Promise<void>((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      const headers = `Authorization: Bearer ${service.bootstrapKey}\r\nContent-Type: ${MULTIPART_TYPE['content-type']}`
      const body = multipart([{ name: 'file', filename: 'a.txt', content: 'half a file' }], false)
      socket.write(
        `POST /v1/memories/${memoryId}/documents HTTP/1.1\r\nHost: x\r\n${headers}\r\nContent-Length: 90000\r\n\r\n`,
      )
      socket.write(body)
      setTimeout(() => socket.destroy(), 100)
    })
    socket.on('close', () => resolve()).on('error', reject)
  })
  await new Promise((resolve) => setTimeout(resolve, 200))
  assert.equal((await listDocuments(service, memoryId)).total, 0)
  assert.deepEqual((await find(service, memoryId, 'half a file')).hits, [])
})
