import type { Kysely, Transaction } from 'kysely'
import type { JobResource, JobStatus } from '../../api/job.ts'
import { createSignal } from '../../concurrency/signal.ts'
import { isKeyValid } from '../../database/account/keys-table.ts'
import { CANCELLED } from '../../database/jobs/job-leases-table.ts'
import {
  countJobs,
  failPendingJob,
  getJob,
  listJobs,
  requestCancel,
  requeueJob,
} from '../../database/jobs/jobs-table.ts'
import { lockMemory } from '../../database/memories/memories-table.ts'
import type { Job, Tables } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { isId } from '../../ids.ts'
import type { Caller } from '../caller.ts'
import { type Reserve, withBallastReleased } from '../deletion/with-ballast.ts'
import { type Page, type PageRequest, readPage } from '../paging.ts'
import { type Keep, keepNothing } from '../request-work.ts'
import type { JobChange, JobChanges } from './job-changes.ts'
import type { JobHandlers } from './job-handler.ts'
import { hasEnded, toJobResource } from './job-resource.ts'

/** Longest hold of an answer. Our choice: under the idle time-outs of usual proxies. */
const MAX_WAIT_MS = 60_000
/**
 * How long the answer to a cancellation waits for the worker, which as a rule stops within
 * milliseconds.
 */
const CANCEL_WAIT_MS = 2000
/** How often other processes' changes are looked for. */
const POLL_MS = 1000
const POSITION = /^(\S{24}) (job_[0-9a-z]{26})$/

/**
 * `changes` tells the worker of this process; those of others see what is asked of them in the
 * job's row.
 */
type JobsDeps = {
  db: Kysely<Tables>
  blobs: Reserve
  handlers: JobHandlers
  changes: JobChanges
  now: () => Date
  pollMs?: number
  cancelWaitMs?: number
}

/** The jobs as callers may read, await, cancel and retry them. */
export function createJobsService(deps: JobsDeps): JobsService {
  const { db, changes, pollMs = POLL_MS, cancelWaitMs = CANCEL_WAIT_MS } = deps

  async function get(caller: Caller, jobId: string): Promise<JobResource> {
    return toJobResource(await requireJob(db, caller, jobId))
  }

  /**
   * As {@link get}, for a caller who asked a while ago: throws `invalid_api_key` when the key has
   * been revoked or has expired since.
   */
  async function look(caller: Caller, jobId: string): Promise<JobResource> {
    const { keyId } = caller
    if (keyId !== null && !(await isKeyValid(db, keyId, deps.now().toISOString())))
      throw new ApiError('invalid_api_key')
    return get(caller, jobId)
  }

  function watch(caller: Caller, jobId: string, signal: AbortSignal): AsyncIterable<JobResource> {
    return watchJob({ jobId, read: () => look(caller, jobId), changes, pollMs, signal })
  }

  async function wait(caller: Caller, jobId: string, { waitMs, signal }: WaitOptions): Promise<JobResource> {
    const over = new AbortController()
    const timer = setTimeout(() => over.abort(), Math.min(waitMs, MAX_WAIT_MS))
    try {
      let latest: JobResource | null = null
      for await (const job of watch(caller, jobId, AbortSignal.any([signal, over.signal]))) latest = job
      return latest ?? (await get(caller, jobId))
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    get,
    watch,
    wait,
    list: (caller, { status, memoryId }, page) => readJobs(db, { scope: caller, status, memoryId }, page),
    async cancel(caller, jobId) {
      const named = { caller, jobId }
      const cancel = () => db.transaction().execute((transaction) => cancelJob(deps, transaction, named))
      const { kind, job } = await withBallastReleased(deps.blobs, cancel)
      changes.publish({ jobId, kind })
      const cancelled = toJobResource(job)
      if (hasEnded(cancelled)) return cancelled
      // What is committed is answered, also where the job cannot be read again: an error would say
      // that nothing was cancelled.
      return wait(caller, jobId, { waitMs: cancelWaitMs, signal: new AbortController().signal }).catch(() => cancelled)
    },
    async retry(caller, jobId, keep: Keep<JobResource> = keepNothing) {
      const job = await db.transaction().execute(async (transaction) => {
        const queued = toJobResource(await retryJob(deps, transaction, { caller, jobId }))
        await keep(transaction, queued)
        return queued
      })
      changes.publish({ jobId, kind: 'queued' })
      return job
    },
  }
}

function readJobs(db: Kysely<Tables>, filter: Parameters<typeof listJobs>[1], page: PageRequest) {
  return readPage(page, {
    name: 'jobs',
    list: 'jobs',
    pattern: POSITION,
    positionOf: (job: Job) => `${job.created_at} ${job.id}`,
    read: (after, limit) => listJobs(db, filter, { after: placeOf(after), limit }),
    count: () => countJobs(db, filter),
    toResource: toJobResource,
  })
}

type Named = { caller: Caller; jobId: string }

/**
 * Ends a pending job, marks a running one, and gives its row as it is then; throws `job_not_found`,
 * `job_not_cancellable`.
 */
async function cancelJob(
  deps: JobsDeps,
  transaction: Transaction<Tables>,
  { caller, jobId }: Named,
): Promise<{ kind: JobChange['kind']; job: Job }> {
  const named = { scope: caller, jobId }
  const end = { ...CANCELLED, message: CANCELLED.error, now: deps.now() }
  const failed = await failPendingJob(transaction, named, end)
  if (failed !== null) {
    await deps.handlers[failed.job_type]?.failed(transaction, failed, CANCELLED)
    return { kind: 'changed', job: failed }
  }
  const asked = await requestCancel(transaction, named)
  if (asked !== null) return { kind: 'stop-asked', job: asked }
  const { status } = await requireJob(transaction, caller, jobId)
  if (hasEnded({ status })) throw new ApiError('job_not_cancellable', { message: `The job is ${status} already.` })
  // Given back by its worker between the two statements, which only a database of several writers
  // allows.
  return cancelJob(deps, transaction, { caller, jobId })
}

/**
 * Throws `job_not_found`, `job_not_cancellable`, and `memory_not_found` or `document_not_found`
 * when the job has nothing left to work on.
 */
async function retryJob(
  { handlers, now }: JobsDeps,
  transaction: Transaction<Tables>,
  { caller, jobId }: Named,
): Promise<Job> {
  const job = await requeueJob(transaction, { scope: caller, jobId }, now())
  if (job === null) {
    const { status } = await requireJob(transaction, caller, jobId)
    const message = `The job is ${status}; only failed and partial jobs can be retried.`
    throw new ApiError('job_not_cancellable', { message })
  }
  const handler = handlers[job.job_type]
  const isMemoryThere = handler?.makesMemory === true || (await lockMemory(transaction, job.memory_id))
  if (!isMemoryThere) throw new ApiError('memory_not_found')
  await handler?.retried(transaction, job)
  return job
}

/**
 * The job; throws `job_not_found` for a malformed identifier and whatever the caller may not see.
 */
async function requireJob(db: Kysely<Tables>, caller: Caller, jobId: string): Promise<Job> {
  const job = isId('job', jobId) ? await getJob(db, caller, jobId) : null
  if (job === null) throw new ApiError('job_not_found')
  return job
}

function placeOf(position: string | null): { createdAt: string; id: string } | null {
  const [, createdAt = '', id = ''] = position?.match(POSITION) ?? []
  return position === null ? null : { createdAt, id }
}

type WaitOptions = { waitMs: number; signal: AbortSignal }

/** The jobs of an organization: what is done behind an answer. */
export type JobsService = {
  list(
    caller: Caller,
    filter: { status: JobStatus | null; memoryId: string | null },
    page: PageRequest,
  ): Promise<Page<'jobs', JobResource>>
  get(caller: Caller, jobId: string): Promise<JobResource>
  /** Resolves when the job has ended, `waitMs` have passed or `signal` fires. */
  wait(caller: Caller, jobId: string, options: WaitOptions): Promise<JobResource>
  /**
   * Every change of the job, the present state first; ends after the state in which the job ended.
   */
  watch(caller: Caller, jobId: string, signal: AbortSignal): AsyncIterable<JobResource>
  cancel(caller: Caller, jobId: string): Promise<JobResource>
  retry(caller: Caller, jobId: string, keep?: Keep<JobResource>): Promise<JobResource>
}

/** What is watched, and how: `pollMs` between two looks when this process tells of no change. */
type Watching = {
  jobId: string
  read: () => Promise<JobResource>
  changes: Pick<JobChanges, 'subscribe'>
  pollMs: number
  signal: AbortSignal
}

/**
 * The present state, also when `signal` has fired before, then every other one that is seen; states
 * that came and went between two looks are left out. Ends after the state in which the job ended,
 * and when `signal` fires.
 */
export async function* watchJob({ jobId, read, changes, pollMs, signal }: Watching): AsyncGenerator<JobResource, void> {
  const bell = createSignal()
  // Before the first look, so that no change falls between look and subscription.
  const unsubscribe = changes.subscribe(jobId, bell.notify)
  signal.addEventListener('abort', bell.notify)
  try {
    let shown = ''
    do {
      const job = await read()
      const state = JSON.stringify(job)
      if (state !== shown) yield job
      shown = state
      if (hasEnded(job)) return
      if (!signal.aborted) await bell.wait(pollMs)
    } while (!signal.aborted)
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', bell.notify)
  }
}
