import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { buildZip } from '../support/build-zip.ts'
import { type Answer, assertError, assertStatus } from './answer.ts'
import { useService } from './service.ts'
import type { Accepted } from './shapes.ts'
import { endOfJob, find, listDocuments, makeMemory, readDocument, readText } from './steps.ts'
import { verifies } from './verifies.ts'
import { openWebServer, type Page } from './web-server.ts'

const TEXT = { 'content-type': 'text/plain; charset=utf-8' }
const closed = await openWebServer({ '/secret.txt': { headers: TEXT, body: 'A secret of the house.' } })
/** A body that does not end before the test says so. */
const slow = Promise.withResolvers<string>()
const pages: Record<string, Page> = {
  '/notes.txt': { headers: TEXT, body: 'The harbour master counts the boats at dusk.' },
  '/slow': { headers: TEXT, body: slow.promise },
  '/inside': { status: 302, headers: { location: `${closed.url}/secret.txt` } },
  '/round': { status: 302, headers: { location: '/round' } },
  '/broken': { status: 500, body: 'no' },
  '/picture': {
    headers: { 'content-type': 'image/png' },
    body: Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
  },
  '/large': { headers: { ...TEXT, 'content-length': String(101 * 1024 * 1024) }, body: 'x' },
  '/archive': { headers: { 'content-type': 'application/zip' }, body: buildZip({ 'a.txt': 'The first.' }) },
}
const open = await openWebServer(pages)
const service = useService({ RECOLLECT_URL_ALLOW_PRIVATE: open.host })
after(() => {
  open.close()
  closed.close()
})

function addLater(memoryId: string, path: string, more: object = {}): Promise<Answer<Accepted>> {
  const url = path.startsWith('/') ? open.url + path : path
  return service.post<Accepted>(`/v1/memories/${memoryId}/documents`, { url, options: { async: true }, ...more })
}

/** The job that adds the path, at its end. */
async function endOfAdd(memoryId: string, path: string, more: object = {}) {
  const answer = await addLater(memoryId, path, more)
  assertStatus(answer, 202)
  assert.equal(answer.json.reason, 'async_requested')
  return { id: answer.json.documentIds[0] ?? '', job: await endOfJob(service, answer.json.jobId) }
}

test('a URL with async answers before the download, and the job downloads it', async () => {
  verifies('url-jobs.answer')
  const memoryId = await makeMemory(service)
  const answer = await addLater(memoryId, '/slow')
  assertStatus(answer, 202)
  const id = answer.json.documentIds[0] ?? ''
  const waiting = await readDocument(service, memoryId, id)
  assert.deepEqual([waiting.status, waiting.url, waiting.title], ['pending', `${open.url}/slow`, '127.0.0.1'])
  slow.resolve('The ferry leaves when the bell has rung.')
  assert.equal((await endOfJob(service, answer.json.jobId)).status, 'completed')
  assert.equal(await readText(service, memoryId, id), 'The ferry leaves when the bell has rung.')
})

test('the document of the job has name, type, size and fields', async () => {
  verifies('url-jobs.document')
  const memoryId = await makeMemory(service)
  const options = { async: true, storeSource: true }
  const { id, job } = await endOfAdd(memoryId, '/notes.txt', { tags: ['sea'], options })
  assert.deepEqual([job.status, job.result?.documentIds, job.result?.totalBytes], ['completed', [id], 44])
  const record = await readDocument(service, memoryId, id)
  assert.deepEqual([record.filename, record.mimeType, record.sourceType], ['notes.txt', 'text/plain', 'url'])
  assert.deepEqual([record.title, record.tags, record.sizeBytes], ['notes', ['sea'], 44])
  const source = await service.get(`/v1/memories/${memoryId}/documents/${id}/source`)
  assert.equal(source.bytes.toString(), pages['/notes.txt']?.body)
  assert.equal((await find(service, memoryId, 'harbour master')).hits[0]?.url, `${open.url}/notes.txt`)
})

test('what fails in the job fails it with the code of the request', async () => {
  verifies('url-jobs.failures')
  const memoryId = await makeMemory(service)
  for (const [path, code] of [
    ['/broken', 'url_fetch_failed'],
    ['/round', 'url_fetch_failed'],
    ['/inside', 'url_not_allowed'],
    ['/large', 'url_too_large'],
    ['/picture', 'unsupported_file_type'],
    ['/archive', 'unprocessable_document'],
  ] as const) {
    const { id, job } = await endOfAdd(memoryId, path)
    assert.deepEqual([path, job.status, job.errorCode], [path, 'failed', code])
    const { status, error } = await readDocument(service, memoryId, id)
    assert.equal(status, 'failed')
    assert.ok(error !== null && job.error?.endsWith(error), `${job.error} ends with ${error}`)
    if (path === '/archive') assert.match(job.error ?? '', /ZIP archive\. Add it without options\.async/)
  }
  assert.deepEqual(closed.requests, [])
})

test('what is wrong with the URL itself is refused in the request', async () => {
  verifies('url-jobs.refused')
  const memoryId = await makeMemory(service)
  for (const url of [`${closed.url}/secret.txt`, 'http://10.0.0.1/', 'file:///etc/passwd', 'http://u:p@example.org/'])
    assertError(await addLater(memoryId, url), 422, 'url_not_allowed')
  assertError(await addLater(memoryId, 'no url'), 400, 'validation_failed', 'url')
  assert.equal((await listDocuments(service, memoryId)).total, 0)
})

test('a retry downloads again', async () => {
  verifies('url-jobs.retry')
  const memoryId = await makeMemory(service)
  const { id, job } = await endOfAdd(memoryId, '/late.txt')
  assert.deepEqual([job.status, job.errorCode], ['failed', 'url_fetch_failed'])
  pages['/late.txt'] = { headers: TEXT, body: 'Here after all.' }
  assertStatus(await service.call('POST', `/v1/jobs/${job.id}/retry`), 200)
  assert.equal((await endOfJob(service, job.id)).status, 'completed')
  assert.equal(await readText(service, memoryId, id), 'Here after all.')
})

test('a file that could not be read is downloaded again by a retry', async () => {
  verifies('url-jobs.retry')
  const memoryId = await makeMemory(service)
  pages['/report'] = { headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.4 damaged' }
  const { id, job } = await endOfAdd(memoryId, '/report')
  assert.deepEqual([job.status, job.errorCode], ['failed', 'unprocessable_document'])
  pages['/report'] = { headers: TEXT, body: 'The report is a text now.' }
  assertStatus(await service.call('POST', `/v1/jobs/${job.id}/retry`), 200)
  assert.equal((await endOfJob(service, job.id)).status, 'completed')
  assert.equal((await readDocument(service, memoryId, id)).mimeType, 'text/plain')
  assert.equal(await readText(service, memoryId, id), 'The report is a text now.')
})

test('a download replaces the document with its externalId, and a failed one does not', async () => {
  verifies('url-jobs.replaces')
  const memoryId = await makeMemory(service)
  const first = await endOfAdd(memoryId, '/notes.txt', { externalId: 'notes' })
  const failed = await endOfAdd(memoryId, '/broken', { externalId: 'notes' })
  assert.equal(failed.job.status, 'failed')
  assert.equal((await readDocument(service, memoryId, first.id)).status, 'ready')
  pages['/newer.txt'] = { headers: TEXT, body: 'The boats are not counted any more.' }
  const second = await endOfAdd(memoryId, '/newer.txt', { externalId: 'notes' })
  assert.equal(second.job.status, 'completed')
  const { documents } = await listDocuments(service, memoryId)
  assert.deepEqual(
    documents.filter(({ status }) => status === 'ready').map(({ id }) => id),
    [second.id],
  )
})
