/** A process that stood still until others took it for dead, and went on writing when it woke up. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createDocumentsService } from '../../../src/service/documents/documents-service.ts'
import { createIngestionJob } from '../../../src/service/ingest/job/ingestion-job.ts'
import { sweepIntents } from '../../../src/service/ingest/storing/discard-documents.ts'
import { claimJobs } from '../../../src/store/jobs/claim-jobs.ts'
import { listDeadJobs, reapJob } from '../../../src/store/jobs/job-leases.ts'
import { LeaseLost } from '../../../src/store/jobs/jobs.ts'
import { refusedAs } from './fixtures.ts'
import { openIngestHouse, textDocument } from './ingest-house.ts'

const LONG = 'The archive keeps every letter in a dry room. '.repeat(1000)
/** Of processes that are gone, however young. */
const DEAD = { seenSince: '', begunBefore: new Date(0) }
const PATIENCE_MS = 20_000

async function openHouse(t: TestContext) {
  const house = await openIngestHouse(t)
  const { db, blobs, memoryFile } = house.parts
  async function untilNothingIsLeft(): Promise<void> {
    const until = Date.now() + PATIENCE_MS
    for (;;) {
      const chunks = [...(await memoryFile.count(house.memory.id)).keys()]
      const objects = await blobs.list(`memories/${house.memory.id}/`)
      const removals = await db.selectFrom('removals').select('id').execute()
      if (chunks.length + objects.length + removals.length === 0) return
      assert.ok(Date.now() < until, `left: ${[...chunks, ...objects, ...removals.map(({ id }) => id)].join(', ')}`)
      await pause(10)
    }
  }
  return { ...house, untilNothingIsLeft }
}

test('removes what it wrote of an add that had been cleared away meanwhile', async (t) => {
  const house = await openHouse(t)
  const { blobs } = house.parts
  const asleep = {
    owner: 'asleep',
    blobs: {
      ...blobs,
      async put(...put: Parameters<typeof blobs.put>) {
        assert.equal(await sweepIntents(house.parts, DEAD), 1)
        return blobs.put(...put)
      },
    },
  }
  await assert.rejects(house.add(asleep, [textDocument(LONG)]), refusedAs('service_unavailable'))
  await house.untilNothingIsLeft()
})

test('removes what it wrote of a job whose document had been deleted meanwhile', async (t) => {
  const house = await openHouse(t)
  const { parts, caller, memory } = house
  const { db, blobs, now } = parts
  const { documentIds } = await house.add({}, [textDocument(LONG)], { async: true, storeSource: true })
  const [job] = await claimJobs(db, { limit: 1, leaseMs: 60_000, token: 'asleep', now: now() })
  const handler = createIngestionJob({
    ...parts,
    blobs: {
      ...blobs,
      async put(...put) {
        await createDocumentsService(parts).delete(caller, memory.id, documentIds[0] ?? '')
        const [dead] = await listDeadJobs(db, { which: 'all', now: now(), limit: 1 })
        await reapJob(db, dead ?? assert.fail(), {
          pauseMs: 0,
          now: now(),
          failed: createIngestionJob(parts).failed,
        })
        await parts.removals.sweep()
        return blobs.put(...put)
      },
    },
  })
  const signal = new AbortController().signal
  const run = handler.run({ job: job ?? assert.fail(), leaseToken: 'asleep', signal, report() {} })
  await assert.rejects(run, (error) => error instanceof LeaseLost)
  await house.untilNothingIsLeft()
})

test('removes nothing of a job that another worker has ended meanwhile', async (t) => {
  const house = await openHouse(t)
  const { parts } = house
  const { db, now } = parts
  await house.add({}, [textDocument('The archive keeps every letter in a dry room.')], { async: true })
  const claim = async (token: string) => {
    const [job] = await claimJobs(db, { limit: 1, leaseMs: 60_000, token, now: now() })
    const signal = new AbortController().signal
    return { job: job ?? assert.fail(), leaseToken: token, signal, report() {} }
  }
  const asleep = await claim('asleep')
  const handler = createIngestionJob(parts)
  const sleeper = createIngestionJob({
    ...parts,
    blobs: {
      ...parts.blobs,
      // Between what it read of its documents and what it does to them.
      async requireRoom() {
        const [dead] = await listDeadJobs(db, { which: 'all', now: now(), limit: 1 })
        await reapJob(db, dead ?? assert.fail(), { pauseMs: 0, now: now(), failed: handler.failed })
        await handler.run(await claim('awake'))
      },
    },
  })
  await assert.rejects(sleeper.run(asleep))
  assert.equal((await house.find('a dry room')).totalHits, 1)
})
