import type { Kysely } from 'kysely'
import { CANCELLED, type Lease, MAX_INTERRUPTED_ATTEMPTS, releaseJob } from '../database/jobs/job-leases-table.ts'
import { finishJob, LeaseLost } from '../database/jobs/jobs-table.ts'
import type { Job, Tables } from '../database/schema.ts'
import { ApiError, ERRORS } from '../errors.ts'
import type { Log } from '../observability/log.ts'
import type { JobFailure, JobHandlers, JobStop } from '../services/jobs/job-handler.ts'

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
 * How a handler came back, and what it had been told. `ended`: its job is no longer ours to end, as a rule because the
 * handler ended it; `unfinished`: it returned without doing so, or did not stop in time.
 */
export type Settlement = {
  job: Job
  lease: Lease
  outcome: { kind: 'ended' } | { kind: 'unfinished' } | { kind: 'rejected'; error: unknown }
  stop: JobStop | null
}

/** Ends the job or gives it back to the queue, so that it stays in nobody's hands. Rejects when that cannot be written. */
export async function settleJob(parts: SettleDeps, settlement: Settlement): Promise<void> {
  const { job, outcome, stop } = settlement
  const facts = { jobId: job.id, jobType: job.job_type, attempt: job.attempts }
  if (outcome.kind === 'ended') return parts.log.info(facts, 'job done')
  const error = outcome.kind === 'rejected' ? outcome.error : new Error('the handler returned without ending its job')
  if (stop === 'lease-lost' || error instanceof LeaseLost) return parts.log.warn(facts, 'job lost to another worker')
  if (stop === 'cancelled') return failJob(parts, settlement, CANCELLED)
  if (stop === 'shutdown') return giveBack(parts, settlement)
  parts.log.warn({ ...facts, err: error }, 'job attempt failed')
  const reason = reasonOf(error)
  if (outcome.kind === 'unfinished' || reason.isFinal) return failJob(parts, settlement, reason)
  const allowed = countAllowed(job, reason)
  if (job.attempts < allowed) return tryAgain(parts, settlement, { ...reason, allowed })
  return failJob(parts, settlement, { ...reason, error: `gave up after ${job.attempts} attempts: ${reason.error}` })
}

async function failJob({ db, handlers, now }: SettleDeps, { job, lease }: Settlement, failure: JobFailure) {
  const { error, errorCode } = failure
  const end = { ...lease, status: 'failed', message: error, result: null, error, errorCode, now: now() } as const
  try {
    await db.transaction().execute(async (transaction) => {
      const ended = await finishJob(transaction, end)
      await handlers[job.job_type]?.failed(transaction, ended, { error, errorCode })
    })
  } catch (thrown) {
    // Ended by someone else in the meantime, as when its memory was deleted: there is nothing left to do.
    if (!(thrown instanceof LeaseLost)) throw thrown
  }
}

/** Back to the queue as if it had not been claimed. */
async function giveBack(parts: SettleDeps, settlement: Settlement): Promise<void> {
  const message = 'waiting for a worker: the last one was stopped'
  const release = { lease: settlement.lease, message, runAfter: parts.now(), attemptCounts: false }
  if ((await releaseJob(parts.db, release)) === 'cancelled') await failJob(parts, settlement, CANCELLED)
}

/** A database or object store that is down is no fault of the job: it may take half an hour to come back, and the pauses grow to two minutes. */
function countAllowed(job: Job, { errorCode }: JobFailure): number {
  return errorCode === 'service_unavailable' ? Math.max(job.max_attempts, MAX_INTERRUPTED_ATTEMPTS) : job.max_attempts
}

async function tryAgain(
  parts: SettleDeps,
  settlement: Settlement,
  { error, allowed }: JobFailure & { allowed: number },
): Promise<void> {
  const { job, lease } = settlement
  const pauseMs = parts.pauseMs(job.attempts)
  const next = `attempt ${job.attempts + 1} of ${allowed}`
  const message = `waiting ${Math.ceil(pauseMs / 1000)} s for ${next}: ${error}`
  const release = { lease, message, runAfter: new Date(parts.now().getTime() + pauseMs), attemptCounts: true }
  if ((await releaseJob(parts.db, release)) === 'cancelled') await failJob(parts, settlement, CANCELLED)
}

/** What the caller may know of the error: an `ApiError`'s own words, and nothing of any other. */
function reasonOf(error: unknown): JobFailure & { isFinal: boolean } {
  if (!(error instanceof ApiError)) {
    return { error: ERRORS.internal_error[1], errorCode: 'internal_error', isFinal: false }
  }
  return { error: error.message, errorCode: error.code, isFinal: error.status < 500 }
}
