import assert from 'node:assert/strict'
import test from 'node:test'
import { makeScannedPdf, type PageToScan } from '../support/sample-pictures.ts'
import { assertError, assertStatus } from './answer.ts'
import { useSharedService } from './service.ts'
import type { Accepted, DocumentWithPages, Job } from './shapes.ts'
import { endOfJob, find, listDocuments, makeMemory, readDocument, readText, upload, uploadReady } from './steps.ts'
import { verifies } from './verifies.ts'

const service = useSharedService()

const HARBOURS = ['Anser', 'Brock', 'Corvin', 'Dunlin', 'Egret', 'Falcon']
const scans = (count: number): PageToScan[] =>
  HARBOURS.slice(0, count).map((name) => ({ scan: `The harbour of ${name} has a crane.` }))
const methodsOf = ({ pages }: DocumentWithPages) => pages.map(({ method }) => method)

/** Uploads a PDF that needs a job, and waits for the job. */
async function addByJob(
  memoryId: string,
  pages: readonly PageToScan[],
  options: Readonly<Record<string, unknown>> = {},
): Promise<{ accepted: Accepted; job: Job; id: string }> {
  const file = { content: await makeScannedPdf(pages), filename: 'harbours.pdf', options }
  const answer = await upload<Accepted>(service, memoryId, file)
  assertStatus(answer, 202)
  const [id = ''] = answer.json.documentIds
  return { accepted: answer.json, job: await endOfJob(service, answer.json.jobId), id }
}

test('pages of text and scans of one PDF are read in their order, and a blank scan is skipped', async () => {
  verifies('documents.types.scanned', 'documents.types.pdf', 'scans.mixed', 'scans.blank', 'documents.page-counts')
  verifies('documents.pages.methods', 'documents.options.ocr-works', 'documents.options.enable-ocr')
  const memoryId = await makeMemory(service)
  const pages = [{ text: 'Printed words about oars.' }, { scan: 'Words in a picture about anchors.' }, { scan: '' }]
  const id = await uploadReady(service, memoryId, { content: await makeScannedPdf(pages), filename: 'mixed.pdf' })
  const record = await readDocument(service, memoryId, id)
  assert.deepEqual([record.status, record.pageCount, record.ocrPages, record.error], ['ready', 3, 1, null])
  assert.deepEqual(methodsOf(record), ['text', 'ocr', 'empty'])
  const [printed, scanned, blank] = record.pages
  assert.ok(printed?.confidence === null && printed.characters > 20)
  assert.ok(scanned && (scanned.confidence ?? 0) > 0.7 && scanned.characters > 20)
  assert.deepEqual([blank?.characters, blank?.confidence], [0, null])
  assert.match(blank?.message ?? '', /blank/)

  const text = await readText(service, memoryId, id)
  assert.match(text, /Printed words about oars\.[\s\S]*Words in a picture about anchors\./)
  const [hit] = (await find(service, memoryId, 'Which words are about anchors?')).hits
  assert.equal(hit?.text, text.slice(hit?.startOffset, hit?.endOffset))
  assert.equal(hit?.pageEnd, 2)
})

test('a PDF of five scans is processed synchronously', async () => {
  verifies('documents.sync.scanned', 'limits.async-scanned')
  const memoryId = await makeMemory(service)
  const id = await uploadReady(service, memoryId, { content: await makeScannedPdf(scans(5)), filename: 'five.pdf' })
  const record = await readDocument(service, memoryId, id)
  assert.deepEqual([record.status, record.ocrPages, record.jobId], ['ready', 5, null])
})

test('a PDF of six scans goes to the worker, which stops at ocrMaxPages and says what is missing; a retry does the rest', async () => {
  verifies('documents.async.scanned', 'limits.async-scanned', 'documents.accepted.scanned-reason')
  verifies('jobs.partial-ocr-message', 'documents.options.ocr-works', 'scans.progress', 'scans.retry')
  const memoryId = await makeMemory(service)
  const { accepted, job, id } = await addByJob(memoryId, scans(6), { ocrMaxPages: 4 })
  assert.deepEqual([accepted.reason, accepted.status], ['scanned_pages', 'pending'])
  assert.deepEqual([job.status, job.isPartial, job.message], ['partial', true, 'recognised 4 of 6 pages: ocrMaxPages'])
  const record = await readDocument(service, memoryId, id)
  assert.deepEqual([record.status, record.pageCount, record.ocrPages], ['partial', 6, 4])
  assert.equal(record.error, 'recognised 4 of 6 pages: ocrMaxPages')
  assert.deepEqual(methodsOf(record), [...Array(4).fill('ocr'), 'failed', 'failed'])
  assert.equal(record.pages[5]?.message, 'Not recognised: ocrMaxPages is 4.')
  assert.match((await find(service, memoryId, 'crane of Corvin')).hits[0]?.text ?? '', /Corvin/)

  const events = service.get(`/v1/jobs/${accepted.jobId}/events`)
  assertStatus(await service.post(`/v1/jobs/${accepted.jobId}/retry`, undefined), 200)
  const retried = await endOfJob(service, accepted.jobId)
  assertStatus(await events, 200)
  assert.equal(retried.status, 'completed', JSON.stringify(retried))
  const whole = await readDocument(service, memoryId, id)
  assert.deepEqual([whole.status, whole.ocrPages, whole.error], ['ready', 6, null])
  assert.deepEqual(methodsOf(whole), Array(6).fill('ocr'))
  const text = await readText(service, memoryId, id)
  const places = HARBOURS.map((name) => text.indexOf(`harbour of ${name} `))
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  )
  assert.ok((places[0] ?? -1) >= 0, text)
  assert.equal((await listDocuments(service, memoryId)).total, 1)
})

test('the message of a job counts the pages while they are read', async () => {
  verifies('scans.progress', 'jobs.message')
  const memoryId = await makeMemory(service)
  const content = await makeScannedPdf(scans(6))
  const answer = await upload<Accepted>(service, memoryId, { content, filename: 'six.pdf' })
  assertStatus(answer, 202)
  const messages = new Set<string>()
  for (;;) {
    const { json } = await service.get<Job>(`/v1/jobs/${answer.json.jobId}`)
    messages.add(json.message)
    if (!['pending', 'processing'].includes(json.status)) break
  }
  // A quick machine is done before the second count is written.
  assert.ok(
    [...messages].some((message) => /\b[0-6] of 6 pages\b/.test(message)),
    [...messages].join('\n'),
  )
})

test('enableOcr false leaves scans out, and the report says so', async () => {
  verifies('documents.options.enable-ocr', 'documents.options.ocr-works', 'scans.off')
  const memoryId = await makeMemory(service)
  const content = await makeScannedPdf([{ text: 'Printed words about sails.' }, { scan: 'Never read.' }])
  const options = { enableOcr: false }
  const answer = await upload(service, memoryId, { content, filename: 'mixed.pdf', options })
  assertStatus(answer, 200)
  assert.match(answer.json.warnings[0]?.message ?? '', /1 page .* enableOcr is false/)
  const record = await readDocument(service, memoryId, answer.json.documentIds[0] ?? '')
  assert.deepEqual([record.status, record.ocrPages], ['ready', 0])
  assert.deepEqual(methodsOf(record), ['text', 'empty'])
  assert.match(record.pages[1]?.message ?? '', /scanned.*enableOcr is false/)
  assert.deepEqual(
    (await find(service, memoryId, 'Never read')).hits.filter(({ text }) => /Never/.test(text)),
    [],
  )
})

test('a PDF of scans alone without recognition is partial and says why, never silently ready', async () => {
  verifies('scans.off', 'scans.never-silent')
  const memoryId = await makeMemory(service)
  const content = await makeScannedPdf([{ scan: 'Never read.' }])
  const answer = await upload(service, memoryId, { content, filename: 'scan.pdf', options: { enableOcr: false } })
  assertStatus(answer, 200)
  assert.equal(answer.json.documents[0]?.status, 'partial')
  const record = await readDocument(service, memoryId, answer.json.documentIds[0] ?? '')
  assert.equal(record.status, 'partial')
  assert.match(record.error ?? '', /enableOcr/)
})

test('a PDF of blank scans is 422 with the state of its pages', async () => {
  verifies('scans.never-silent', 'scans.blank', 'errors.422.unprocessable_document')
  const memoryId = await makeMemory(service)
  const content = await makeScannedPdf([{ scan: '' }, { scan: '' }])
  const answer = await upload(service, memoryId, { content, filename: 'blank.pdf' })
  assertError(answer, 422, 'unprocessable_document')
  assert.match(answer.text, /no text.*blank/)
  assert.equal((await listDocuments(service, memoryId)).total, 0)
})

test('ocrMaxPages is a whole number from 1 to 200, and 400 names it otherwise', async () => {
  verifies('documents.options.ocr-max-pages', 'limits.ocr-max-pages', 'scans.limit-range')
  const memoryId = await makeMemory(service)
  for (const ocrMaxPages of [0, 201, -1, 1.5, '10', true]) {
    const answer = await upload(service, memoryId, { content: 'Words.', filename: 'a.txt', options: { ocrMaxPages } })
    assertError(answer, 400, 'validation_failed', 'options.ocrMaxPages')
  }
  for (const ocrMaxPages of [1, 200]) {
    await uploadReady(service, memoryId, { content: 'Words.', filename: 'a.txt', options: { ocrMaxPages } })
  }
  const wrong = await upload(service, memoryId, { content: 'Words.', filename: 'a.txt', options: { enableOcr: 'no' } })
  assertError(wrong, 400, 'validation_failed', 'options.enableOcr')
})
