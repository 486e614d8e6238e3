/** A process that paused until others declared it dead, and continued to write after waking up. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { claimJobs } from '../../../src/database/jobs/claim-jobs.ts'
import { listExpiredJobs, reapJob } from '../../../src/database/jobs/job-leases-table.ts'
import { LeaseLostError } from '../../../src/database/jobs/jobs-table.ts'
import { createDocumentsService } from '../../../src/services/documents/documents-service.ts'
import { createIngestionJob } from '../../../src/services/ingest/job/ingestion-job.ts'
import { sweepIntents } from '../../../src/services/ingest/storing/discard-documents.ts'
import type { JobWork } from '../../../src/services/jobs/job-handler.ts'
import { refusedAs } from './fixtures.ts'
import { openIngestFixture, textDocument, withOwn } from './ingest-fixture.ts'

const LONG = 'The archive keeps every letter in a dry room. '.repeat(1000)
/** Of dead processes, however young. */
const DEAD = { seenSince: '', begunBefore: new Date(0) }
const PATIENCE_MS = 20_000

async function openFixture(t: TestContext) {
  const fixture = await openIngestFixture(t)
  const { db, blobs, memoryFile, now } = fixture.parts
  async function untilNothingIsLeft(): Promise<void> {
    const until = Date.now() + PATIENCE_MS
    for (;;) {
      const chunks = [...(await memoryFile.count(fixture.memory.id)).keys()]
      const objects = await blobs.list(`memories/${fixture.memory.id}/`)
      const removals = await db.selectFrom('removals').select('id').execute()
      if (chunks.length + objects.length + removals.length === 0) return
      assert.ok(Date.now() < until, `left: ${[...chunks, ...objects, ...removals.map(({ id }) => id)].join(', ')}`)
      await pause(10)
    }
  }
  async function claim(token: string): Promise<JobWork> {
    const [job] = await claimJobs(db, { limit: 1, leaseMs: 60_000, token, now: now() })
    const signal = new AbortController().signal
    return { job: job ?? assert.fail(), leaseToken: token, signal, report() {} }
  }
  /** Returns the claimed job to the queue, as after a dead worker. */
  async function reap(): Promise<void> {
    const [dead] = await listExpiredJobs(db, { which: 'all', now: now(), limit: 1 })
    const { onFailed: failed } = createIngestionJob(fixture.parts)
    await reapJob(db, dead ?? assert.fail(), { pauseMs: 0, now: now(), failed })
  }
  return { ...fixture, untilNothingIsLeft, claim, reap }
}

test('removes its writes of an add cleared meanwhile', async (t) => {
  const fixture = await openFixture(t)
  const { blobs } = fixture.parts
  const asleep = {
    owner: 'asleep',
    blobs: {
      ...blobs,
      async put(...put: Parameters<typeof blobs.put>) {
        assert.equal(await sweepIntents(fixture.parts, DEAD), 1)
        return blobs.put(...put)
      },
    },
  }
  await assert.rejects(fixture.add(asleep, [textDocument(LONG)]), refusedAs('service_unavailable'))
  await fixture.untilNothingIsLeft()
})

test('removes its writes of a job whose document was deleted meanwhile', async (t) => {
  const fixture = await openFixture(t)
  const { parts, caller, memory } = fixture
  const { blobs } = parts
  const { documentIds } = await fixture.add({}, [textDocument(LONG)], { async: true, storeSource: true })
  const asleep = await fixture.claim('asleep')
  const handler = createIngestionJob({
    ...parts,
    blobs: {
      ...blobs,
      async put(...put) {
        await createDocumentsService(parts).delete(caller, memory.id, documentIds[0] ?? '')
        await fixture.reap()
        await parts.removals.sweep()
        return blobs.put(...put)
      },
    },
  })
  await assert.rejects(handler.run(asleep), (error) => error instanceof LeaseLostError)
  await fixture.untilNothingIsLeft()
})

test('removes nothing of a job that another worker has ended', async (t) => {
  const fixture = await openFixture(t)
  const { parts, claim } = fixture
  await fixture.add({}, [textDocument('The archive keeps every letter in a dry room.')], { async: true })
  const asleep = await claim('asleep')
  const handler = createIngestionJob(parts)
  const sleeper = createIngestionJob({
    ...parts,
    blobs: {
      ...parts.blobs,
      // Between reading its documents and acting on them.
      async requireRoom() {
        await fixture.reap()
        await handler.run(await claim('awake'))
      },
    },
  })
  await assert.rejects(sleeper.run(asleep))
  assert.equal((await fixture.find('a dry room')).totalHits, 1)
})

test('a late removal of an abandoned attempt keeps the writes of other workers', async (t) => {
  const fixture = await openFixture(t)
  const { parts, claim } = fixture
  await fixture.add({}, [textDocument('The archive keeps every letter in a dry room.')], { async: true })
  const late: Parameters<typeof parts.memoryFile.deleteDocuments>[] = []
  const isDown = {
    // The write succeeds, and neither the write nor the removal gets an answer.
    async add(...added: Parameters<typeof parts.memoryFile.add>) {
      await parts.memoryFile.add(...added)
      throw new Error('down')
    },
    async deleteDocuments(...removed: Parameters<typeof parts.memoryFile.deleteDocuments>) {
      late.push(removed)
      throw new Error('down')
    },
  }
  const failing = createIngestionJob({ ...parts, memoryFile: withOwn(parts.memoryFile, isDown) })
  await assert.rejects(failing.run(await claim('failing')), /down/)
  await fixture.reap()
  await createIngestionJob(parts).run(await claim('next'))
  for (const removal of late) await parts.memoryFile.deleteDocuments(...removal)
  assert.equal(late.length, 1)
  assert.equal((await fixture.find('a dry room')).totalHits, 1)
})
