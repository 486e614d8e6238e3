import type { Kysely } from 'kysely'
import {
  CANCELLED,
  getCancellation,
  getLeaseState,
  heartbeat,
  type Lease,
  type LeaseState,
  MAX_INTERRUPTED_ATTEMPTS,
  releaseJob,
  storeProgress,
} from '../database/jobs/job-leases-table.ts'
import { finalizeJob, LeaseLostError } from '../database/jobs/jobs-table.ts'
import type { Job, Tables } from '../database/schema.ts'
import { ApiError, ERRORS } from '../errors.ts'
import { failpoint } from '../observability/failpoints.ts'
import type { Log } from '../observability/log.ts'
import type { JobChanges } from '../services/jobs/job-changes.ts'
import type { JobFailure, JobHandlers, JobStop } from '../services/jobs/job-handler.ts'

/** Dependencies of a run; times in milliseconds. */
export type RunDeps = {
  db: Kysely<Tables>
  handlers: JobHandlers
  changes: JobChanges
  log: Log
  now: () => Date
  leaseMs: number
  heartbeatMs: number
  /** Minimum time between two writes of progress. */
  reportMs: number
  /** Time that a handler may take to stop after the signal. */
  graceMs: number
  /** Pause before the next attempt, by the number of attempts made. */
  pauseMs: (attempts: number) => number
  /** Runs the job's code in a context that adds the job id to log lines. */
  within: <Result>(facts: { jobId: string }, work: () => Result) => Result
  /** Called after each run, once the job was finalized or requeued as far as possible. */
  ended: (job: Job, seconds: number) => Promise<void>
}

/** A claimed job that is running. */
export type JobRun = {
  /** Signals the handler to stop; the first reason wins. */
  stop(reason: JobStop): void
  /** Renews the lease now and learns from the row whether the job was cancelled. */
  renewLease(): void
  /** Resolves when the job was finalized or requeued, as far as possible; never rejects. */
  readonly settled: Promise<void>
}

/**
 * Starts the handler of a claimed job, renews the lease while the handler runs, and finalizes the
 * job.
 */
export function runJob(deps: RunDeps, job: Job): JobRun {
  const { db, changes, log, leaseMs, heartbeatMs, reportMs } = deps
  const lease: Lease = { jobId: job.id, leaseToken: job.lease_token ?? '' }
  const stopping = new AbortController()
  const startedMs = performance.now()

  const stop = (reason: JobStop) => {
    if (!stopping.signal.aborted) stopping.abort(reason)
  }
  const onLeaseState = (state: LeaseState) => {
    if (state !== 'held') stop(state === 'lost' ? 'lease-lost' : 'cancelled')
  }
  const onRenewFailed = (err: unknown) => log.warn({ err, jobId: job.id }, 'job lease could not be renewed')
  const onCountFailed = (err: unknown) => log.debug({ err, jobId: job.id }, 'job end was not counted')
  const renewLease = () => void heartbeat(db, { lease, leaseMs, now: deps.now() }).then(onLeaseState, onRenewFailed)

  const progress = createProgressWriter({
    pauseMs: reportMs,
    store: async (state) => {
      onLeaseState(await storeProgress(db, { lease, ...state }))
      changes.publish({ jobId: job.id, kind: 'changed' })
    },
    failed: onRenewFailed,
  })
  const beat = setInterval(renewLease, heartbeatMs)

  async function run(): Promise<void> {
    const outcome = await runHandler(deps, job, { lease, signal: stopping.signal, report: progress.report })
    progress.close()
    try {
      await finalizeRun(deps, { job, lease, outcome, stop: getStop(stopping.signal) })
      failpoint('job:ended')
    } catch (err) {
      // The lease now expires, and the worker that reclaims the job finalizes the job.
      log.error({ err, jobId: job.id }, 'job could not be finalized')
    } finally {
      clearInterval(beat)
      changes.publish({ jobId: job.id, kind: 'changed' })
    }
    await deps.ended(job, (performance.now() - startedMs) / 1000).catch(onCountFailed)
  }
  return { stop, renewLease, settled: run() }
}

type Outcome = FinishedRun['outcome']

/** Runs the handler until the end, or until the grace period after a stop signal is over. */
async function runHandler(
  { db, handlers, graceMs }: RunDeps,
  job: Job,
  { lease, signal, report }: { lease: Lease; signal: AbortSignal; report: (progress: number, message: string) => void },
): Promise<Outcome> {
  const handler = handlers[job.job_type]
  if (handler === undefined) return { kind: 'rejected', error: new Error(`there is no handler of ${job.job_type}`) }
  const handled = async (): Promise<Outcome> => {
    try {
      await handler.run({ job, leaseToken: lease.leaseToken, signal, report })
      return { kind: (await getLeaseState(db, lease)) === 'lost' ? 'ended' : 'unfinished' }
    } catch (error) {
      return { kind: 'rejected', error }
    }
  }
  const patience = startGracePeriod(signal, graceMs)
  try {
    return await Promise.race([handled(), patience.over.then((): Outcome => ({ kind: 'unfinished' }))])
  } finally {
    patience.end()
  }
}

/** `over` resolves `graceMs` after the signal fires, unless `end` was called. */
function startGracePeriod(signal: AbortSignal, graceMs: number): { over: Promise<void>; end: () => void } {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  const start = () => {
    timer = setTimeout(resolve, graceMs)
  }
  signal.addEventListener('abort', start, { once: true })
  return {
    over,
    end() {
      signal.removeEventListener('abort', start)
      clearTimeout(timer)
    },
  }
}

function getStop(signal: AbortSignal): JobStop | null {
  return signal.aborted ? (signal.reason as JobStop) : null
}

/** Progress of a job: 0 to 99 percent, and a message. */
export type Progress = { progress: number; message: string }

/**
 * Progress of one attempt: never decreases, is written at most once per `pauseMs`, and the latest
 * value is always written.
 */
type ProgressWriter = {
  report(progress: number, message: string): void
  /** Stops all further writes. */
  close(): void
}

/**
 * `store` writes. When `store` rejects, `failed` is called and later reports are written as usual.
 */
export function createProgressWriter({
  pauseMs,
  store,
  failed,
}: {
  pauseMs: number
  store: (progress: Progress) => Promise<void>
  failed: (error: unknown) => void
}): ProgressWriter {
  let latest: Progress = { progress: 0, message: '' }
  let isWaiting = false
  let isOpen = true
  let timer: NodeJS.Timeout | null = null

  async function write(): Promise<void> {
    isWaiting = false
    await store(latest).catch(failed)
    if (isOpen) timer = setTimeout(rest, pauseMs)
  }
  function rest(): void {
    timer = null
    if (isWaiting) start()
  }
  function start(): void {
    // Set before the write, so that reports during the write wait for the pause.
    timer = setTimeout(() => void write(), 0)
  }

  return {
    report(progress, message) {
      const grown = Math.max(latest.progress, Math.min(99, Math.max(0, Math.floor(progress) || 0)))
      if (!isOpen || (grown === latest.progress && message === latest.message)) return
      latest = { progress: grown, message }
      isWaiting = true
      if (timer === null) start()
    },
    close() {
      isOpen = false
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** Dependencies of {@link finalizeRun}. */
type FinalizeDeps = {
  db: Kysely<Tables>
  handlers: JobHandlers
  log: Log
  now: () => Date
  /** Pause in milliseconds before the next attempt, by the number of attempts made. */
  pauseMs: (attempts: number) => number
}

/**
 * Result of a handler and the stop reason. `ended`: the job is no longer this worker's, usually
 * because the handler ended the job. `unfinished`: the handler returned without ending the job, or
 * did not stop in time.
 */
type FinishedRun = {
  job: Job
  lease: Lease
  outcome: { kind: 'ended' } | { kind: 'unfinished' } | { kind: 'rejected'; error: unknown }
  stop: JobStop | null
}

/**
 * Ends or requeues the job, so that no job stays claimed. Rejects when the database cannot be
 * written.
 */
async function finalizeRun(deps: FinalizeDeps, settlement: FinishedRun): Promise<void> {
  const { job, outcome, stop } = settlement
  const facts = { jobId: job.id, jobType: job.job_type, attempt: job.attempts }
  if (outcome.kind === 'ended') return deps.log.info(facts, 'job done')
  const error = outcome.kind === 'rejected' ? outcome.error : new Error('the handler returned without ending its job')
  if (stop === 'lease-lost' || error instanceof LeaseLostError)
    return deps.log.warn(facts, 'job lost to another worker')
  if (stop === 'cancelled') return failJob(deps, settlement, CANCELLED)
  if (stop === 'shutdown') return requeue(deps, settlement)
  deps.log.warn({ ...facts, err: error }, 'job attempt failed')
  const reason = toJobFailure(error)
  if (outcome.kind === 'unfinished' || reason.isFinal) return failJob(deps, settlement, reason)
  const allowed = maxAttempts(job, reason)
  if (job.attempts < allowed) return scheduleRetry(deps, settlement, { ...reason, allowed })
  return failJob(deps, settlement, { ...reason, error: `gave up after ${job.attempts} attempts: ${reason.error}` })
}

async function failJob({ db, handlers, now }: FinalizeDeps, { job, lease }: FinishedRun, failure: JobFailure) {
  try {
    await db.transaction().execute(async (transaction) => {
      const { error, errorCode } = failure === CANCELLED ? await getCancellation(transaction, job.id) : failure
      const end = { ...lease, status: 'failed', message: error, result: null, error, errorCode, now: now() } as const
      const ended = await finalizeJob(transaction, end)
      await handlers[job.job_type]?.onFailed(transaction, ended, { error, errorCode })
    })
  } catch (thrown) {
    // Another writer ended the job meanwhile, for example by deleting the memory: nothing is left
    // to do.
    if (!(thrown instanceof LeaseLostError)) throw thrown
  }
}

/** Returns the job to the queue as if never claimed. */
async function requeue(deps: FinalizeDeps, settlement: FinishedRun): Promise<void> {
  const message = 'waiting for a worker: the last worker was stopped'
  const release = { lease: settlement.lease, message, runAfter: deps.now(), attemptCounts: false }
  if ((await releaseJob(deps.db, release)) === 'cancelled') await failJob(deps, settlement, CANCELLED)
}

/**
 * An unavailable database or object store is not the job's fault. An outage may last half an hour,
 * and pauses grow to two minutes.
 */
function maxAttempts(job: Job, { errorCode }: JobFailure): number {
  return errorCode === 'service_unavailable' ? Math.max(job.max_attempts, MAX_INTERRUPTED_ATTEMPTS) : job.max_attempts
}

async function scheduleRetry(
  deps: FinalizeDeps,
  settlement: FinishedRun,
  { error, allowed }: JobFailure & { allowed: number },
): Promise<void> {
  const { job, lease } = settlement
  const pauseMs = deps.pauseMs(job.attempts)
  const next = `attempt ${job.attempts + 1} of ${allowed}`
  const message = `waiting ${Math.ceil(pauseMs / 1000)} s for ${next}: ${error}`
  const release = { lease, message, runAfter: new Date(deps.now().getTime() + pauseMs), attemptCounts: true }
  if ((await releaseJob(deps.db, release)) === 'cancelled') await failJob(deps, settlement, CANCELLED)
}

/** Public part of the error: the message of an `ApiError`, and nothing of any other error. */
function toJobFailure(error: unknown): JobFailure & { isFinal: boolean } {
  if (!(error instanceof ApiError)) {
    return { error: ERRORS.internal_error[1], errorCode: 'internal_error', isFinal: false }
  }
  return { error: error.message, errorCode: error.code, isFinal: error.status < 500 }
}
