/** Ends the jobs of deleted documents and memories, in the deleting transaction. */
import type { Kysely, Transaction } from 'kysely'
import { enqueueJobEvents } from '../jobs/webhook-messages-table.ts'
import type { Tables } from '../schema.ts'

const ACTIVE_STATUSES = ['pending', 'processing'] as const

/**
 * Error of a job whose documents were deleted; `errorCode` is an error code of `errors.ts`, or
 * `cancelled`.
 */
export type JobFailure = { error: string; errorCode: string; now: string }

/** Fails all jobs of a memory and removes their leases; returns the ids. */
export async function failJobsOfMemory(
  transaction: Transaction<Tables>,
  memoryId: string,
  end: JobFailure,
): Promise<string[]> {
  const ended = await transaction
    .updateTable('jobs')
    .set(failedColumns(end))
    .where('memory_id', '=', memoryId)
    .where('status', 'in', ACTIVE_STATUSES)
    .returningAll()
    .execute()
  await enqueueJobEvents(transaction, ended)
  return ended.map(({ id }) => id)
}

/**
 * Ends the job of a deleted unfinished document: fails a pending job, or requests a running job to
 * stop. `false` if the job has ended or has other documents to process.
 */
export async function endJobOfDocument(
  transaction: Transaction<Tables>,
  jobId: string,
  end: JobFailure,
): Promise<boolean> {
  const other = await transaction
    .selectFrom('documents')
    .select('id')
    .where('job_id', '=', jobId)
    .where('status', 'in', ACTIVE_STATUSES)
    .limit(1)
    .executeTakeFirst()
  if (other !== undefined) return false
  const ended = await transaction
    .updateTable('jobs')
    .set(failedColumns(end))
    .where('id', '=', jobId)
    .where('status', '=', 'pending')
    .returningAll()
    .execute()
  await enqueueJobEvents(transaction, ended)
  const asked = await transaction
    .updateTable('jobs')
    .set({ cancel_requested: 1 })
    .where('id', '=', jobId)
    .where('status', '=', 'processing')
    .executeTakeFirstOrThrow()
  return ended.length > 0 || asked.numUpdatedRows > 0n
}

/** Jobs per batch. */
const JOBS_PER_BATCH = 200

/** Removes the filename from a job without remaining documents. */
export async function redactFilename(transaction: Transaction<Tables>, jobId: string): Promise<void> {
  const left = await transaction.selectFrom('documents').select('id').where('job_id', '=', jobId).limit(1).execute()
  if (left.length > 0) return
  const job = await transaction.selectFrom('jobs').select(['id', 'payload']).where('id', '=', jobId).executeTakeFirst()
  if (job !== undefined) await setPayload(transaction, job.id, withoutFilename(job.payload))
}

/** Removes the filenames from all jobs of a deleted memory. */
export async function redactFilenamesOfMemory(db: Kysely<Tables>, memoryId: string): Promise<void> {
  for (let after = ''; ; ) {
    const jobs = await db
      .selectFrom('jobs')
      .select(['id', 'payload'])
      .where('memory_id', '=', memoryId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(JOBS_PER_BATCH)
      .execute()
    for (const { id, payload } of jobs) {
      const redacted = withoutFilename(payload)
      if (redacted !== payload) await setPayload(db, id, redacted)
    }
    if (jobs.length < JOBS_PER_BATCH) return
    after = jobs.at(-1)?.id ?? ''
  }
}

async function setPayload(db: Kysely<Tables>, id: string, payload: string): Promise<void> {
  await db.updateTable('jobs').set({ payload }).where('id', '=', id).execute()
}

function withoutFilename(payload: string): string {
  const { file, ...rest } = JSON.parse(payload) as { file?: { filename?: string | null } | null }
  if (typeof file?.filename !== 'string') return payload
  return JSON.stringify({ ...rest, file: { ...file, filename: null } })
}

function failedColumns({ error, errorCode, now }: JobFailure) {
  return {
    status: 'failed' as const,
    message: error,
    error,
    error_code: errorCode,
    cancel_requested: 1,
    lease_token: null,
    lease_expires_at: null,
    completed_at: now,
  }
}
