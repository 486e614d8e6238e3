import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { SAMPLE_DOCUMENTS } from '../support/sample-documents.ts'
import { type Answer, assertError, assertStatus } from './answer.ts'
import { useService } from './service.ts'
import type { Accepted, Added } from './shapes.ts'
import { endOfJob, find, listDocuments, makeMemory, readDocument, readText } from './steps.ts'
import { verifies } from './verifies.ts'
import { openWebServer, type Page } from './web-server.ts'

const MB = 1024 * 1024
const { DOCX, HTML, PDF } = SAMPLE_DOCUMENTS
assert.ok(DOCX && HTML && PDF)

const BLANK = Buffer.from(`${' '.repeat(1023)}\n`.repeat(1024))
function* megabytes(count: number): Generator<Uint8Array> {
  yield Buffer.from('A needle in the beginning.\n')
  for (let index = 0; index < count; index++) yield BLANK
}

/** Not on the allowlist: the service must not contact this server. */
const closed = await openWebServer({ '/secret.txt': { body: 'A secret of the house.' } })
const pages: Record<string, Page> = {
  '/page': { headers: { 'content-type': 'text/html; charset=utf-8' }, body: HTML.content },
  '/files/keepers': {
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="keepers.docx"',
    },
    body: DOCX.content,
  },
  '/lighthouse.pdf': { headers: { 'content-type': 'text/plain' }, body: PDF.content },
  '/latin': { headers: { 'content-type': 'text/plain; charset=iso-8859-1' }, body: Buffer.from('Wälder\n', 'latin1') },
  '/moved': { status: 302, headers: { location: '/latin' } },
  '/inside': { status: 301, headers: { location: `${closed.url}/secret.txt` } },
  '/file-scheme': { status: 302, headers: { location: 'file:///etc/passwd' } },
  '/round': { status: 302, headers: { location: '/round' } },
  '/broken': { status: 500, body: 'no' },
  '/picture': {
    headers: { 'content-type': 'image/png' },
    body: Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
  },
  '/large': { headers: { 'content-type': 'text/plain' }, body: megabytes(3) },
  '/endless': { headers: { 'content-type': 'text/plain' }, body: megabytes(1000) },
  '/announced': { headers: { 'content-type': 'text/plain', 'content-length': String(100 * MB + 1) }, body: 'x' },
}
for (const step of [1, 2, 3, 4, 5, 6]) {
  pages[`/step${step}`] = { status: 307, headers: { location: step === 1 ? '/latin' : `/step${step - 1}` } }
}
const open = await openWebServer(pages)
const service = useService({ RECOLLECT_URL_ALLOW_PRIVATE: open.host })
after(() => {
  open.close()
  closed.close()
})

function addUrl<Body = Added>(memoryId: string, url: unknown, options?: unknown): Promise<Answer<Body>> {
  return service.post<Body>(`/v1/memories/${memoryId}/documents`, { url, options })
}

/** Adds the path's content; returns the record and the text. */
async function addPath(path: string, options: Readonly<Record<string, unknown>> = {}) {
  const memoryId = await makeMemory(service)
  const answer = await addUrl(memoryId, open.url + path, options)
  assertStatus(answer, 200)
  const id = answer.json.documentIds[0] ?? ''
  const [record, text] = [await readDocument(service, memoryId, id), await readText(service, memoryId, id)]
  return { memoryId, id, record, text }
}

test('a page is downloaded and added, and its record names the URL', async () => {
  verifies('documents.ways.url', 'documents.add.url', 'documents.source-type.others', 'settings.url-allow-private')
  const { memoryId, record, text } = await addPath('/page')
  assert.deepEqual(
    [record.sourceType, record.url, record.mimeType, record.status],
    ['url', `${open.url}/page`, 'text/html', 'ready'],
  )
  assert.equal(record.title, 'The Varn light')
  assert.match(text, /Two white flashes every eleven seconds/)
  const [hit] = (await find(service, memoryId, 'How many white flashes?')).hits
  assert.equal(hit?.url, `${open.url}/page`)
})

test('name and type come from headers and content, not from claims', async () => {
  verifies('url.name-and-type', 'formats.by-content')
  const named = await addPath('/files/keepers')
  assert.deepEqual([named.record.filename, named.record.mimeType], ['keepers.docx', DOCX.mimeType])
  const pdf = await addPath('/lighthouse.pdf')
  assert.deepEqual([pdf.record.filename, pdf.record.mimeType], ['lighthouse.pdf', 'application/pdf'])
  assert.match((await addPath('/latin')).text, /Wälder/)
})

test('options apply, and a download can be stored and processed later', async () => {
  verifies('documents.add.url', 'formats.source', 'documents.async.requested')
  const { memoryId, id } = await addPath('/files/keepers', { storeSource: true })
  const source = await service.get(`/v1/memories/${memoryId}/documents/${id}/source`)
  assert.ok(source.bytes.equals(Buffer.from(DOCX.content)))
  const later = await addUrl<Accepted>(memoryId, `${open.url}/page`, { async: true })
  assertStatus(later, 202)
  assert.equal(later.json.reason, 'async_requested')
  assert.equal((await endOfJob(service, later.json.jobId)).status, 'completed')
  assertError(
    await addUrl(memoryId, `${open.url}/page`, { storeSource: 1 }),
    400,
    'validation_failed',
    'options.storeSource',
  )
})

test('a download larger than 2 MB goes to the worker', async () => {
  verifies('documents.add.url', 'documents.async.large-file')
  const memoryId = await makeMemory(service)
  const answer = await addUrl<Accepted>(memoryId, `${open.url}/large`)
  assertStatus(answer, 202)
  assert.equal(answer.json.reason, 'file_over_sync_threshold')
  assert.equal((await endOfJob(service, answer.json.jobId)).status, 'completed')
  assert.match((await find(service, memoryId, 'needle')).hits[0]?.text ?? '', /needle/)
})

test('more than 100 MB are 413, announced or not, and nothing is kept', async () => {
  verifies('limits.url-download', 'errors.413.url_too_large')
  const memoryId = await makeMemory(service)
  for (const path of ['/announced', '/endless']) {
    assertError(await addUrl(memoryId, open.url + path), 413, 'url_too_large')
  }
  assert.equal((await listDocuments(service, memoryId)).total, 0)
})

test('five redirects are followed, six are not, and none leads to where the service may not go', async () => {
  verifies('url.redirects', 'url.private', 'errors.422.url_fetch_failed', 'errors.422.url_not_allowed')
  assert.match((await addPath('/moved')).text, /Wälder/)
  assert.match((await addPath('/step5')).text, /Wälder/)
  const memoryId = await makeMemory(service)
  for (const path of ['/step6', '/round']) {
    assertError(await addUrl(memoryId, open.url + path), 422, 'url_fetch_failed')
  }
  for (const path of ['/inside', '/file-scheme']) {
    assertError(await addUrl(memoryId, open.url + path), 422, 'url_not_allowed')
  }
  assert.deepEqual(closed.requests, [])
})

test('private addresses are refused in any form and never contacted', async () => {
  verifies('url.private', 'errors.422.url_not_allowed', 'settings.url-allow-private')
  const memoryId = await makeMemory(service)
  const { port } = new URL(closed.url)
  const hosts = ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost']
  const others = ['10.0.0.1', '169.254.169.254', '192.168.1.1', '0.0.0.0', '[fd00::1]', '[64:ff9b::7f00:1]']
  for (const url of [
    ...hosts.map((host) => `http://${host}:${port}/secret.txt`),
    ...others.map((host) => `http://${host}/latest/meta-data`),
  ]) {
    const answer = await addUrl(memoryId, url)
    assertError(answer, 422, 'url_not_allowed')
  }
  assert.deepEqual(closed.requests, [])
  assert.equal((await listDocuments(service, memoryId)).total, 0)
})

test('other schemes, credentials and other ports are refused; what is no URL is 400', async () => {
  verifies('url.schemes', 'errors.422.url_not_allowed')
  const memoryId = await makeMemory(service)
  const refused = ['file:///etc/passwd', 'ftp://example.org/a', 'data:text/plain,words', 'gopher://example.org/']
  for (const url of [...refused, open.url.replace('//', '//user:secret@'), 'http://example.org:22/']) {
    const answer = await addUrl(memoryId, url)
    assertError(answer, 422, 'url_not_allowed')
    assert.doesNotMatch(answer.text, /secret/)
  }
  for (const url of ['', 'no url', 'http://', 7, ['http://example.org']]) {
    assertError(await addUrl(memoryId, url), 400, 'validation_failed', 'url')
  }
  const both = { url: `${open.url}/page`, documents: [{ title: 'a', text: 'b' }] }
  assertError(await service.post(`/v1/memories/${memoryId}/documents`, both), 400, 'validation_failed', 'url')
})

test('a failing server and an unreadable file are 4xx with the reason', async () => {
  verifies('errors.422.url_fetch_failed', 'rules.retry.permanent-is-4xx', 'errors.415.unsupported_file_type')
  const memoryId = await makeMemory(service)
  for (const path of ['/broken', '/nothing-here']) {
    const answer = await addUrl(memoryId, open.url + path)
    assertError(answer, 422, 'url_fetch_failed')
    assert.match(answer.text, /500|404/)
  }
  const picture = await addUrl(memoryId, `${open.url}/picture`)
  assertError(picture, 415, 'unsupported_file_type')
  assert.match(picture.text, /Send the image to POST \/v1\/memories\/:id\/ocr/)
  assert.equal((await listDocuments(service, memoryId)).total, 0)
})

test('nothing of the caller is forwarded, and no packed content is asked for', async () => {
  verifies('documents.add.url')
  await addPath('/page')
  for (const { headers } of open.requests) {
    assert.deepEqual([headers.authorization, headers.cookie, headers['x-api-key']], [undefined, undefined, undefined])
    assert.equal(headers['accept-encoding'], 'identity')
  }
})
