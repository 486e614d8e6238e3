import type { Kysely, Transaction } from 'kysely'
import type { JobResource } from '../../api/job.ts'
import { createSignal } from '../../concurrency/signal.ts'
import { isKeyValid } from '../../database/account/keys-table.ts'
import { CANCELLED } from '../../database/jobs/job-leases-table.ts'
import {
  countJobs,
  failPendingJob,
  getJob,
  type JobFilter,
  listJobs,
  requestCancel,
  requeueJob,
} from '../../database/jobs/jobs-table.ts'
import { lockMemory } from '../../database/memories/memories-table.ts'
import type { Job, Tables } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import { isId } from '../../ids.ts'
import type { Caller } from '../caller.ts'
import { type Ballast, withBallastReleased } from '../deletion/with-ballast.ts'
import { type Page, type PageRequest, readPage } from '../paging.ts'
import { type StoreResponse, storeNoResponse } from '../request-work.ts'
import type { JobChange, JobChanges } from './job-changes.ts'
import type { JobHandlers } from './job-handler.ts'
import { hasEnded, toJobResource } from './job-resource.ts'

/** Maximum time a response is held. Our choice: below the idle timeouts of common proxies. */
const MAX_WAIT_MS = 60_000
/** Time that a cancellation waits for the worker, which usually stops within milliseconds. */
const CANCEL_WAIT_MS = 2000
/** Poll interval for changes by other processes. */
const POLL_MS = 1000
const POSITION = /^(\S{24}) (job_[0-9a-z]{26})$/

/** `changes` notifies the worker of this process; other workers read the job's row. */
type JobsDeps = {
  db: Kysely<Tables>
  blobs: Ballast
  handlers: JobHandlers
  changes: JobChanges
  now: () => Date
  pollMs?: number
  cancelWaitMs?: number
}

/** Reads, awaits, cancels and retries jobs. */
export function createJobsService(deps: JobsDeps): JobsService {
  const { db, changes, pollMs = POLL_MS, cancelWaitMs = CANCEL_WAIT_MS } = deps

  async function get(caller: Caller, jobId: string): Promise<JobResource> {
    return toJobResource(await requireJob(db, caller, jobId))
  }

  /**
   * As {@link get}, for later polls of a request: throws `invalid_api_key` when the key was revoked
   * or has expired since, or the session has ended.
   */
  async function getAsValidKey(caller: Caller, jobId: string): Promise<JobResource> {
    const { keyId, sessionEndsAt } = caller
    const now = deps.now()
    const isValid =
      sessionEndsAt === undefined
        ? keyId === null || (await isKeyValid(db, keyId, now.toISOString()))
        : now < sessionEndsAt
    if (!isValid) throw new ApiError('invalid_api_key')
    return get(caller, jobId)
  }

  function watch(caller: Caller, jobId: string, signal: AbortSignal): AsyncIterable<JobResource> {
    return watchJob({ jobId, read: () => getAsValidKey(caller, jobId), changes, pollMs, signal })
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
    list: (caller, { sort = '-createdAt', ...filter }, page) =>
      readJobs(db, { filter: { ...filter, scope: caller }, sort }, page),
    async cancel(caller, jobId) {
      const named = { caller, jobId }
      const cancel = () => db.transaction().execute((transaction) => cancelJob(deps, transaction, named))
      const { kind, job } = await withBallastReleased(deps.blobs, cancel)
      changes.publish({ jobId, kind })
      const cancelled = toJobResource(job)
      if (hasEnded(cancelled)) return cancelled
      // The cancellation is committed: an error on reading the job again would wrongly report a
      // failure.
      return wait(caller, jobId, { waitMs: cancelWaitMs, signal: new AbortController().signal }).catch(() => cancelled)
    },
    async retry(caller, jobId, storeResponse: StoreResponse<JobResource> = storeNoResponse) {
      const job = await db.transaction().execute(async (transaction) => {
        const queued = toJobResource(await retryJob(deps, transaction, { caller, jobId }))
        await storeResponse(transaction, queued)
        return queued
      })
      changes.publish({ jobId, kind: 'queued' })
      return job
    },
  }
}

function readJobs(db: Kysely<Tables>, { filter, sort }: { filter: JobFilter; sort: JobSort }, page: PageRequest) {
  const isAscending = sort === 'createdAt'
  return readPage(page, {
    name: 'jobs',
    list: isAscending ? 'jobs createdAt' : 'jobs',
    pattern: POSITION,
    positionOf: (job: Job) => `${job.created_at} ${job.id}`,
    read: (after, limit) => listJobs(db, filter, { after: placeOf(after), limit, isAscending }),
    count: () => countJobs(db, filter),
    toResource: toJobResource,
  })
}

/** Order of a list. */
type JobSort = '-createdAt' | 'createdAt'

type JobKey = { caller: Caller; jobId: string }

/**
 * Ends a pending job or marks a running one, and returns its row; throws `job_not_found`,
 * `job_not_cancellable`.
 */
async function cancelJob(
  deps: JobsDeps,
  transaction: Transaction<Tables>,
  { caller, jobId }: JobKey,
): Promise<{ kind: JobChange['kind']; job: Job }> {
  const named = { scope: caller, jobId }
  const end = { ...CANCELLED, message: CANCELLED.error, now: deps.now() }
  const failed = await failPendingJob(transaction, named, end)
  if (failed !== null) {
    await deps.handlers[failed.job_type]?.onFailed(transaction, failed, CANCELLED)
    return { kind: 'changed', job: failed }
  }
  const asked = await requestCancel(transaction, named)
  if (asked !== null) return { kind: 'stop-asked', job: asked }
  const { status } = await requireJob(transaction, caller, jobId)
  if (hasEnded({ status })) throw new ApiError('job_not_cancellable', { message: `The job is ${status} already.` })
  // The worker requeued the job between the two statements, which can happen only on a database
  // with several writers.
  return cancelJob(deps, transaction, { caller, jobId })
}

/**
 * Throws `job_not_found`, `job_not_cancellable`, and `memory_not_found` or `document_not_found`
 * when nothing is left to work on.
 */
async function retryJob(
  { handlers, now }: JobsDeps,
  transaction: Transaction<Tables>,
  { caller, jobId }: JobKey,
): Promise<Job> {
  const job = await requeueJob(transaction, { scope: caller, jobId }, now())
  if (job === null) {
    const { status } = await requireJob(transaction, caller, jobId)
    const message = `The job is ${status}; only failed and partial jobs can be retried.`
    throw new ApiError('job_not_cancellable', { message })
  }
  const handler = handlers[job.job_type]
  const isMemoryThere = handler?.createsMemory === true || (await lockMemory(transaction, job.memory_id))
  if (!isMemoryThere) throw new ApiError('memory_not_found')
  await handler?.onRetried(transaction, job)
  return job
}

/**
 * Returns the job; throws `job_not_found` for a malformed id and for jobs that the caller may not
 * see.
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

/** Jobs of an organization, as callers see and control them. */
export type JobsService = {
  list(
    caller: Caller,
    listing: Omit<JobFilter, 'scope'> & { sort?: JobSort },
    page: PageRequest,
  ): Promise<Page<'jobs', JobResource>>
  get(caller: Caller, jobId: string): Promise<JobResource>
  /** Resolves when the job has ended, `waitMs` have passed or `signal` fires. */
  wait(caller: Caller, jobId: string, options: WaitOptions): Promise<JobResource>
  /** Yields the current state and every change; ends with the final state. */
  watch(caller: Caller, jobId: string, signal: AbortSignal): AsyncIterable<JobResource>
  cancel(caller: Caller, jobId: string): Promise<JobResource>
  retry(caller: Caller, jobId: string, storeResponse?: StoreResponse<JobResource>): Promise<JobResource>
}

/** `pollMs`: time between two polls without a notification. */
type WatchOptions = {
  jobId: string
  read: () => Promise<JobResource>
  changes: Pick<JobChanges, 'subscribe'>
  pollMs: number
  signal: AbortSignal
}

/**
 * Yields the current state, even after `signal` has fired, then every different state found by a
 * poll; states between two polls are skipped. Ends after the final state, and when `signal` fires.
 */
export async function* watchJob({
  jobId,
  read,
  changes,
  pollMs,
  signal,
}: WatchOptions): AsyncGenerator<JobResource, void> {
  const bell = createSignal()
  // Subscribed before the first read, so that no change is missed.
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
