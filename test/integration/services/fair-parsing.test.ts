import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AcceptedDocuments, AddedDocuments } from '../../../src/api/ingest.ts'
import { ApiError } from '../../../src/errors.ts'
import { createMemoriesService } from '../../../src/services/memories/memories-service.ts'
import { addStranger } from './fixtures.ts'
import { OPTIONS } from './ingest-fixture.ts'
import { openScanFixture } from './scan-fixture.ts'
import { HEAD } from './scan-tasks.ts'

const PATIENT = { maxWorkMs: 600_000, maxWaitMs: 600_000 }
const SHORT = { maxWorkMs: 200, maxWaitMs: 600_000 }
const GIVEN_UP =
  /^Reading the file took more than 1 s and was stopped\. The same file is not read again for 15 minutes\.$/

function requireAccepted(answer: object): AcceptedDocuments {
  assert.ok('status' in answer && answer.status === 'pending', JSON.stringify(answer))
  return answer as AcceptedDocuments
}

function givenUp(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unprocessable_document' && GIVEN_UP.test(error.message)
}

/** A fixture in which a file may take little time within its request, and a second in total. */
const openFixture = (t: Parameters<typeof openScanFixture>[0]) =>
  openScanFixture(t, 'unlimited', {
    pool: { parseTimeoutMs: 1_000 },
    inlineReading: { parse: SHORT, recognize: SHORT },
  })

describe('a file that takes long to read', () => {
  test('becomes a job; after the job gave up, the same file is refused immediately', async (t) => {
    const fixture = await openFixture(t)
    const { jobId, reason } = requireAccepted(await fixture.addScript(['spins']))
    assert.equal(reason, 'file_over_sync_threshold')
    const waiting = requireAccepted(await fixture.addScript(['spins']))
    fixture.startWorker()
    const { status, error } = await fixture.endOfJob(jobId)
    assert.deepEqual([status, /took more than 1 s and was stopped/.test(error ?? '')], ['failed', true])
    await assert.rejects(fixture.addScript(['spins']), givenUp)
    await assert.rejects(fixture.addScript(['spins'], { async: true }), givenUp)
    const copy = await fixture.endOfJob(waiting.jobId)
    assert.equal(copy.status, 'failed', 'a copy that waited for its turn ends as well')
    const added = (await fixture.addScript([{ text: 'A page of text.' }])) as AddedDocuments
    assert.equal(added.status, 'completed')
  })

  test('is not known to another organization', async (t) => {
    const fixture = await openFixture(t)
    const { jobId } = requireAccepted(await fixture.addScript(['spins']))
    fixture.startWorker()
    await fixture.endOfJob(jobId)
    const stranger = await addStranger(fixture.db)
    const memories = createMemoriesService(fixture.parts)
    const { id } = await memories.create(stranger, { name: 'm', description: null, projectId: null, projectName: null })
    const file = { ...(await fixture.writeScript(HEAD, ['spins'])), filename: 'script.pdf' }
    const work = { signal: new AbortController().signal }
    requireAccepted(await fixture.ingest.addFile(stranger, id, { file, options: OPTIONS, work }))
  })

  test('is read again by a retry of its job where a part of it was stored', async (t) => {
    const fixture = await openFixture(t)
    const { jobId } = requireAccepted(await fixture.addScript([{ text: 'The first page.' }, 'spins']))
    fixture.startWorker()
    assert.equal((await fixture.endOfJob(jobId)).status, 'partial')
    await fixture.jobs.retry(fixture.caller, jobId)
    assert.equal((await fixture.endOfJob(jobId)).status, 'partial')
  })

  test('goes to a job as well where the recognition of its pages takes long', async (t) => {
    const fixture = await openFixture(t)
    requireAccepted(await fixture.addScript([{ text: 'A page.' }, { scan: 'Words.', how: 'spins' }]))
    requireAccepted(await fixture.addPicture([{ scan: 'Words.', how: 'spins' }]))
    const rows = await fixture.db.selectFrom('documents').select('status').execute()
    assert.deepEqual(
      rows.map(({ status }) => status),
      ['pending', 'pending'],
      'nothing of the first attempts is left',
    )
  })
})

test('a file that waits too long for a child goes to a job', async (t) => {
  const fixture = await openScanFixture(t, 'unlimited', {
    pool: { quantumMs: 600_000 },
    inlineReading: { parse: PATIENT, recognize: { ...PATIENT, maxWaitMs: 100 } },
  })
  const stop = new AbortController()
  const busy = fixture.addScript([{ scan: 'Words.', how: 'hangs' }], {}, stop.signal)
  const left = assert.rejects(busy, /the caller left/)
  await fixture.untilRecognized([1])
  // One of the two children is reserved from this key: its first file uses the other child.
  requireAccepted(await fixture.addScript([{ scan: 'Other words.' }]))
  stop.abort(new Error('the caller left'))
  await left
})
