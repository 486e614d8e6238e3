/**
 * The seam between the worker loop, which claims jobs and keeps their leases, and the services that do their work.
 * A handler makes its effects and the end of its job one transaction: it calls `finishJob` of `database/jobs/jobs.ts` inside it.
 */
import type { Transaction } from 'kysely'
import type { Job, Tables } from '../../database/schema.ts'

/** A claimed job in the hands of a handler. */
export type JobWork = {
  job: Job
  /** The lease: `finishJob` refuses to end the job for any other. */
  leaseToken: string
  /** Fires when the job was cancelled, its lease was lost or the worker stops; `signal.reason` is a {@link JobStop}. */
  signal: AbortSignal
  /** Progress in percent (0 to 99) and what is being done; stored soon, never awaited. */
  report(progress: number, message: string): void
}

export type JobStop = 'cancelled' | 'lease-lost' | 'shutdown'

/** Why a job ended without a result; `errorCode` is an error code of `errors.ts`, `cancelled` or `attempts_exhausted`. */
export type JobFailure = { error: string; errorCode: string }

export type JobHandler = {
  /** True: the job makes the memory it is of, which is not there before it has completed. */
  makesMemory?: true
  /**
   * Does the work and ends the job as `completed` or `partial`. Rejecting with an `ApiError` under 500 fails the job at
   * once with its code and message; any other rejection is tried again with growing pauses until the attempts are used up.
   */
  run(work: JobWork): Promise<void>
  /** What else has to be written when the job fails or is cancelled, in the transaction that says so. */
  failed(transaction: Transaction<Tables>, job: Job, failure: JobFailure): Promise<void>
  /** What else has to be written when a failed or partial job goes back to the queue, in that transaction. */
  retried(transaction: Transaction<Tables>, job: Job): Promise<void>
}

/** One handler a job type (`documentingestion`, …). */
export type JobHandlers = Readonly<Record<string, JobHandler>>
