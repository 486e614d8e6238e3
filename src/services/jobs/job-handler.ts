/**
 * Interface between the worker, which claims jobs and renews leases, and the services that do the
 * work. A handler commits its effects and the end of its job in one transaction, by `finishJob` of
 * `database/jobs/jobs-table.ts`.
 */
import type { Kysely, Transaction } from 'kysely'
import { confirmLease } from '../../database/jobs/job-leases-table.ts'
import { LeaseLostError } from '../../database/jobs/jobs-table.ts'
import type { Job, Tables } from '../../database/schema.ts'
import { ApiError } from '../../errors.ts'
import type { MemoryFile } from '../../memory-file/memory-file.ts'

/** A claimed job, passed to a handler. */
export type JobWork = {
  job: Job
  /** Lease token, required by `finishJob`. */
  leaseToken: string
  /**
   * Fires when the job was cancelled, the lease was lost or the worker stops; `signal.reason` is a
   * {@link JobStop}.
   */
  signal: AbortSignal
  /** Reports progress in percent (0 to 99) and a message; stored soon, without waiting. */
  report(progress: number, message: string): void
}

/** Reason for stopping a handler. */
export type JobStop = 'cancelled' | 'lease-lost' | 'shutdown'

/**
 * Reason for a failed job; `errorCode` is an error code of `errors.ts`, `cancelled` or
 * `attempts_exhausted`.
 */
export type JobFailure = { error: string; errorCode: string }

/** Handler of one job type. */
export type JobHandler = {
  /** True: the job creates its memory, which does not exist before completion. */
  createsMemory?: true
  /**
   * Does the work and ends the job as `completed` or `partial`. An `ApiError` under 500 fails the
   * job with its code and message. Any other error is retried with growing pauses until the
   * attempts are used up.
   */
  run(work: JobWork): Promise<void>
  /** Further writes when the job fails or is cancelled, in the same transaction. */
  onFailed(transaction: Transaction<Tables>, job: Job, failure: JobFailure): Promise<void>
  /** Further writes when a failed or partial job is requeued, in the same transaction. */
  onRetried(transaction: Transaction<Tables>, job: Job): Promise<void>
}

/** Handlers by job type (`documentingestion`, …). */
export type JobHandlers = Readonly<Record<string, JobHandler>>

/** Job type of adds (API document, "Job"). */
export const INGESTION_JOB = 'documentingestion'
/** Job type of imports (contract, "Export and import"). */
export const IMPORT_JOB = 'memoryimport'
/** Job type of re-embeddings (contract, "Re-embed"). */
export const REEMBEDDING_JOB = 'reembedding'

/** Throws after a stop signal; the worker knows the reason and handles the error. */
export function requireWorking(work: JobWork): void {
  if (!work.signal.aborted) return
  throw new ApiError('service_unavailable', { message: `The work was stopped: ${String(work.signal.reason)}.` })
}

type ChunkStorage = { db: Kysely<Tables>; memoryFile: Pick<MemoryFile, 'deleteDocuments'> }

/**
 * Deletes chunks of this and earlier attempts, and never chunks of later ones. An unresponsive
 * store may execute the deletion long after another worker has ended the job. Rejects with {@link
 * LeaseLostError} when another worker has the job.
 */
export async function removeChunksOfJob(
  { db, memoryFile }: ChunkStorage,
  { job, leaseToken }: Pick<JobWork, 'job' | 'leaseToken'>,
  documentIds: readonly string[],
): Promise<void> {
  let isHeld = true
  const confirm = async () => {
    isHeld = await confirmLease(db, { jobId: job.id, leaseToken })
    return isHeld
  }
  // Checked even without chunks: the caller may delete more than chunks.
  if (await confirm()) await memoryFile.deleteDocuments(job.memory_id, documentIds, { confirm })
  if (!isHeld) throw new LeaseLostError(job.id)
}
