import type { Kysely } from 'kysely'
import {
  CANCELLED,
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

/** What a run needs; times in milliseconds. */
export type RunDeps = {
  db: Kysely<Tables>
  handlers: JobHandlers
  changes: JobChanges
  log: Log
  now: () => Date
  leaseMs: number
  heartbeatMs: number
  /** Least time between two writes of progress. */
  reportMs: number
  /** How long a handler that was told to stop may take to do so. */
  graceMs: number
  /** Pause before the next attempt, by the attempts made so far. */
  pauseMs: (attempts: number) => number
  /** Runs what a job calls, so that the log knows for which job it is. */
  within: <Result>(facts: { jobId: string }, work: () => Result) => Result
  /** Hears of each run when its job was ended or given back, as far as that could be written. */
  ended: (job: Job, seconds: number) => Promise<void>
}

/** A claimed job in work. */
export type JobRun = {
  /** Tells the handler to stop; the first reason counts. */
  stop(reason: JobStop): void
  /** Looks at once whether the job is to be cancelled. */
  look(): void
  /**
   * Resolves when the job has ended or gone back to the queue, as far as that could be written;
   * never rejects.
   */
  readonly settled: Promise<void>
}

/**
 * Starts the handler of a job that was claimed, keeps the lease while it works, and sees to what it
 * left undone.
 */
export function runJob(deps: RunDeps, job: Job): JobRun {
  const { db, changes, log, leaseMs, heartbeatMs, reportMs } = deps
  const lease: Lease = { jobId: job.id, leaseToken: job.lease_token ?? '' }
  const stopping = new AbortController()
  const startedMs = performance.now()

  const stop = (reason: JobStop) => {
    if (!stopping.signal.aborted) stopping.abort(reason)
  }
  const heed = (state: LeaseState) => {
    if (state !== 'held') stop(state === 'lost' ? 'lease-lost' : 'cancelled')
  }
  const missed = (err: unknown) => log.warn({ err, jobId: job.id }, 'the lease of a job could not be written')
  const uncounted = (err: unknown) => log.debug({ err, jobId: job.id }, 'the end of a job was not counted')
  const look = () => void heartbeat(db, { lease, leaseMs, now: deps.now() }).then(heed, missed)

  const progress = createProgressWriter({
    pauseMs: reportMs,
    store: async (state) => {
      heed(await storeProgress(db, { lease, ...state }))
      changes.publish({ jobId: job.id, kind: 'changed' })
    },
    failed: missed,
  })
  const beat = setInterval(look, heartbeatMs)

  async function run(): Promise<void> {
    const outcome = await work(deps, job, { lease, signal: stopping.signal, report: progress.report })
    progress.close()
    try {
      await settleJob(deps, { job, lease, outcome, stop: getStop(stopping.signal) })
      failpoint('job:ended')
    } catch (err) {
      // The lease runs out now, and whoever reaps it does what could not be done here.
      log.error({ err, jobId: job.id }, 'the end of a job could not be written')
    } finally {
      clearInterval(beat)
      changes.publish({ jobId: job.id, kind: 'changed' })
    }
    await deps.ended(job, (performance.now() - startedMs) / 1000).catch(uncounted)
  }
  return { stop, look, settled: run() }
}

type Outcome = Settlement['outcome']

/** Runs the handler until it is done, or has been told to stop and not done so in time. */
async function work(
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
  const patience = afterStop(signal, graceMs)
  try {
    return await Promise.race([handled(), patience.over.then((): Outcome => ({ kind: 'unfinished' }))])
  } finally {
    patience.end()
  }
}

/** `over` resolves `graceMs` after the signal has fired, unless `end` was called. */
function afterStop(signal: AbortSignal, graceMs: number): { over: Promise<void>; end: () => void } {
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

/** What a job is at: 0 to 99 percent, and words for it. */
export type Progress = { progress: number; message: string }

/**
 * Keeps the progress of one attempt: it only grows, and is written at most once in `pauseMs`, the
 * latest always.
 */
type ProgressWriter = {
  report(progress: number, message: string): void
  /** Nothing is written after it. */
  close(): void
}

/**
 * `store` writes; when it rejects, `failed` hears of it and the next report is written as usual.
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
    // Held from here on, so that reports that come while the row is being written wait for the
    // pause.
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

/** What settling needs. */
type SettleDeps = {
  db: Kysely<Tables>
  handlers: JobHandlers
  log: Log
  now: () => Date
  /** Pause in milliseconds before the next attempt, by the attempts made so far. */
  pauseMs: (attempts: number) => number
}

/**
 * How a handler came back, and what it had been told. `ended`: its job is no longer ours to end, as
 * a rule because the handler ended it; `unfinished`: it returned without doing so, or did not stop
 * in time.
 */
type Settlement = {
  job: Job
  lease: Lease
  outcome: { kind: 'ended' } | { kind: 'unfinished' } | { kind: 'rejected'; error: unknown }
  stop: JobStop | null
}

/**
 * Ends the job or gives it back to the queue, so that it stays in nobody's hands. Rejects when that
 * cannot be written.
 */
async function settleJob(deps: SettleDeps, settlement: Settlement): Promise<void> {
  const { job, outcome, stop } = settlement
  const facts = { jobId: job.id, jobType: job.job_type, attempt: job.attempts }
  if (outcome.kind === 'ended') return deps.log.info(facts, 'job done')
  const error = outcome.kind === 'rejected' ? outcome.error : new Error('the handler returned without ending its job')
  if (stop === 'lease-lost' || error instanceof LeaseLostError)
    return deps.log.warn(facts, 'job lost to another worker')
  if (stop === 'cancelled') return failJob(deps, settlement, CANCELLED)
  if (stop === 'shutdown') return giveBack(deps, settlement)
  deps.log.warn({ ...facts, err: error }, 'job attempt failed')
  const reason = reasonOf(error)
  if (outcome.kind === 'unfinished' || reason.isFinal) return failJob(deps, settlement, reason)
  const allowed = countAllowed(job, reason)
  if (job.attempts < allowed) return tryAgain(deps, settlement, { ...reason, allowed })
  return failJob(deps, settlement, { ...reason, error: `gave up after ${job.attempts} attempts: ${reason.error}` })
}

async function failJob({ db, handlers, now }: SettleDeps, { job, lease }: Settlement, failure: JobFailure) {
  const { error, errorCode } = failure
  const end = { ...lease, status: 'failed', message: error, result: null, error, errorCode, now: now() } as const
  try {
    await db.transaction().execute(async (transaction) => {
      const ended = await finalizeJob(transaction, end)
      await handlers[job.job_type]?.failed(transaction, ended, { error, errorCode })
    })
  } catch (thrown) {
    // Ended by someone else in the meantime, as when its memory was deleted: there is nothing left
    // to do.
    if (!(thrown instanceof LeaseLostError)) throw thrown
  }
}

/** Back to the queue as if it had not been claimed. */
async function giveBack(deps: SettleDeps, settlement: Settlement): Promise<void> {
  const message = 'waiting for a worker: the last one was stopped'
  const release = { lease: settlement.lease, message, runAfter: deps.now(), attemptCounts: false }
  if ((await releaseJob(deps.db, release)) === 'cancelled') await failJob(deps, settlement, CANCELLED)
}

/**
 * A database or object store that is down is no fault of the job: it may take half an hour to come
 * back, and the pauses grow to two minutes.
 */
function countAllowed(job: Job, { errorCode }: JobFailure): number {
  return errorCode === 'service_unavailable' ? Math.max(job.max_attempts, MAX_INTERRUPTED_ATTEMPTS) : job.max_attempts
}

async function tryAgain(
  deps: SettleDeps,
  settlement: Settlement,
  { error, allowed }: JobFailure & { allowed: number },
): Promise<void> {
  const { job, lease } = settlement
  const pauseMs = deps.pauseMs(job.attempts)
  const next = `attempt ${job.attempts + 1} of ${allowed}`
  const message = `waiting ${Math.ceil(pauseMs / 1000)} s for ${next}: ${error}`
  const release = { lease, message, runAfter: new Date(deps.now().getTime() + pauseMs), attemptCounts: true }
  if ((await releaseJob(deps.db, release)) === 'cancelled') await failJob(deps, settlement, CANCELLED)
}

/** What the caller may know of the error: an `ApiError`'s own words, and nothing of any other. */
function reasonOf(error: unknown): JobFailure & { isFinal: boolean } {
  if (!(error instanceof ApiError)) {
    return { error: ERRORS.internal_error[1], errorCode: 'internal_error', isFinal: false }
  }
  return { error: error.message, errorCode: error.code, isFinal: error.status < 500 }
}
