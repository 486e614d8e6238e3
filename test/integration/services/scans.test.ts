import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { AcceptedDocuments, AddedDocuments } from '../../../src/api/ingest.ts'
import { refusedAs } from './fixtures.ts'
import { openScanFixture, scans } from './scan-fixture.ts'

function requireAdded(answer: AddedDocuments | AcceptedDocuments): AddedDocuments {
  assert.equal(answer.status, 'completed', JSON.stringify(answer))
  return answer as AddedDocuments
}

function requireAccepted(answer: AddedDocuments | AcceptedDocuments): AcceptedDocuments {
  assert.equal(answer.status, 'pending', JSON.stringify(answer))
  return answer as AcceptedDocuments
}

const only = (ids: readonly string[]) => ids[0] ?? assert.fail('no document')

describe('a file with pages that are pictures', () => {
  test('is added within the request with 5 of them, each recognised once and in page order', async (t) => {
    const fixture = await openScanFixture(t)
    const added = requireAdded(await fixture.addScript([...scans(4), { text: 'A page of text.' }, ...scans(1)]))
    assert.deepEqual(
      added.documents.map(({ status }) => status),
      ['ready'],
    )
    const id = only(added.documentIds)
    const words = [1, 2, 3, 4].map((page) => `The words of scan ${page}.\n\n`)
    assert.equal(await fixture.readText(id), `${words.join('')}A page of text.\nThe words of scan 1.\n\n`)
    const { pages, ocrPages, pageCount } = await fixture.readDocument(id)
    assert.deepEqual({ ocrPages, pageCount }, { ocrPages: 5, pageCount: 6 })
    assert.deepEqual(
      pages.map(({ page, method, confidence }) => [page, method, confidence]),
      [1, 2, 3, 4, 5, 6].map((page) => (page === 5 ? [5, 'text', null] : [page, 'ocr', 0.9])),
    )
    assert.deepEqual(fixture.listRecognized(), [1, 2, 3, 4, 6])
    const [hit] = (await fixture.find('words of scan 3')).hits
    assert.equal(hit?.page, 1)
  })

  test('goes to a job when it has 6, also when nothing is to be recognised', async (t) => {
    const fixture = await openScanFixture(t)
    for (const enableOcr of [true, false]) {
      const accepted = requireAccepted(await fixture.addScript(scans(6), { enableOcr }))
      assert.equal(accepted.reason, 'scanned_pages')
    }
    assert.deepEqual(fixture.listRecognized(), [])
  })

  test('shows its pages in the messages of its job', async (t) => {
    const fixture = await openScanFixture(t)
    const { jobId, documentIds } = requireAccepted(await fixture.addScript(scans(6)))
    const messages: string[] = []
    fixture.startWorker()
    for await (const job of fixture.jobs.watch(fixture.caller, jobId, new AbortController().signal)) {
      messages.push(job.message)
    }
    assert.ok(
      messages.some((message) => /^read [1-6] of 6 pages, recognised [1-6]$/.test(message)),
      messages.join(),
    )
    const { status, ocrPages } = await fixture.readDocument(only(documentIds))
    assert.deepEqual({ status, ocrPages }, { status: 'ready', ocrPages: 6 })
    await fixture.parts.removals.sweep()
    assert.deepEqual(await fixture.listObjects(), [], 'neither the upload nor recognised pages are kept')
  })

  test('keeps its other text with enableOcr false, is ready, and says in reports and a warning what was left out', async (t) => {
    const fixture = await openScanFixture(t)
    const added = requireAdded(await fixture.addScript([{ text: 'Some text.' }, ...scans(1)], { enableOcr: false }))
    assert.deepEqual(
      added.warnings.map(({ code }) => code),
      ['pages_not_recognized'],
    )
    const { status, error, pages } = await fixture.readDocument(only(added.documentIds))
    assert.deepEqual({ status, error }, { status: 'ready', error: null })
    assert.deepEqual(
      pages.map(({ method, message }) => [method, message]),
      [
        ['text', null],
        ['empty', 'The page is scanned, and enableOcr is false.'],
      ],
    )
    assert.deepEqual(fixture.listRecognized(), [])
  })

  test('names pages skipped with enableOcr false at the end of its job', async (t) => {
    const fixture = await openScanFixture(t)
    const script = [{ text: 'Some text.' }, ...scans(6)]
    const { jobId } = requireAccepted(await fixture.addScript(script, { enableOcr: false }))
    fixture.startWorker()
    const { status, message, result } = await fixture.endOfJob(jobId)
    assert.deepEqual(
      { status, message },
      {
        status: 'completed',
        message: 'Added 1 of 1 document, 1 chunk; 6 scanned pages were left out: enableOcr is false.',
      },
    )
    assert.deepEqual(result?.warnings, [
      { code: 'pages_not_recognized', message: '6 pages were not recognised: enableOcr is false.', param: null },
    ])
  })

  test('is partial when it has nothing else and enableOcr is false', async (t) => {
    const fixture = await openScanFixture(t)
    const added = requireAdded(await fixture.addScript(scans(2), { enableOcr: false }))
    assert.equal(added.documents[0]?.status, 'partial')
    assert.match((await fixture.readDocument(only(added.documentIds))).error ?? '', /enableOcr is false/)
  })

  test('is refused when nothing is found on its pages, with the state of each', async (t) => {
    const fixture = await openScanFixture(t)
    const nothing = fixture.addScript([
      { scan: '', how: 'blank' },
      { scan: '', how: 'nonsense' },
    ])
    await assert.rejects(nothing, (error: Error) => {
      assert.equal(error.message, 'The document has no text. Page 1: The page is blank. Page 2: The page is nonsense.')
      return refusedAs('unprocessable_document')(error)
    })
    assert.equal((await fixture.memories.get(fixture.caller, fixture.memory.id)).documentCount, 0)
  })

  test('is recognised once with deduplication, and not stored when the memory has it', async (t) => {
    const fixture = await openScanFixture(t)
    const [first] = requireAdded(await fixture.addScript(scans(5))).documentIds
    fixture.listRecognized()
    fixture.startWorker()
    const { jobId, documentIds } = requireAccepted(
      await fixture.addScript(scans(5), { deduplicate: true, async: true }),
    )
    const job = await fixture.endOfJob(jobId)
    assert.equal(job.status, 'completed')
    assert.match(job.message, new RegExp(`already contains the document as ${first}`))
    assert.deepEqual(fixture.listRecognized(), [1, 2, 3, 4, 5])
    await fixture.parts.removals.sweep()
    await assert.rejects(fixture.readDocument(only(documentIds)), refusedAs('document_not_found'))
    assert.deepEqual([...(await fixture.parts.memoryFile.count(fixture.memory.id)).keys()], [first])
    assert.deepEqual(await fixture.listObjects(), [])
  })
})

describe('a file of which only a part was read', () => {
  test('is partial at ocrMaxPages, and a retry recognises the next pages until it is whole', async (t) => {
    const fixture = await openScanFixture(t)
    fixture.startWorker()
    const { jobId, documentIds } = requireAccepted(await fixture.addScript(scans(8), { ocrMaxPages: 3 }))
    const id = only(documentIds)
    const job = await fixture.endOfJob(jobId)
    const { status, isPartial, message } = job
    const limited = 'recognised 3 of 8 pages: ocrMaxPages'
    assert.deepEqual({ status, isPartial, message }, { status: 'partial', isPartial: true, message: limited })
    const partial = await fixture.readDocument(id)
    assert.deepEqual([partial.status, partial.error, partial.ocrPages], ['partial', limited, 3])
    assert.equal(partial.pages[3]?.message, 'Not recognised: ocrMaxPages is 3.')
    assert.deepEqual(fixture.listRecognized(), [1, 2, 3])

    await fixture.jobs.retry(fixture.caller, jobId)
    assert.equal((await fixture.endOfJob(jobId)).message, 'recognised 6 of 8 pages: ocrMaxPages')
    assert.deepEqual(fixture.listRecognized(), [4, 5, 6])
    await fixture.jobs.retry(fixture.caller, jobId)
    const whole = await fixture.endOfJob(jobId)
    assert.deepEqual([whole.status, whole.isPartial], ['completed', false])
    assert.deepEqual(fixture.listRecognized(), [7, 8])

    const { status: now, error, ocrPages, chunkCount } = await fixture.readDocument(id)
    assert.deepEqual({ now, error, ocrPages }, { now: 'ready', error: null, ocrPages: 8 })
    const memory = await fixture.memories.get(fixture.caller, fixture.memory.id)
    assert.deepEqual([memory.documentCount, memory.chunkCount], [1, chunkCount])
    assert.equal((await fixture.parts.memoryFile.count(fixture.memory.id)).get(id), chunkCount)
    assert.deepEqual(whole.result?.documentIds, [id])
    assert.deepEqual([whole.result?.documentsAdded, whole.result?.chunksCreated], [1, chunkCount])
    const [hit] = (await fixture.find('words of scan 8')).hits
    const text = await fixture.readText(id)
    assert.equal(hit?.text, text.slice(hit?.startOffset, hit?.endOffset))
    await fixture.parts.removals.sweep()
    assert.deepEqual(await fixture.listObjects(), [])
  })

  test('stays partial with its result when its retry is cancelled, and fails if deleted meanwhile', async (t) => {
    const fixture = await openScanFixture(t)
    const worker = fixture.startWorker()
    const { jobId, documentIds } = requireAccepted(await fixture.addScript(scans(3), { ocrMaxPages: 1, async: true }))
    const partial = await fixture.endOfJob(jobId)
    await worker.stop()
    await fixture.jobs.retry(fixture.caller, jobId)
    const cancelled = await fixture.jobs.cancel(fixture.caller, jobId)
    assert.deepEqual(
      [cancelled.status, cancelled.isPartial, cancelled.errorCode, cancelled.message],
      ['partial', true, 'cancelled', 'cancelled on request'],
    )
    assert.deepEqual(cancelled.result, partial.result)

    await fixture.jobs.retry(fixture.caller, jobId)
    await fixture.documents.delete(fixture.caller, fixture.memory.id, only(documentIds))
    fixture.startWorker()
    const { status, isPartial, result } = await fixture.endOfJob(jobId)
    assert.deepEqual([status, isPartial, result], ['failed', false, undefined])
  })

  test('is no duplicate of a file with equal recognised pages while pages are missing', async (t) => {
    const fixture = await openScanFixture(t)
    fixture.startWorker()
    const cover = { scan: 'The cover that all volumes have.' }
    const volume = (name: string) => [cover, { scan: `The words of ${name}.` }]
    const options = { deduplicate: true, ocrMaxPages: 1 }
    const first = requireAdded(await fixture.addScript(volume('volume one'), options))
    const second = requireAdded(await fixture.addScript(volume('volume two'), options))
    assert.deepEqual([first.documentsAdded, second.documentsAdded], [1, 1])
    const third = requireAccepted(await fixture.addScript(volume('volume three'), { ...options, async: true }))
    assert.equal((await fixture.endOfJob(third.jobId)).status, 'partial')
    const whole = requireAdded(await fixture.addScript([cover], { deduplicate: true }))
    assert.equal(whole.documentsSkipped, 1)
  })

  test('leaves nothing when deleted while partial', async (t) => {
    const fixture = await openScanFixture(t)
    fixture.startWorker()
    const { jobId, documentIds } = requireAccepted(await fixture.addScript(scans(6), { ocrMaxPages: 2 }))
    await fixture.endOfJob(jobId)
    assert.deepEqual(await fixture.listObjects(), ['recognized/1', 'recognized/2', 'upload'])
    await fixture.documents.delete(fixture.caller, fixture.memory.id, only(documentIds))
    assert.deepEqual(await fixture.listObjects(), [])
    assert.equal((await fixture.parts.memoryFile.count(fixture.memory.id)).size, 0)
  })

  test('keeps the text before the death of its parser, with the reason', async (t) => {
    const fixture = await openScanFixture(t)
    fixture.startWorker()
    const { jobId, documentIds } = requireAccepted(
      await fixture.addScript([{ text: 'The beginning.' }, ...scans(1), 'dies', { text: 'The end.' }], { async: true }),
    )
    const job = await fixture.endOfJob(jobId)
    assert.equal(job.status, 'partial')
    assert.match(job.message, /Reading the file failed after 2 pages/)
    const { status, error, pageCount, pages } = await fixture.readDocument(only(documentIds))
    assert.deepEqual([status, error, pageCount, pages.length], ['partial', job.message, 4, 2])
    assert.equal(await fixture.readText(only(documentIds)), 'The beginning.\nThe words of scan 1.\n\n')
  })

  test('loses one page with the process that recognised it, and a retry recognises only that page', async (t) => {
    const fixture = await openScanFixture(t)
    fixture.startWorker()
    const pages = [...scans(3), { scan: 'The words that came late.', how: 'dies-once' as const }, ...scans(2)]
    const { jobId, documentIds } = requireAccepted(await fixture.addScript(pages, { async: true }))
    const id = only(documentIds)
    const job = await fixture.endOfJob(jobId)
    const lost = 'Page 4: Recognition failed: its process ended.'
    assert.deepEqual([job.status, job.message], ['partial', lost])
    assert.deepEqual(
      (await fixture.readDocument(id)).pages.map(({ method }) => method),
      ['ocr', 'ocr', 'ocr', 'failed', 'ocr', 'ocr'],
    )
    fixture.listRecognized()
    await fixture.jobs.retry(fixture.caller, jobId)
    assert.equal((await fixture.endOfJob(jobId)).status, 'completed')
    assert.deepEqual(fixture.listRecognized(), [4])
    const { hits } = await fixture.find('words that came late')
    const text = await fixture.readText(id)
    for (const hit of hits) assert.equal(hit.text, text.slice(hit.startOffset, hit.endOffset))
    assert.ok(hits.some((hit) => hit.text.includes('came late')))
  })
})

test('a small file that unpacks to more text than a request should hold goes to a job', async (t) => {
  const fixture = await openScanFixture(t)
  const accepted = requireAccepted(await fixture.addScript([{ text: 'The same words. '.repeat(500), times: 1300 }]))
  assert.equal(accepted.reason, 'file_over_sync_threshold')
})

describe('a picture that is read by a job', () => {
  for (const how of ['blank', 'nonsense'] as const)
    test(`adds nothing where it shows no text (${how}), and leaves no document`, async (t) => {
      const fixture = await openScanFixture(t)
      fixture.startWorker()
      const waiting = await fixture.addPicture([{ scan: '', how }], { async: true })
      assert.ok('jobId' in waiting)
      const job = await fixture.endOfJob(waiting.jobId)
      assert.deepEqual([job.status, job.result?.documentsAdded, job.result?.documentIds], ['completed', 0, []])
      assert.match(job.message ?? '', new RegExp(`the image contains no text\\. Page 1: The page is ${how}\\.$`))
      const { documentCount } = await fixture.memories.get(fixture.caller, fixture.memory.id)
      assert.equal(documentCount, 0)
      await assert.rejects(fixture.readDocument(waiting.documentIds[0] ?? ''), { code: 'document_not_found' })
      while ((await fixture.listObjects()).length > 0) await pause(10)
    })

  test('ends with the error of a request where no page of it could be looked at', async (t) => {
    const fixture = await openScanFixture(t)
    fixture.startWorker()
    const page = { scan: '', how: 'dies-once' } as const
    const waiting = await fixture.addPicture([page], { async: true })
    assert.ok('jobId' in waiting)
    const job = await fixture.endOfJob(waiting.jobId)
    assert.deepEqual([job.status, job.errorCode], ['failed', 'image_unreadable'])
    assert.doesNotMatch(job.message ?? '', /has no text/)
    const both = await fixture.addPicture([scans(1)[0] ?? page, page], { async: true })
    assert.ok('jobId' in both)
    assert.notEqual((await fixture.endOfJob(both.jobId)).status, 'failed')
  })

  test('is added where one of its pages shows text', async (t) => {
    const fixture = await openScanFixture(t)
    fixture.startWorker()
    const waiting = await fixture.addPicture([{ scan: '', how: 'blank' }, { scan: 'A sign.' }], { async: true })
    assert.ok('jobId' in waiting)
    const job = await fixture.endOfJob(waiting.jobId)
    assert.deepEqual([job.status, job.result?.documentIds], ['completed', waiting.documentIds])
  })
})

describe('a recognition that does not end', () => {
  const hanging = [...scans(2), { scan: '', how: 'hangs' as const }]

  test('stops with its job, which can be cancelled and retried', async (t) => {
    const fixture = await openScanFixture(t)
    fixture.startWorker()
    const { jobId } = requireAccepted(await fixture.addScript(hanging, { async: true }))
    await fixture.untilRecognized([1, 2, 3])
    const cancelled = await fixture.jobs.cancel(fixture.caller, jobId)
    assert.equal((await fixture.endOfJob(jobId)).errorCode, 'cancelled', cancelled.status)
  })

  test('is stopped with the worker, and what was recognised is not recognised again', async (t) => {
    const fixture = await openScanFixture(t)
    const worker = fixture.startWorker()
    const { jobId } = requireAccepted(await fixture.addScript(hanging, { async: true }))
    await fixture.untilRecognized([1, 2, 3])
    while ((await fixture.listObjects()).filter((name) => name.startsWith('recognized/')).length < 2) await pause(10)
    await worker.stop()
    const { status, attempts } = await fixture.jobs.get(fixture.caller, jobId)
    assert.deepEqual({ status, attempts }, { status: 'pending', attempts: 0 })
    fixture.startWorker()
    await fixture.untilRecognized([1, 2, 3, 3])
  })

  test('is stopped when the service stops, and its sender may try again', async (t) => {
    const fixture = await openScanFixture(t)
    const adding = fixture.addScript(hanging)
    adding.catch(() => undefined)
    await fixture.untilRecognized([1, 2, 3])
    await fixture.reader.close()
    await assert.rejects(adding, refusedAs('service_unavailable'))
  })

  test('is stopped when the sender of a request leaves', async (t) => {
    const fixture = await openScanFixture(t)
    const sender = new AbortController()
    const adding = fixture.addScript(hanging, {}, sender.signal)
    await fixture.untilRecognized([1, 2, 3])
    sender.abort(new Error('left'))
    await assert.rejects(adding, /left/)
    assert.equal((await fixture.memories.get(fixture.caller, fixture.memory.id)).documentCount, 0)
  })
})
