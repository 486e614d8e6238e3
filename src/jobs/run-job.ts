import type { Kysely } from 'kysely'
import {
  getLeaseState,
  heartbeat,
  type Lease,
  type LeaseState,
  storeProgress,
} from '../database/jobs/job-leases-table.ts'
import type { Job, Tables } from '../database/schema.ts'
import { reachStep } from '../observability/failpoints.ts'
import type { Log } from '../observability/log.ts'
import type { JobChanges } from '../services/jobs/job-changes.ts'
import type { JobHandlers, JobStop } from '../services/jobs/job-handler.ts'
import { type Settlement, settleJob } from './settle-job.ts'

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
  /** Resolves when the job has ended or gone back to the queue, as far as that could be written; never rejects. */
  readonly settled: Promise<void>
}

/** Starts the handler of a job that was claimed, keeps the lease while it works, and sees to what it left undone. */
export function runJob(parts: RunDeps, job: Job): JobRun {
  const { db, changes, log, leaseMs, heartbeatMs, reportMs } = parts
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
  const look = () => void heartbeat(db, { lease, leaseMs, now: parts.now() }).then(heed, missed)

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
    const outcome = await work(parts, job, { lease, signal: stopping.signal, report: progress.report })
    progress.close()
    try {
      await settleJob(parts, { job, lease, outcome, stop: getStop(stopping.signal) })
      reachStep('job:ended')
    } catch (err) {
      // The lease runs out now, and whoever reaps it does what could not be done here.
      log.error({ err, jobId: job.id }, 'the end of a job could not be written')
    } finally {
      clearInterval(beat)
      changes.publish({ jobId: job.id, kind: 'changed' })
    }
    await parts.ended(job, (performance.now() - startedMs) / 1000).catch(uncounted)
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

/** Keeps the progress of one attempt: it only grows, and is written at most once in `pauseMs`, the latest always. */
type ProgressWriter = {
  report(progress: number, message: string): void
  /** Nothing is written after it. */
  close(): void
}

/** `store` writes; when it rejects, `failed` hears of it and the next report is written as usual. */
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
    // Held from here on, so that reports that come while the row is being written wait for the pause.
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
