import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimJobs } from '../../../src/database/jobs/claim-jobs.ts'
import {
  heartbeat,
  listExpiredJobs,
  MAX_INTERRUPTED_ATTEMPTS,
  reapJob,
  releaseJob,
  storeProgress,
} from '../../../src/database/jobs/job-leases-table.ts'
import { finalizeJob, LeaseLostError, requestCancel } from '../../../src/database/jobs/jobs-table.ts'
import type { Job } from '../../../src/database/schema.ts'
import { newId } from '../../../src/ids.ts'
import { ORGANIZATION, openQueue, type Queue } from './queue.ts'

const LEASE_MS = 30_000

function claim({ db, clock }: Queue, limit = 1, token: string = newId('req')): Promise<Job[]> {
  return claimJobs(db, { limit, leaseMs: LEASE_MS, token, now: clock.now() })
}

async function claimOne(queue: Queue): Promise<Job & { lease_token: string }> {
  const [job] = await claim(queue)
  assert.ok(job?.lease_token)
  return { ...job, lease_token: job.lease_token }
}

function leaseOf(job: Job) {
  return { jobId: job.id, leaseToken: job.lease_token ?? '' }
}

function finish({ db, clock }: Queue, job: Job): Promise<Job> {
  const end = { status: 'completed', message: 'done', result: {}, error: null, errorCode: null } as const
  return db.transaction().execute((t) => finalizeJob(t, { ...leaseOf(job), ...end, now: clock.now() }))
}

async function reapAll(queue: Queue, which: 'expired' | 'all' = 'expired', pauseMs = 0) {
  const told: string[] = []
  for (const job of await listExpiredJobs(queue.db, { which, now: queue.clock.now(), limit: 100 })) {
    const failed = async (_: unknown, { id }: Job, { errorCode }: { errorCode: string }) =>
      void told.push(`${id} ${errorCode}`)
    await reapJob(queue.db, job, { pauseMs, failed, now: queue.clock.now() })
  }
  return told
}

test('a claimed job is processing, with its start and attempt recorded, and no other worker gets it', async () => {
  await using queue = await openQueue()
  const { id } = await queue.add()
  queue.clock.pass(5)
  const job = await claimOne(queue)
  assert.deepEqual(
    [job.id, job.status, job.attempts, job.started_at, job.lease_expires_at],
    [id, 'processing', 1, '2024-11-21T08:00:00.005Z', '2024-11-21T08:00:30.005Z'],
  )
  assert.deepEqual(await claim(queue), [])
})

test('a delayed job is not claimed early', async () => {
  await using queue = await openQueue()
  await queue.add()
  const job = await claimOne(queue)
  const runAfter = new Date(queue.clock.now().getTime() + 1000)
  await releaseJob(queue.db, { lease: leaseOf(job), message: 'later', runAfter, attemptCounts: true })
  queue.clock.pass(999)
  assert.deepEqual(await claim(queue), [])
  queue.clock.pass(1)
  assert.equal((await claimOne(queue)).attempts, 2)
})

test('an organization with many jobs leaves every other place to one with few', async () => {
  await using queue = await openQueue()
  const [many, few] = [newId('org'), newId('org')]
  for (let count = 0; count < 50; count += 1) await queue.add({ organizationId: many, memoryId: `mem_${count}` })
  for (let count = 0; count < 3; count += 1) await queue.add({ organizationId: few, memoryId: 'mem_few' })
  const order: string[] = []
  for (let turn = 0; turn < 6; turn += 1) {
    queue.clock.pass(1)
    const job = await claimOne(queue)
    order.push(job.organization_id === few ? 'few' : 'many')
    await finish(queue, job)
  }
  assert.equal(order.filter((name) => name === 'few').length, 3)
})

test('an organization with running jobs lets others go first, also those served after it', async () => {
  await using queue = await openQueue()
  const [busy, quick] = [newId('org'), newId('org')]
  for (const memoryId of ['mem_1', 'mem_2', 'mem_3']) await queue.add({ organizationId: busy, memoryId })
  await claim(queue)
  queue.clock.pass(1)
  await queue.add({ organizationId: quick, memoryId: 'mem_4' })
  await finish(queue, await claimOne(queue))
  queue.clock.pass(1)
  await queue.add({ organizationId: quick, memoryId: 'mem_4' })
  assert.equal((await claimOne(queue)).organization_id, quick)
})

test('jobs of different memories are claimed together, and those of one memory one by one', async () => {
  await using queue = await openQueue()
  for (const memoryId of ['mem_a', 'mem_a', 'mem_b']) {
    await queue.add({ memoryId })
    queue.clock.pass(1)
  }
  const first = await claim(queue, 10)
  assert.deepEqual(first.map((job) => job.memory_id).toSorted(), ['mem_a', 'mem_b'])
  assert.deepEqual(
    (await claim(queue, 10)).map((job) => job.memory_id),
    ['mem_a'],
  )
})

test('within a memory the oldest job goes first', async () => {
  await using queue = await openQueue()
  const added: string[] = []
  for (let count = 0; count < 5; count += 1) {
    added.push((await queue.add()).id)
    queue.clock.pass(1)
  }
  const claimed: string[] = []
  for (const _ of added) claimed.push((await claimOne(queue)).id)
  assert.deepEqual(claimed, added)
})

test('a heartbeat extends the lease and reports a cancellation', async () => {
  await using queue = await openQueue()
  const { db, clock } = queue
  const { id } = await queue.add()
  const job = await claimOne(queue)
  clock.pass(20_000)
  assert.equal(await heartbeat(db, { lease: leaseOf(job), leaseMs: LEASE_MS, now: clock.now() }), 'held')
  assert.equal((await queue.read(id)).lease_expires_at, '2024-11-21T08:00:50.000Z')
  const scope = { organizationId: ORGANIZATION, memoryIds: null }
  await db.transaction().execute((t) => requestCancel(t, { scope, jobId: id }))
  assert.equal(await heartbeat(db, { lease: leaseOf(job), leaseMs: LEASE_MS, now: clock.now() }), 'cancelled')
})

test('a worker without its lease changes nothing', async () => {
  await using queue = await openQueue()
  const { db, clock } = queue
  await queue.add()
  const former = await claimOne(queue)
  clock.pass(LEASE_MS + 1)
  await reapAll(queue)
  const present = await claimOne(queue)
  const before = await queue.read(present.id)
  const lease = leaseOf(former)
  assert.equal(await heartbeat(db, { lease, leaseMs: LEASE_MS, now: clock.now() }), 'lost')
  assert.equal(await storeProgress(db, { lease, progress: 50, message: 'stale' }), 'lost')
  assert.equal(await releaseJob(db, { lease, message: '', runAfter: clock.now(), attemptCounts: false }), 'lost')
  await assert.rejects(finish(queue, former), LeaseLostError)
  assert.deepEqual(await queue.read(present.id), before)
})

test('the writes of a transaction roll back when its lease has expired', async () => {
  await using queue = await openQueue()
  await queue.add()
  const job = { ...(await claimOne(queue)), lease_token: 'another' }
  const write = queue.db.transaction().execute(async (transaction) => {
    const organization = { id: newId('org'), name: 'half done', plan: 'free', created_at: '' }
    await transaction.insertInto('organizations').values(organization).execute()
    const end = { status: 'completed', message: '', result: {}, error: null, errorCode: null } as const
    await finalizeJob(transaction, { ...leaseOf(job), ...end, now: queue.clock.now() })
  })
  await assert.rejects(write, LeaseLostError)
  assert.deepEqual(await queue.db.selectFrom('organizations').selectAll().execute(), [])
})

test('only an expired lease is reaped', async () => {
  await using queue = await openQueue()
  const { id } = await queue.add()
  await claimOne(queue)
  queue.clock.pass(LEASE_MS)
  await reapAll(queue)
  assert.equal((await queue.read(id)).status, 'processing')
  queue.clock.pass(1)
  await reapAll(queue, 'expired', 1000)
  const { status, attempts, run_after, lease_token } = await queue.read(id)
  assert.deepEqual([status, attempts, run_after, lease_token], ['pending', 1, '2024-11-21T08:00:31.001Z', null])
})

test('at the start of an only process every lease is reaped', async () => {
  await using queue = await openQueue()
  const { id } = await queue.add()
  await claimOne(queue)
  await reapAll(queue, 'all')
  assert.equal((await queue.read(id)).status, 'pending')
})

test('a heartbeat that comes late, but before the reaper, saves the lease', async () => {
  await using queue = await openQueue()
  const { db, clock } = queue
  const { id } = await queue.add()
  const job = await claimOne(queue)
  clock.pass(LEASE_MS + 1)
  const [seen] = await listExpiredJobs(db, { which: 'expired', now: clock.now(), limit: 1 })
  assert.ok(seen)
  await heartbeat(db, { lease: leaseOf(job), leaseMs: LEASE_MS, now: clock.now() })
  assert.equal(await reapJob(db, seen, { pauseMs: 0, failed: async () => {}, now: clock.now() }), false)
  assert.equal((await queue.read(id)).lease_token, job.lease_token)
})

test('a job whose workers keep dying fails with the reason, and its handler is notified in the same transaction', async () => {
  await using queue = await openQueue()
  const { id } = await queue.add()
  for (let attempt = 1; attempt < MAX_INTERRUPTED_ATTEMPTS; attempt += 1) {
    await claimOne(queue)
    assert.deepEqual(await reapAll(queue, 'all'), [])
  }
  await claimOne(queue)
  assert.deepEqual(await reapAll(queue, 'all'), [`${id} attempts_exhausted`])
  const { status, error, error_code, completed_at } = await queue.read(id)
  assert.deepEqual([status, error_code], ['failed', 'attempts_exhausted'])
  assert.match(error ?? '', /^no attempts left/)
  assert.ok(completed_at)
})

test('a job whose worker died after a cancellation request ends as cancelled', async () => {
  await using queue = await openQueue()
  const { id } = await queue.add()
  const job = await claimOne(queue)
  const scope = { organizationId: ORGANIZATION, memoryIds: null }
  await queue.db.transaction().execute((t) => requestCancel(t, { scope, jobId: id }))
  const release = { lease: leaseOf(job), message: '', runAfter: queue.clock.now(), attemptCounts: false }
  assert.equal(await releaseJob(queue.db, release), 'cancelled')
  assert.deepEqual(await reapAll(queue, 'all'), [`${id} cancelled`])
  assert.equal((await queue.read(id)).status, 'failed')
})

test('a failed reaping changes nothing', async () => {
  await using queue = await openQueue()
  const { id } = await queue.add()
  const job = await claimOne(queue)
  await queue.db.updateTable('jobs').set({ cancel_requested: 1 }).where('id', '=', id).execute()
  const failed = async () => {
    throw new Error('no')
  }
  const seen = await queue.read(id)
  await assert.rejects(reapJob(queue.db, seen, { pauseMs: 0, failed, now: queue.clock.now() }))
  assert.equal((await queue.read(id)).lease_token, job.lease_token)
})
