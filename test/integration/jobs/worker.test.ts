import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimJobs } from '../../../src/database/jobs/claim-jobs.ts'
import type { Job } from '../../../src/database/schema.ts'
import { ApiError } from '../../../src/errors.ts'
import { newId } from '../../../src/ids.ts'
import { createWorker, type WorkerDeps } from '../../../src/jobs/worker.ts'
import { createWorkContext } from '../../../src/observability/log.ts'
import type { JobHandler, JobWork } from '../../../src/services/jobs/job-handler.ts'
import { createJobsService } from '../../../src/services/jobs/jobs-service.ts'
import { NO_RESERVE } from '../database/temporary-store.ts'
import { callerOf, complete, noting, ORGANIZATION, openQueue, type Queue, SILENT } from './queue.ts'

const NEVER = new AbortController().signal
const caller = callerOf(ORGANIZATION)
const FAST = { pollMs: 5, heartbeatMs: 5, reportMs: 1, graceMs: 50, pauseMs: () => 0, interruptedPauseMs: () => 0 }

/** A worker at work on the queue, stopped at the end. */
function work(queue: Queue, handler: JobHandler, tuning: Partial<WorkerDeps> = {}) {
  const { db, changes, clock } = queue
  const handlers = { test: handler }
  const parts = { db, changes, handlers, log: SILENT, now: clock.now, isOnly: false, ...FAST, ...tuning }
  const worker = createWorker(parts)
  worker.start()
  const jobs = createJobsService({ db, blobs: NO_RESERVE, changes, handlers, now: clock.now, pollMs: 5 })
  return {
    jobs,
    ended: (jobId: string) => jobs.wait(caller, jobId, { waitMs: 60_000, signal: NEVER }),
    stop: () => worker.stop(),
    [Symbol.asyncDispose]: () => worker.stop(),
  }
}

/** Rejects when the work is aborted, as handlers do. */
function untilStopped({ signal }: JobWork): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = () => reject(new ApiError('service_unavailable', { message: `stopped: ${signal.reason}` }))
    if (signal.aborted) refuse()
    signal.addEventListener('abort', refuse)
  })
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 2))
}

test('a worker reports its work from start to stop', async () => {
  await using queue = await openQueue()
  const { db, changes, clock } = queue
  const worker = createWorker({ db, changes, handlers: {}, log: SILENT, now: clock.now, isOnly: true, ...FAST })
  await assert.rejects(worker.check())
  worker.start()
  await worker.check()
  await worker.stop()
  await assert.rejects(worker.check())
})

test('calls of a job are logged under its id, and its end with the duration', async () => {
  await using queue = await openQueue()
  const { within, facts } = createWorkContext()
  const seen: (string | undefined)[] = []
  const ends: string[] = []
  const handler = noting(async (job) => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    seen.push(facts()['jobId'])
    await complete(queue, job)
  })
  const added = [await queue.add({ memoryId: newId('mem') }), await queue.add({ memoryId: newId('mem') })]
  const ended = async ({ id }: Job, seconds: number) => {
    assert.ok(seconds >= 0)
    ends.push(id)
  }
  await using _worker = work(queue, handler, { within, ended })
  await until(() => ends.length === 2)
  const ids = added.map(({ id }) => id).toSorted()
  assert.deepEqual([seen.toSorted(), ends.toSorted()], [ids, ids])
  assert.deepEqual(facts(), {})
})

test('queued jobs are done, at most so many at a time', async () => {
  await using queue = await openQueue()
  let running = 0
  let most = 0
  const handler = noting(async (job) => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 1))
    running -= 1
    await complete(queue, job)
  })
  const added: Job[] = []
  for (let count = 0; count < 10; count += 1) added.push(await queue.add({ memoryId: newId('mem') }))
  await using worker = work(queue, handler, { concurrency: 3 })
  for (const { id } of added) {
    const job = await worker.ended(id)
    assert.deepEqual([job.status, job.progress, job.result?.documentsAdded], ['completed', 100, 1])
  }
  assert.equal(most, 3)
  assert.deepEqual(handler.told, [])
})

test('a worker notified of a queued job does not wait for its next poll', async () => {
  await using queue = await openQueue()
  await using worker = work(
    queue,
    noting((job) => complete(queue, job)),
    { pollMs: 2 ** 31 - 1 },
  )
  await new Promise((resolve) => setImmediate(resolve))
  const { id } = await queue.add()
  queue.changes.publish({ jobId: id, kind: 'queued' })
  assert.equal((await worker.ended(id)).status, 'completed')
})

test('reported progress is visible during the work and only grows', async () => {
  await using queue = await openQueue()
  const seen: [number, string][] = []
  const gate = Promise.withResolvers<void>()
  const handler = noting(async (job) => {
    job.report(40, 'reading')
    job.report(10, 'still reading')
    await gate.promise
    await complete(queue, job)
  })
  const { id } = await queue.add()
  await using worker = work(queue, handler)
  for await (const { progress, message } of worker.jobs.watch(caller, id, NEVER)) {
    seen.push([progress, message])
    if (message === 'still reading') gate.resolve()
  }
  assert.deepEqual(seen.slice(-2), [
    [40, 'still reading'],
    [100, 'done'],
  ])
  assert.ok(seen.every(([progress], index) => index === 0 || progress >= (seen[index - 1]?.[0] ?? 0)))
})

test('a permanent error fails the job immediately with its code and message', async () => {
  await using queue = await openQueue()
  const handler = noting(() => Promise.reject(new ApiError('unprocessable_document', { message: 'It is locked.' })))
  const { id } = await queue.add()
  await using worker = work(queue, handler)
  const job = await worker.ended(id)
  assert.deepEqual(
    [job.status, job.error, job.errorCode, job.attempts],
    ['failed', 'It is locked.', 'unprocessable_document', 1],
  )
  assert.deepEqual(handler.told, [`failed ${id} unprocessable_document`])
})

test('a transient error is retried until the attempts are used up, then reported', async () => {
  await using queue = await openQueue()
  const handler = noting(() => Promise.reject(new ApiError('insufficient_storage')))
  const { id } = await queue.add()
  const paused: number[] = []
  const pauseMs = (attempts: number) => {
    paused.push(attempts)
    return 0
  }
  await using worker = work(queue, handler, { pauseMs })
  const job = await worker.ended(id)
  assert.deepEqual([job.status, job.attempts, job.errorCode], ['failed', 5, 'insufficient_storage'])
  assert.equal(job.error, 'gave up after 5 attempts: The disk is full.')
  assert.deepEqual(paused, [1, 2, 3, 4])
  assert.deepEqual(handler.told, [`failed ${id} insufficient_storage`])
})

test('a job survives a dependency outage that takes more attempts than its own errors may', async () => {
  await using queue = await openQueue()
  let attempts = 0
  const handler = noting(async (job) => {
    attempts += 1
    if (attempts <= 12) throw new ApiError('service_unavailable')
    await complete(queue, job)
  })
  const { id } = await queue.add()
  await using worker = work(queue, handler, { pauseMs: () => 0 })
  const job = await worker.ended(id)
  assert.deepEqual([job.status, job.attempts, handler.told], ['completed', 13, []])
})

test('a job waiting for its next attempt says so and returns after its pause', async () => {
  await using queue = await openQueue()
  let attempts = 0
  const handler = noting(async (job) => {
    attempts += 1
    if (attempts === 1) throw new Error('the path /etc/secret was not readable')
    await complete(queue, job)
  })
  const { id } = await queue.add()
  await using worker = work(queue, handler, { pauseMs: () => 5000 })
  await until(async () => (await queue.read(id)).message.startsWith('waiting 5 s'))
  const waiting = await worker.jobs.get(caller, id)
  assert.deepEqual([waiting.status, waiting.message], ['pending', 'waiting 5 s for attempt 2 of 5: Internal error.'])
  queue.clock.pass(5000)
  assert.equal((await worker.ended(id)).status, 'completed')
})

test('a job fails when its handler returns without ending it, or when no handler exists', async () => {
  await using queue = await openQueue()
  const handler = noting(async () => {})
  const lazy = await queue.add()
  const unknown = await queue.add({ jobType: 'other' })
  await using worker = work(queue, handler)
  const job = await worker.ended(lazy.id)
  assert.deepEqual([job.status, job.errorCode, job.attempts], ['failed', 'internal_error', 1])
  assert.equal((await worker.ended(unknown.id)).errorCode, 'internal_error')
})

test('a cancelled running job stops immediately and ends as cancelled', async () => {
  await using queue = await openQueue()
  const handler = noting(untilStopped)
  const { id } = await queue.add()
  await using worker = work(queue, handler, { heartbeatMs: 2 ** 31 - 1 })
  await until(async () => (await queue.read(id)).status === 'processing')
  const job = await worker.jobs.cancel(caller, id)
  assert.deepEqual([job.status, job.error, job.errorCode], ['failed', 'cancelled on request', 'cancelled'])
  assert.deepEqual(handler.told, [`failed ${id} cancelled`])
})

test('a cancellation asked for in another process is found by the heartbeat', async () => {
  await using queue = await openQueue()
  const { id } = await queue.add()
  await using worker = work(queue, noting(untilStopped))
  await until(async () => (await queue.read(id)).status === 'processing')
  await queue.db.updateTable('jobs').set({ cancel_requested: 1 }).where('id', '=', id).execute()
  assert.equal((await worker.ended(id)).errorCode, 'cancelled')
})

test('a handler that ignores its cancellation can neither keep the job running nor end it otherwise', async () => {
  await using queue = await openQueue()
  const gate = Promise.withResolvers<void>()
  const late = Promise.withResolvers<unknown>()
  const handler = noting(async (job) => {
    await gate.promise
    await complete(queue, job).catch(late.resolve)
  })
  const { id } = await queue.add()
  await using worker = work(queue, handler)
  await until(async () => (await queue.read(id)).status === 'processing')
  await worker.jobs.cancel(caller, id)
  assert.equal((await worker.ended(id)).errorCode, 'cancelled')
  gate.resolve()
  assert.match(String(await late.promise), /lease/)
  assert.equal((await queue.read(id)).error_code, 'cancelled')
})

test('a job ended by others stops and is left unchanged', async () => {
  await using queue = await openQueue()
  const reasons: unknown[] = []
  const handler = noting(async (job) => {
    await untilStopped(job).catch(() => reasons.push(job.signal.reason))
    throw new Error('stopped')
  })
  const { id } = await queue.add()
  await using worker = work(queue, handler)
  await until(async () => (await queue.read(id)).status === 'processing')
  const end = { status: 'failed', error: 'the memory was deleted', lease_token: null } as const
  await queue.db.updateTable('jobs').set(end).where('id', '=', id).execute()
  await until(() => reasons.length > 0)
  await worker.stop()
  assert.deepEqual([reasons, handler.told], [['lease-lost'], []])
  assert.equal((await queue.read(id)).error, 'the memory was deleted')
})

test('stopping gives running jobs back without counting the attempt, heeding handlers or not', async () => {
  await using queue = await openQueue()
  const heeding = await queue.add({ memoryId: newId('mem') })
  const deaf = await queue.add({ memoryId: newId('mem') })
  const handler = noting((job) => (job.job.id === deaf.id ? new Promise(() => {}) : untilStopped(job)))
  const worker = work(queue, handler)
  for (const { id } of [heeding, deaf]) await until(async () => (await queue.read(id)).status === 'processing')
  await worker.stop()
  for (const { id } of [heeding, deaf]) {
    const { status, attempts, lease_token } = await queue.read(id)
    assert.deepEqual([status, attempts, lease_token], ['pending', 0, null])
  }
  assert.deepEqual(handler.told, [])
})

test('a stopped worker takes nothing more', async () => {
  await using queue = await openQueue()
  const worker = work(
    queue,
    noting((job) => complete(queue, job)),
  )
  await worker.stop()
  const { id } = await queue.add()
  queue.changes.publish({ jobId: id, kind: 'queued' })
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal((await queue.read(id)).status, 'pending')
})

test('a single worker takes over the jobs of a dead one at its start, despite leases', async () => {
  await using queue = await openQueue()
  const { db, clock } = queue
  const { id } = await queue.add()
  await claimJobs(db, { limit: 1, leaseMs: 3_600_000, token: 'dead', now: clock.now() })
  await using worker = work(
    queue,
    noting((job) => complete(queue, job)),
    { isOnly: true },
  )
  const job = await worker.ended(id)
  assert.deepEqual([job.status, job.attempts], ['completed', 2])
})

test('a worker does not take over its own jobs, even when leases expire through a clock change', async () => {
  await using queue = await openQueue()
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let runs = 0
  const handler = noting(async (job) => {
    runs += 1
    begun.resolve()
    if (job.job.id === first.id) await gate.promise
    await complete(queue, job)
  })
  const first = await queue.add({ memoryId: newId('mem') })
  await using worker = work(queue, handler, { heartbeatMs: 3_600_000 })
  await begun.promise
  queue.clock.pass(24 * 3_600_000)
  // The worker looks for dead jobs between any two others.
  for (let others = 0; others < 3; others += 1) await worker.ended((await queue.add({ memoryId: newId('mem') })).id)
  gate.resolve()
  const { status, attempts } = await worker.ended(first.id)
  assert.deepEqual([status, attempts, runs], ['completed', 1, 4])
})

test('one of several workers takes a job of a dead one when its lease has ended, not before', async () => {
  await using queue = await openQueue()
  const { db, clock } = queue
  const { id } = await queue.add()
  await claimJobs(db, { limit: 1, leaseMs: 1000, token: 'dead', now: clock.now() })
  await using worker = work(
    queue,
    noting((job) => complete(queue, job)),
  )
  const other = await queue.add()
  await worker.ended(other.id)
  assert.equal((await queue.read(id)).lease_token, 'dead')
  clock.pass(1001)
  assert.equal((await worker.ended(id)).status, 'completed')
})

test('an end that could not be written is made up for once the lease has ended', async () => {
  await using queue = await openQueue()
  let refusals = 2
  const handler: JobHandler = {
    ...noting(() => Promise.reject(new ApiError('unprocessable_document'))),
    onFailed: async () => {
      refusals -= 1
      if (refusals >= 0) throw new ApiError('insufficient_storage')
    },
  }
  const { id } = await queue.add()
  await using worker = work(queue, handler, { leaseMs: 1000 })
  await until(() => {
    queue.clock.pass(100)
    return refusals < 0
  })
  assert.equal((await worker.ended(id)).errorCode, 'unprocessable_document')
})

test('a queue that cannot be read for a while is worked on afterwards', async () => {
  await using queue = await openQueue()
  const failures: object[] = []
  await queue.db.schema.alterTable('jobs').renameTo('away').execute()
  const log = { ...SILENT, error: (facts: object) => void failures.push(facts) }
  await using worker = work(
    queue,
    noting((job) => complete(queue, job)),
    { log },
  )
  await until(() => failures.length > 0)
  await queue.db.schema.alterTable('away').renameTo('jobs').execute()
  const { id } = await queue.add()
  assert.equal((await worker.ended(id)).status, 'completed')
})
