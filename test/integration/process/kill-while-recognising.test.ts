import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { assertStatus } from '../../spec/answer.ts'
import { createService, type Service } from '../../spec/service.ts'
import type { Accepted } from '../../spec/shapes.ts'
import { endOfJob, find, makeMemory, readDocument, readMemory, readText, upload } from '../../spec/steps.ts'
import { makeScannedPdf } from '../../support/sample-pictures.ts'
import { isRunning, listFamily } from './processes.ts'

const ALLOWED_PAGES = 10
const SCANS = Array.from({ length: ALLOWED_PAGES + 1 }, (_, index) => ({ scan: `Ledger of ship number ${index + 1}.` }))
const PATIENCE_MS = 60_000

test('a service killed during recognition continues with the remaining pages', async (context) => {
  if (!existsSync('/proc/self/stat')) return context.skip('needs the /proc of Linux')
  const service = createService()
  await service.start()
  try {
    const memoryId = await makeMemory(service)
    // One page more than allowed: recognised pages of a complete document are not stored.
    const options = { ocrMaxPages: ALLOWED_PAGES }
    const file = { content: await makeScannedPdf(SCANS), filename: 'ledger.pdf', options }
    const { status, json, text } = await upload<Accepted>(service, memoryId, file)
    assert.equal(status, 202, text)
    const id = json.documentIds[0] ?? assert.fail(text)

    const kept = await untilSomeAreKept(service, `memories/${memoryId}/documents/${id}/recognized`)
    const family = listFamily(service.pid)
    await service.kill()
    assert.ok(kept.size < ALLOWED_PAGES, 'it was killed too late to show anything')
    await untilGone(family)

    await service.start()
    const job = await endOfJob(service, json.jobId)
    assert.deepEqual([job.status, job.message], ['partial', 'recognised 10 of 11 pages: ocrMaxPages'])
    const after = await listKept(service, `memories/${memoryId}/documents/${id}/recognized`)
    assert.equal(after.size, ALLOWED_PAGES)
    for (const [page, writtenMs] of kept) assert.equal(after.get(page), writtenMs, `page ${page} was recognised again`)

    assert.equal((await readDocument(service, memoryId, id)).ocrPages, ALLOWED_PAGES)
    const { documentCount, chunkCount } = await readMemory(service, memoryId)
    assert.deepEqual([documentCount, chunkCount], [1, (await readDocument(service, memoryId, id)).chunkCount])
    const [hit] = (await find(service, memoryId, 'ledger of ship number 7')).hits
    const extracted = await readText(service, memoryId, id)
    assert.equal(hit?.text, extracted.slice(hit?.startOffset, hit?.endOffset))

    assertStatus(await service.post(`/v1/jobs/${json.jobId}/retry`, {}), 200)
    assert.equal((await endOfJob(service, json.jobId)).status, 'completed')
    assert.equal((await readDocument(service, memoryId, id)).ocrPages, SCANS.length)
  } finally {
    await service.dispose()
  }
})

/** The stored pages with their write times. */
async function listKept(service: Service, prefix: string): Promise<Map<string, number>> {
  const folder = join(service.dataDirectory, 'objects', 'objects', prefix)
  if (!existsSync(folder)) return new Map()
  const pages = await readdir(folder)
  const written = await Promise.all(
    pages.map(async (page) => [page, (await stat(join(folder, page))).mtimeMs] as const),
  )
  return new Map(written)
}

async function untilSomeAreKept(service: Service, prefix: string): Promise<Map<string, number>> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const kept = await listKept(service, prefix)
    if (kept.size >= 2) return kept
    assert.ok(Date.now() < end, 'no page was kept')
    await pause(5)
  }
}

async function untilGone(family: readonly number[]): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (family.some(isRunning)) {
    assert.ok(Date.now() < end, `${family.filter(isRunning)} of ${family} still run`)
    await pause(20)
  }
}
