/**
 * The seam between the worker loop, which claims jobs and keeps their leases, and the services that
 * do their work. A handler makes its effects and the end of its job one transaction: it calls
 * `finishJob` of `database/jobs/jobs-table.ts` inside it.
 */
import type { Kysely, Transaction } from 'kysely'
import { confirmLease } from '../../database/jobs/job-leases-table.ts'
import { LeaseLostError } from '../../database/jobs/jobs-table.ts'
import type { Job, Tables } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import type { MemoryFile } from '../../memory-file/memory-file.ts'

/** A claimed job in the hands of a handler. */
export type JobWork = {
  job: Job
  /** The lease: `finishJob` refuses to end the job for any other. */
  leaseToken: string
  /**
   * Fires when the job was cancelled, its lease was lost or the worker stops; `signal.reason` is a
   * {@link JobStop}.
   */
  signal: AbortSignal
  /** Progress in percent (0 to 99) and what is being done; stored soon, never awaited. */
  report(progress: number, message: string): void
}

/** Why a handler was told to stop. */
export type JobStop = 'cancelled' | 'lease-lost' | 'shutdown'

/**
 * Why a job ended without a result; `errorCode` is an error code of `errors.ts`, `cancelled` or
 * `attempts_exhausted`.
 */
export type JobFailure = { error: string; errorCode: string }

/** Does the work of the jobs of one type. */
export type JobHandler = {
  /** True: the job makes the memory it is of, which is not there before it has completed. */
  makesMemory?: true
  /**
   * Does the work and ends the job as `completed` or `partial`. Rejecting with an `ApiError` under
   * 500 fails the job at once with its code and message; any other rejection is tried again with
   * growing pauses until the attempts are used up.
   */
  run(work: JobWork): Promise<void>
  /**
   * What else has to be written when the job fails or is cancelled, in the transaction that says
   * so.
   */
  failed(transaction: Transaction<Tables>, job: Job, failure: JobFailure): Promise<void>
  /**
   * What else has to be written when a failed or partial job goes back to the queue, in that
   * transaction.
   */
  retried(transaction: Transaction<Tables>, job: Job): Promise<void>
}

/** One handler a job type (`documentingestion`, …). */
export type JobHandlers = Readonly<Record<string, JobHandler>>

/** The job type of additions (API document, "Job"). */
export const INGESTION_JOB = 'documentingestion'
/** The job type of imports (contract, "Export and import"). */
export const IMPORT_JOB = 'memoryimport'
/** The job type of a re-embedding (contract, "Re-embed"). */
export const REEMBEDDING_JOB = 'reembedding'

/**
 * Throws when the work was told to stop; the worker, which gave the signal, knows what to make of
 * it.
 */
export function requireWorking(work: JobWork): void {
  if (!work.signal.aborted) return
  throw new ApiError('service_unavailable', { message: `The work was stopped: ${String(work.signal.reason)}.` })
}

/** Where a job writes chunks. */
type Written = { db: Kysely<Tables>; memoryFile: Pick<MemoryFile, 'deleteDocuments'> }

/**
 * Removes what earlier attempts, or this one, wrote of documents, and never what a later one
 * writes: a store that does not answer may carry a removal out when this worker has long given it
 * up, and another one has ended the job. Rejects with {@link LeaseLostError} where the job is another's
 * by now.
 */
export async function removeChunksOfJob(
  { db, memoryFile }: Written,
  { job, leaseToken }: Pick<JobWork, 'job' | 'leaseToken'>,
  documentIds: readonly string[],
): Promise<void> {
  let isHeld = true
  const confirm = async () => {
    isHeld = await confirmLease(db, { jobId: job.id, leaseToken })
    return isHeld
  }
  // Asked also where no chunk stands: the caller may have to take away more than chunks.
  if (await confirm()) await memoryFile.deleteDocuments(job.memory_id, documentIds, { confirm })
  if (!isHeld) throw new LeaseLostError(job.id)
}
