import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { TextDocument } from '../../../src/api/ingest.ts'
import { claimJobs } from '../../../src/database/jobs/claim-jobs.ts'
import { recordHeartbeat } from '../../../src/database/process-tables.ts'
import { createWorker } from '../../../src/jobs/worker.ts'
import { createDocumentsService } from '../../../src/services/documents/documents-service.ts'
import type { IngestDeps } from '../../../src/services/ingest/ingest-deps.ts'
import { createIngestionJob } from '../../../src/services/ingest/job/ingestion-job.ts'
import { INGESTION_JOB } from '../../../src/services/jobs/job-handler.ts'
import { createJobRuns } from '../../../src/services/jobs/job-runs.ts'
import { openIngestFixture, textDocument, withOwn } from './ingest-fixture.ts'

const LONG = 'The archive keeps every letter in a dry room. '.repeat(1000)

type Fixture = Awaited<ReturnType<typeof openIngestFixture>>

/** A fixture with a job for these documents, and a worker with replaceable writes. */
async function openJob(t: TestContext, documents: readonly TextDocument[]) {
  const fixture = await openIngestFixture(t)
  const accepted = await fixture.add({}, documents, { async: true, storeSource: true })
  const { parts, memory, caller } = fixture
  const remove = (id: string) => createDocumentsService(parts).delete(caller, memory.id, id)

  async function work(given: Partial<IngestDeps> = {}): Promise<void> {
    const { db, changes, log, now } = parts
    const handlers = { [INGESTION_JOB]: createIngestionJob({ ...parts, ...given }) }
    const worker = createWorker({
      db,
      handlers,
      changes,
      log,
      now,
      isOnly: true,
      pollMs: 5,
      interruptedPauseMs: () => 0,
    })
    worker.start()
    while ((await db.selectFrom('jobs').select('completed_at').executeTakeFirst())?.completed_at === null)
      await setTimeout(5)
    await worker.stop()
    await parts.removals.sweep()
  }

  async function left() {
    const objects = await parts.blobs.list(`memories/${memory.id}/`)
    return {
      chunks: [...(await parts.memoryFile.count(memory.id)).keys()],
      objects: [...new Set(objects.map((key) => key.split('/')[3]))],
    }
  }
  return { ...fixture, ids: accepted.documentIds, remove, work, left }
}

test('a document deleted during the writes of its job leaves no chunks and no objects', async (t) => {
  const { parts, ids, remove, work, left } = await openJob(t, [textDocument(LONG), textDocument('The one that stays.')])
  const [gone = '', kept = ''] = ids
  let isDeleted = false
  await work({
    memoryFile: withOwn(parts.memoryFile, {
      async add(memoryId, chunks) {
        if (!isDeleted) await remove(gone)
        isDeleted = true
        await parts.memoryFile.add(memoryId, chunks)
      },
    }),
  })
  assert.ok(isDeleted)
  assert.deepEqual(await left(), { chunks: [kept], objects: [kept] })
})

/**
 * Dependencies of a process that dies during its first write, after `meanwhile`: no commit and no
 * clean-up.
 */
async function openDying({ parts }: Pick<Fixture, 'parts'>, meanwhile: () => Promise<void>): Promise<IngestDeps> {
  const { db, now } = parts
  await recordHeartbeat(db, { id: 'dying', now: now() })
  const memoryFile = withOwn(parts.memoryFile, {
    async add(...asked) {
      await meanwhile()
      await parts.memoryFile.add(...asked)
      throw new Error('died')
    },
    deleteDocuments: async () => undefined,
  })
  const runs = { ...createJobRuns({ db, owner: 'dying' }), end: () => Promise.reject(new Error('died')) }
  const removals = { ...parts.removals, processOfJob: async () => undefined }
  return { ...parts, memoryFile, runs, removals, owner: 'dying' }
}

/** Runs the job in a process that dies. */
async function dieAtJob({ parts, memory }: Pick<Fixture, 'parts' | 'memory'>, meanwhile: () => Promise<void>) {
  const { db, now } = parts
  const [job] = await claimJobs(db, { limit: 1, leaseMs: 60_000, token: 'dies', now: now() })
  const dying = createIngestionJob(await openDying({ parts }, meanwhile))
  const signal = new AbortController().signal
  await assert.rejects(dying.run({ job: job ?? assert.fail(), leaseToken: 'dies', signal, report() {} }), /died/)
  return [...(await parts.memoryFile.count(memory.id)).keys()].sort()
}

const endings = { deleted: 'deleted', replaced: 'replaced by a document of the same externalId' } as const
for (const [how, said] of Object.entries(endings)) {
  for (const others of [[], [textDocument('The one that stays.', { externalId: 'stays' })]]) {
    const beside = others.length === 0 ? 'alone' : 'beside another'
    test(`the next process clears the writes of a dead one for a document that was ${said}, ${beside}`, async (t) => {
      const fixture = await openJob(t, [textDocument(LONG, { externalId: 'one' }), ...others])
      const { parts, ids, add, remove, work, left } = fixture
      const { db } = parts
      const [gone = '', ...kept] = ids
      const younger: string[] = []
      const written = await dieAtJob(fixture, async () => {
        if (how === 'deleted') await remove(gone)
        else younger.push(...(await add({}, [textDocument('Younger.', { externalId: 'one' })])).documentIds)
      })
      assert.ok(written.includes(gone), 'it was written behind its removal')
      const removal = () => db.selectFrom('removals').select('id').where('id', '=', gone).execute()
      assert.equal((await removal()).length, 1, 'the removal waits for the writer')
      // Also where the sweep comes while the process is not known to be dead.
      await parts.removals.sweep()
      assert.equal((await removal()).length, 1)

      await db.deleteFrom('nodes').where('id', '=', 'dying').execute()
      await parts.runs.sweep('')
      await work()
      assert.deepEqual((await left()).chunks.sort(), [...kept, ...younger].sort())
      assert.deepEqual(await removal(), [])
    })
  }
}

test('a removal waits for a running job and finishes with its end', async (t) => {
  const { parts, ids, remove, work, left } = await openJob(t, [textDocument(LONG), textDocument('The one that stays.')])
  const [gone = '', kept] = ids
  const held: number[] = []
  const removal = () => parts.db.selectFrom('removals').select('id').where('id', '=', gone).execute()
  await work({
    memoryFile: withOwn(parts.memoryFile, {
      async add(...asked) {
        if (held.length === 0) await remove(gone)
        await parts.memoryFile.add(...asked)
        await parts.removals.sweep()
        held.push((await removal()).length)
      },
    }),
    removals: { ...parts.removals, sweep: () => Promise.reject(new Error('not needed')) },
  })
  assert.ok(held.length > 0 && held.every((rows) => rows === 1), 'it stays while the job may write')
  assert.deepEqual(await removal(), [])
  assert.deepEqual((await left()).chunks, [kept])
})

test('an attempt is over only when no write of it is under way', async (t) => {
  const { parts, ids, remove, work, left } = await openJob(t, [textDocument(LONG), textDocument(LONG)])
  let writes = 0
  await work({
    memoryFile: withOwn(parts.memoryFile, {
      async add(...asked) {
        writes += 1
        if (writes === 1) for (const id of ids) await remove(id)
        await setTimeout(50)
        await parts.memoryFile.add(...asked)
      },
    }),
  })
  assert.ok(writes > 0)
  assert.deepEqual(await left(), { chunks: [], objects: [] })
  assert.deepEqual(await parts.db.selectFrom('job_runs').selectAll().execute(), [])
})

test('a sweep removes attempts of dead processes, and finished ones of this process', async (t) => {
  const { parts, memory } = await openJob(t, [textDocument('One.')])
  const { db, now } = parts
  const job = { id: 'job_1', memory_id: memory.id }
  await recordHeartbeat(db, { id: 'other', now: now() })
  const [own, dead, other] = ['test', 'dead', 'other'].map((owner) => createJobRuns({ db, owner }))
  const going = await own?.begin(job)
  await createJobRuns({ db, owner: 'test' }).begin(job)
  await dead?.begin(job)
  const foreign = await other?.begin(job)
  await own?.sweep('')
  const rows = await db.selectFrom('job_runs').select('id').execute()
  assert.deepEqual(rows.map(({ id }) => id).sort(), [going, foreign].sort())
  assert.equal(await own?.end(going ?? ''), true)
  assert.equal(await own?.end(going ?? ''), false)
})

test('a document that replaced one of a job while the job wrote stays when the job ends', async (t) => {
  const externalId = 'one'
  const older = [textDocument('Beside it.'), textDocument('The older.', { externalId })]
  const { parts, ids, add, work, left } = await openJob(t, older)
  let younger = ''
  await work({
    memoryFile: withOwn(parts.memoryFile, {
      async add(memoryId, chunks) {
        if (younger === '') [younger = ''] = (await add({}, [textDocument('The younger.', { externalId })])).documentIds
        await parts.memoryFile.add(memoryId, chunks)
      },
    }),
  })
  const there = [ids[0] ?? '', younger].sort()
  assert.deepEqual((await left()).chunks.sort(), there)
  const rows = await parts.db.selectFrom('documents').select(['id', 'status']).orderBy('id').execute()
  assert.deepEqual(
    rows,
    there.map((id) => ({ id, status: 'ready' })),
  )
})

for (const how of ['deleted', 'replaced'] as const) {
  test(`a document of a job that is ${how} before its text is read affects no other`, async (t) => {
    const externalId = 'one'
    const older = [textDocument('Beside it.'), textDocument('The older.', { externalId }), textDocument('The last.')]
    const { parts, ids, add, remove, work } = await openJob(t, older)
    let isGone = false
    await work({
      blobs: {
        ...parts.blobs,
        async put(...original) {
          if (!isGone && how === 'deleted') await remove(ids[1] ?? '')
          if (!isGone && how === 'replaced') await add({}, [textDocument('The younger.', { externalId })])
          isGone = true
          return parts.blobs.put(...original)
        },
      },
    })
    const { status, result } = await parts.db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow()
    const kept = [ids[0], ids[2]]
    assert.deepEqual([status, JSON.parse(result ?? '{}').documentIds], ['completed', kept])
    const rows = await parts.db
      .selectFrom('documents')
      .select(['id', 'status'])
      .where('job_id', 'is not', null)
      .orderBy('seq')
      .execute()
    assert.deepEqual(
      rows,
      kept.map((id) => ({ id, status: 'ready' })),
    )
  })
}
