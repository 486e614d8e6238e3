import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertKey, revokeKey } from '../../../src/database/account/keys-table.ts'
import { claimJobs } from '../../../src/database/jobs/claim-jobs.ts'
import { finalizeJob, type JobOutcome } from '../../../src/database/jobs/jobs-table.ts'
import type { Job } from '../../../src/database/schema.ts'
import { ApiError } from '../../../src/errors.ts'
import { newId } from '../../../src/ids.ts'
import { newKey } from '../../../src/services/account/keys-service.ts'
import { createJobsService } from '../../../src/services/jobs/jobs-service.ts'
import { NO_RESERVE } from '../database/temporary-store.ts'
import { callerOf, MEMORY, noting, ORGANIZATION, openQueue, type Queue } from './queue.ts'

const NEVER = new AbortController().signal
const caller = callerOf(ORGANIZATION)

function serve(queue: Queue) {
  const handler = noting(async () => {})
  const { db, changes, clock } = queue
  const parts = {
    db,
    blobs: NO_RESERVE,
    changes,
    now: clock.now,
    handlers: { test: handler },
    pollMs: 5,
    cancelWaitMs: 20,
  }
  return { jobs: createJobsService(parts), told: handler.told }
}

async function claimOne({ db, clock }: Queue): Promise<Job> {
  const [job] = await claimJobs(db, { limit: 1, leaseMs: 1000, token: newId('req'), now: clock.now() })
  assert.ok(job)
  return job
}

async function end({ db, clock }: Queue, job: Job, status: JobOutcome['status'], error: string | null = null) {
  const lease = { jobId: job.id, leaseToken: job.lease_token ?? '' }
  const rest = { message: 'done', result: { documentsAdded: 1 }, error, errorCode: error, now: clock.now() }
  return db.transaction().execute((t) => finalizeJob(t, { ...lease, status, ...rest }))
}

async function makeMemory({ db, clock }: Queue): Promise<void> {
  const at = clock.now().toISOString()
  const organization = { id: ORGANIZATION, name: 'o', plan: 'unlimited', created_at: at }
  await db.insertInto('organizations').values(organization).execute()
  const counters = { document_count: 0, chunk_count: 0, correction_count: 0, storage_bytes: 0 }
  const names = { name: 'm', description: null, project_id: null, embedding_model: null }
  const times = { created_at: at, updated_at: at }
  await db
    .insertInto('memories')
    .values({ id: MEMORY, organization_id: ORGANIZATION, ...names, ...counters, ...times })
    .execute()
}

function refusedAs(code: string) {
  return (error: unknown) => error instanceof ApiError && error.code === code
}

test('a list is newest first, with stable pages while jobs are added', async () => {
  await using queue = await openQueue()
  const { jobs } = serve(queue)
  const added: string[] = []
  for (let count = 0; count < 7; count += 1) {
    added.push((await queue.add()).id)
    if (count % 2 === 0) queue.clock.pass(1)
  }
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof jobs.list>> = await jobs.list(
      caller,
      { status: null, memoryId: null },
      { limit: 3, cursor },
    )
    seen.push(...page.jobs.map(({ id }) => id))
    assert.equal(page.hasMore, page.nextCursor !== null)
    cursor = page.nextCursor
    await queue.add()
  } while (cursor !== null)
  assert.deepEqual(seen, added.toReversed())
})

test('a list filters by status, including partial, and by memory, with its total', async () => {
  await using queue = await openQueue()
  const { jobs } = serve(queue)
  await queue.add()
  const partial = await end(queue, await claimOne(queue), 'partial')
  const other = await queue.add({ memoryId: newId('mem') })
  const list = (status: 'partial' | 'pending' | null, memoryId: string | null) =>
    jobs.list(caller, { status, memoryId }, { limit: 20, cursor: null })
  const ids = async (...filter: Parameters<typeof list>) => (await list(...filter)).jobs.map(({ id }) => id)
  assert.deepEqual(await ids('partial', null), [partial.id])
  assert.deepEqual(await ids('pending', null), [other.id])
  assert.deepEqual(await ids(null, other.memory_id), [other.id])
  assert.deepEqual(await ids('partial', other.memory_id), [])
  assert.equal((await list(null, null)).total, 2)
})

test('a cursor that no list gave out is refused', async () => {
  await using queue = await openQueue()
  const { jobs } = serve(queue)
  for (const cursor of ['', 'x', Buffer.from('jobs\n1 2').toString('base64url')]) {
    const list = jobs.list(caller, { status: null, memoryId: null }, { limit: 3, cursor })
    await assert.rejects(list, refusedAs('invalid_cursor'))
  }
})

test('jobs of other organizations, and of other memories for a scoped key, do not exist', async () => {
  await using queue = await openQueue()
  const { jobs } = serve(queue)
  const { id } = await queue.add()
  const strangers = [callerOf(newId('org')), callerOf(ORGANIZATION, newId('mem')), callerOf(newId('org'), MEMORY)]
  for (const stranger of strangers) {
    const calls = [
      () => jobs.get(stranger, id),
      () => jobs.wait(stranger, id, { waitMs: 10, signal: NEVER }),
      () => jobs.cancel(stranger, id),
      () => jobs.retry(stranger, id),
    ]
    for (const call of calls) await assert.rejects(call(), refusedAs('job_not_found'))
    const { jobs: seen, total } = await jobs.list(
      stranger,
      { status: null, memoryId: null },
      { limit: 20, cursor: null },
    )
    assert.deepEqual([seen, total], [[], 0])
  }
  assert.equal((await jobs.get(callerOf(ORGANIZATION, MEMORY), id)).status, 'pending')
  await assert.rejects(jobs.get(caller, `${id}'`), refusedAs('job_not_found'))
})

test('cancelling a pending job ends it immediately and notifies its handler', async () => {
  await using queue = await openQueue()
  const { jobs, told } = serve(queue)
  const { id } = await queue.add()
  const job = await jobs.cancel(caller, id)
  assert.deepEqual([job.status, job.error, job.errorCode], ['failed', 'cancelled on request', 'cancelled'])
  assert.ok(job.completedAt)
  assert.deepEqual(told, [`failed ${id} cancelled`])
  await assert.rejects(jobs.cancel(caller, id), refusedAs('job_not_cancellable'))
})

test('cancelling a running job asks its worker and returns the current job', async () => {
  await using queue = await openQueue()
  const { jobs, told } = serve(queue)
  const { id } = await queue.add()
  await claimOne(queue)
  const asked: string[] = []
  queue.changes.subscribe(id, ({ kind }) => asked.push(kind))
  assert.equal((await jobs.cancel(caller, id)).status, 'processing')
  assert.deepEqual(asked, ['stop-asked'])
  assert.equal((await queue.read(id)).cancel_requested, 1)
  assert.deepEqual(told, [])
})

test('a cancellation is published even if the job cannot be read afterwards', async () => {
  await using queue = await openQueue()
  const unreadable = new Proxy(queue.db, {
    get(db, name) {
      if (name === 'selectFrom') throw new ApiError('insufficient_storage')
      const member: unknown = Reflect.get(db, name)
      return typeof member === 'function' ? member.bind(db) : member
    },
  })
  const { jobs } = serve({ ...queue, db: unreadable })
  const [running, waiting] = [await queue.add(), await queue.add()]
  assert.equal((await claimOne(queue)).id, running.id)
  assert.deepEqual((await jobs.cancel(caller, running.id)).status, 'processing')
  assert.deepEqual((await jobs.cancel(caller, waiting.id)).errorCode, 'cancelled')
  assert.equal((await queue.read(running.id)).cancel_requested, 1)
})

test('a cancellation whose handler fails to write changes nothing', async () => {
  await using queue = await openQueue()
  const { db, changes, clock } = queue
  const broken = { ...noting(async () => {}), onFailed: () => Promise.reject(new ApiError('insufficient_storage')) }
  const jobs = createJobsService({ db, blobs: NO_RESERVE, changes, now: clock.now, handlers: { test: broken } })
  const { id } = await queue.add()
  await assert.rejects(jobs.cancel(caller, id), refusedAs('insufficient_storage'))
  assert.equal((await queue.read(id)).status, 'pending')
})

test('a retried job keeps its id, restarts, and notifies its handler', async () => {
  await using queue = await openQueue()
  await makeMemory(queue)
  const { jobs, told } = serve(queue)
  const { id } = await queue.add()
  await end(queue, await claimOne(queue), 'failed', 'internal_error')
  const job = await jobs.retry(caller, id)
  assert.deepEqual(
    [job.id, job.status, job.attempts, job.progress, job.errorCode, job.startedAt, job.completedAt],
    [id, 'pending', 0, 0, null, null, null],
  )
  assert.deepEqual(told, [`retried ${id}`])
  assert.equal((await claimOne(queue)).id, id)
})

test('a partial job can be retried, and one in any other state cannot', async () => {
  await using queue = await openQueue()
  await makeMemory(queue)
  const { jobs } = serve(queue)
  const { id } = await queue.add()
  await assert.rejects(jobs.retry(caller, id), refusedAs('job_not_cancellable'))
  const running = await claimOne(queue)
  await assert.rejects(jobs.retry(caller, id), refusedAs('job_not_cancellable'))
  await end(queue, running, 'partial')
  const job = await jobs.retry(caller, id)
  assert.deepEqual([job.isPartial, 'result' in job], [false, false])
  await end(queue, await claimOne(queue), 'completed')
  await assert.rejects(jobs.retry(caller, id), refusedAs('job_not_cancellable'))
})

test('a job of a deleted memory cannot be retried and stays unchanged', async () => {
  await using queue = await openQueue()
  const { jobs } = serve(queue)
  const { id } = await queue.add()
  await jobs.cancel(caller, id)
  await assert.rejects(jobs.retry(caller, id), refusedAs('memory_not_found'))
  assert.equal((await jobs.get(caller, id)).status, 'failed')
})

test('a wait ends with the job, with its time, or when the client leaves', async () => {
  await using queue = await openQueue()
  const { jobs } = serve(queue)
  const { id } = await queue.add()
  assert.equal((await jobs.wait(caller, id, { waitMs: 1, signal: NEVER })).status, 'pending')
  assert.equal((await jobs.wait(caller, id, { waitMs: 60_000, signal: AbortSignal.abort() })).status, 'pending')
  const waiting = jobs.wait(caller, id, { waitMs: 60_000, signal: NEVER })
  await end(queue, await claimOne(queue), 'completed')
  assert.equal((await waiting).status, 'completed')
})

test('a watch ends when its key is revoked or expires', async () => {
  await using queue = await openQueue()
  const { jobs } = serve(queue)
  const { db, clock } = queue
  await makeMemory(queue)
  const { id } = await queue.add()
  const facts = { organizationId: ORGANIZATION, name: 'k', memoryIds: null, role: 'admin' as const, now: clock.now() }
  const expiresAt = new Date(clock.now().getTime() + 1000).toISOString()
  const lasting = newKey({ ...facts, text: 'one', expiresAt: null })
  const passing = newKey({ ...facts, text: 'other', expiresAt })
  for (const key of [lasting, passing]) await insertKey(db, key)
  const watch = async (keyId: string) => {
    const states = jobs.watch({ ...caller, keyId }, id, NEVER)[Symbol.asyncIterator]()
    assert.equal((await states.next()).value?.status, 'pending')
    return states.next()
  }
  const watches = [lasting, passing].map(({ id: keyId }) => assert.rejects(watch(keyId), refusedAs('invalid_api_key')))
  const revoked = { organizationId: ORGANIZATION, keyId: lasting.id, now: clock.now().toISOString() }
  await db.transaction().execute((transaction) => revokeKey(transaction, revoked))
  await watches[0]
  clock.pass(1000)
  await watches[1]
})

test('a watch shows each state once, in order, to its end', async () => {
  await using queue = await openQueue()
  const { jobs } = serve(queue)
  const { id } = await queue.add()
  const seen: string[] = []
  for await (const { status } of jobs.watch(caller, id, NEVER)) {
    seen.push(status)
    if (status === 'pending') await claimOne(queue)
    if (status === 'processing') await end(queue, await queue.read(id), 'completed')
  }
  assert.deepEqual(seen, ['pending', 'processing', 'completed'])
})
