import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setPlan } from '../../../src/database/account/organizations-table.ts'
import { createWorker } from '../../../src/jobs/worker.ts'
import { PLANS } from '../../../src/limits.ts'
import { createIngestService } from '../../../src/services/ingest/ingest-service.ts'
import { createIngestionJob } from '../../../src/services/ingest/job/ingestion-job.ts'
import { INGESTION_JOB } from '../../../src/services/jobs/job-handler.ts'
import { createJobsService } from '../../../src/services/jobs/jobs-service.ts'
import { OPTIONS, openIngestFixture, textDocument, withOwn } from './ingest-fixture.ts'

const LIMIT = PLANS.free.limits.storageBytes ?? 0

/**
 * A fixture with the plan `free`. `rooms`: the bytes left by other writers each time a job has
 * written its chunks.
 */
async function openFullFixture(t: TestContext, rooms: number[] = []) {
  const fixture = await openIngestFixture(t, 'free')
  const { parts, caller, memory } = fixture
  const { db, changes, log, now, memoryFile } = parts
  const leave = (bytes: number) =>
    db
      .updateTable('memories')
      .set({ storage_bytes: LIMIT - bytes })
      .execute()
  let writes = 0
  const taken = withOwn(memoryFile, {
    async add(...given) {
      await memoryFile.add(...given)
      writes += 1
      const room = rooms.shift()
      if (room !== undefined) await leave(room)
    },
  })
  const handlers = { [INGESTION_JOB]: createIngestionJob({ ...parts, memoryFile: taken }) }
  const jobs = createJobsService({ ...parts, handlers, pollMs: 5 })
  const worker = createWorker({ db, handlers, changes, log, now, isOnly: true, pollMs: 5 })
  t.after(() => worker.stop())
  const { signal } = new AbortController()

  async function addFile(content: string) {
    const path = join(parts.temporaryDirectory, 'letters.txt')
    await writeFile(path, content)
    const file = { path, bytes: content.length, filename: 'letters.txt', declaredType: null }
    return createIngestService(parts).addFile(caller, memory.id, {
      file,
      options: { ...OPTIONS, async: true },
      work: { signal },
    })
  }
  async function endOf(added: object) {
    worker.start()
    return jobs.wait(caller, 'jobId' in added ? String(added.jobId) : '', { waitMs: 60_000, signal })
  }
  /** The chunk counts of each document, from its row and from the memory file. */
  async function listShown() {
    const rows = await db.selectFrom('documents').select(['id', 'status', 'chunk_count']).execute()
    const chunks = await memoryFile.count(memory.id)
    return rows.map(({ id, status, chunk_count }) => [status, chunk_count, chunks.get(id) ?? 0])
  }
  return { ...fixture, jobs, leave, addFile, endOf, listShown, countWrites: () => writes }
}

test('a job without storage is retried with the current plan of the organization', async (t) => {
  const fixture = await openFullFixture(t)
  const added = await fixture.add({}, [textDocument('The ferry leaves at nine.')], { async: true })
  await fixture.leave(0)
  const failed = await fixture.endOf(added)
  assert.deepEqual([failed.status, failed.errorCode], ['failed', 'storage_quota_exceeded'])
  await setPlan(fixture.parts.db, fixture.caller.organizationId, 'unlimited')
  await fixture.jobs.retry(fixture.caller, failed.id)
  const retried = await fixture.endOf(added)
  assert.deepEqual([retried.status, retried.result?.documentsAdded], ['completed', 1], retried.message)
})

test('a job of texts keeps what fits when others use up the plan meanwhile', async (t) => {
  const fixture = await openFullFixture(t, [5000])
  const texts = [1, 2, 3].map((number) => textDocument(`${number} `.repeat(1500)))
  await fixture.leave(20_000)
  const job = await fixture.endOf(await fixture.add({}, texts, { async: true }))
  assert.deepEqual(
    [job.status, job.errorCode, job.result?.documentsAdded],
    ['partial', 'storage_quota_exceeded', 1],
    job.message,
  )
  const shown = await fixture.listShown()
  assert.deepEqual(shown.map(([status]) => status).sort(), ['failed', 'failed', 'ready'])
  for (const [status, counted, there] of shown) assert.equal(there, status === 'ready' ? counted : 0)
})

test('a file keeps its beginning that fits when others use up the plan meanwhile', async (t) => {
  const fixture = await openFullFixture(t, [15_000])
  await fixture.leave(100_000)
  const job = await fixture.endOf(await fixture.addFile('The archive keeps every letter in a dry room. '.repeat(1000)))
  assert.deepEqual([job.status, job.errorCode], ['partial', 'storage_quota_exceeded'], job.message)
  const [kept] = await fixture.parts.db.selectFrom('documents').select('storage_bytes').execute()
  assert.ok(kept && kept.storage_bytes > 5000 && kept.storage_bytes <= 15_000, JSON.stringify(kept))
  const [[status, counted, there] = []] = await fixture.listShown()
  assert.deepEqual([status, there, fixture.countWrites()], ['partial', counted, 2])
})

test('a job of which nothing fits in the end fails, and one whose room is taken again and again gives up', async (t) => {
  const fixture = await openFullFixture(t, [0])
  await fixture.leave(100_000)
  const full = await fixture.endOf(await fixture.add({}, [textDocument('The ferry leaves at nine.')], { async: true }))
  assert.deepEqual([full.status, full.errorCode, full.attempts], ['failed', 'storage_quota_exceeded', 1])
  assert.deepEqual(await fixture.listShown(), [['failed', 0, 0]])

  const robbed = await openFullFixture(t, [40_000, 30_000, 20_000, 10_000, 5000, 2000])
  await robbed.leave(100_000)
  const job = await robbed.endOf(await robbed.addFile('The archive keeps every letter in a dry room. '.repeat(2000)))
  assert.deepEqual([job.status, job.errorCode, robbed.countWrites()], ['failed', 'storage_quota_exceeded', 5])
  assert.deepEqual(await robbed.listShown(), [['failed', 0, 0]])
})
