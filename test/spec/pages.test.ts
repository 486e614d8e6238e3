import assert from 'node:assert/strict'
import test from 'node:test'
import { makeScannedPdf, type PageToScan } from '../support/sample-pictures.ts'
import { assertError, assertStatus } from './answer.ts'
import { useSharedService } from './service.ts'
import type { Accepted } from './shapes.ts'
import { addInBackground, addText, endOfJob, makeKey, makeMemory, upload, uploadReady } from './steps.ts'
import { verifies } from './verifies.ts'

type Pages = {
  pages: number
  text: number
  ocr: number
  empty: number
  failed: number
  documents: { documentId: string; title: string; failed: number }[]
}

const service = useSharedService()

async function readPages(memoryId: string, key = service.bootstrapKey): Promise<Pages> {
  const answer = await service.get<Pages>(`/v1/memories/${memoryId}/pages`, { key })
  assertStatus(answer, 200)
  return answer.json
}

/** Adds a PDF with fewer pages allowed for recognition than scans, so the rest fails. */
async function addScans(memoryId: string, filename: string, scans: number, ocrMaxPages: number): Promise<string> {
  const pages: PageToScan[] = Array.from({ length: scans }, (_, index) => ({ scan: `The crane of quay ${index + 1}` }))
  const options = { ocrMaxPages, async: true }
  const file = { content: await makeScannedPdf(pages), filename, options }
  const { json } = await upload<Accepted>(service, memoryId, file)
  assert.equal((await endOfJob(service, json.jobId)).status, 'partial')
  return json.documentIds[0] ?? ''
}

test('the pages of all documents are counted by state, without corrections', async () => {
  verifies('beyond.pages')
  const memoryId = await makeMemory(service)
  assert.deepEqual(await readPages(memoryId), { pages: 0, text: 0, ocr: 0, empty: 0, failed: 0, documents: [] })
  await addText(service, memoryId, 'A note has no pages.')
  assertStatus(await service.post(`/v1/memories/${memoryId}/correct`, { statement: 'The lamp is lit at nine.' }), 201)
  const pages = [{ text: 'Printed words about oars.' }, { scan: 'Words in a picture about anchors.' }, { scan: '' }]
  await uploadReady(service, memoryId, { content: await makeScannedPdf(pages), filename: 'mixed.pdf' })
  assert.deepEqual(await readPages(memoryId), { pages: 4, text: 2, ocr: 1, empty: 1, failed: 0, documents: [] })
  const { json } = await addInBackground(service, memoryId, 'A note that a job reads.')
  await endOfJob(service, json.jobId)
  assert.equal((await readPages(memoryId)).text, 3)
})

test('the documents with most failed pages are named, the worst first', async () => {
  verifies('beyond.pages.failed')
  const memoryId = await makeMemory(service)
  const one = await addScans(memoryId, 'one.pdf', 2, 1)
  const two = await addScans(memoryId, 'two.pdf', 3, 1)
  assert.deepEqual(await readPages(memoryId), {
    ...{ pages: 5, text: 0, ocr: 2, empty: 0, failed: 3 },
    documents: [
      { documentId: two, title: 'two', failed: 2 },
      { documentId: one, title: 'one', failed: 1 },
    ],
  })
})

test('pages are counted for the key of the memory or organization, and 404 for another memory', async () => {
  verifies('beyond.pages.access')
  const memoryId = await makeMemory(service)
  assert.equal((await readPages(memoryId, (await makeKey(service, memoryId)).key)).pages, 0)
  const { key } = await makeKey(service, await makeMemory(service))
  assertError(await service.get(`/v1/memories/${memoryId}/pages`, { key }), 404, 'memory_not_found')
  assertError(await service.get('/v1/memories/mem_no/pages'), 404, 'memory_not_found')
})
