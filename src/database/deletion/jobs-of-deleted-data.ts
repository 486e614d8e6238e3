/** Ends the jobs of deleted documents and memories, in the deleting transaction. */
import type { Kysely, Transaction } from 'kysely'
import { CANCEL_REQUESTS } from '../jobs/job-leases-table.ts'
import { enqueueJobEvents } from '../jobs/webhook-messages-table.ts'
import type { Job, Tables } from '../schema.ts'

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
    .set({ cancel_requested: CANCEL_REQUESTS.deletion })
    .where('id', '=', jobId)
    .where('status', '=', 'processing')
    .executeTakeFirstOrThrow()
  return ended.length > 0 || asked.numUpdatedRows > 0n
}

/** Jobs per batch. */
const JOBS_PER_BATCH = 200

/**
 * Removes filename and recognized text from a job without remaining documents, and from the members
 * of an archive those of deleted documents.
 */
export async function redactFilename(transaction: Transaction<Tables>, jobId: string): Promise<void> {
  const documents = transaction.selectFrom('documents').select('id').where('job_id', '=', jobId)
  const isEmpty = (await documents.limit(1).execute()).length === 0
  const jobs = transaction.selectFrom('jobs').select(['id', 'payload', 'result']).where('id', '=', jobId)
  // Jobs of ten thousand texts are not read for each of them.
  const job = await (isEmpty ? jobs : jobs.where('payload', 'like', '%"zip":{%')).executeTakeFirst()
  if (job === undefined) return
  const rows = isEmpty ? [] : await documents.execute()
  const redacted = redactJob(job, new Set(rows.map(({ id }) => id)))
  if (redacted !== null) await updateJob(transaction, redacted)
}

/** Removes the filenames from all jobs of a deleted memory. */
export async function redactFilenamesOfMemory(db: Kysely<Tables>, memoryId: string): Promise<void> {
  for (let after = ''; ; ) {
    const jobs = await db
      .selectFrom('jobs')
      .select(['id', 'payload', 'result'])
      .where('memory_id', '=', memoryId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(JOBS_PER_BATCH)
      .execute()
    for (const job of jobs) {
      const redacted = redactJob(job, new Set())
      if (redacted !== null) await updateJob(db, redacted)
    }
    if (jobs.length < JOBS_PER_BATCH) return
    after = jobs.at(-1)?.id ?? ''
  }
}

type NamingJob = Pick<Job, 'id' | 'payload' | 'result'>
type Member = { filename: string; documentId: string | null }
type NamingPayload = { file?: { filename?: string | null } | null; zip?: { members: readonly Member[] } }
type NamingResult = { members?: readonly Member[]; warnings?: readonly { message: string }[]; text?: string }

async function updateJob(db: Kysely<Tables>, { id, ...columns }: NamingJob): Promise<void> {
  await db.updateTable('jobs').set(columns).where('id', '=', id).execute()
}

/** The job without names and recognized text of deleted documents; `null` without a change. */
function redactJob(job: NamingJob, remaining: ReadonlySet<string>): NamingJob | null {
  const { file, zip, ...rest } = JSON.parse(job.payload) as NamingPayload
  if (zip !== undefined) {
    const payload = { ...rest, file, zip: { ...zip, members: redactMembers(zip.members, remaining) } }
    const result = job.result === null ? null : JSON.stringify(redactResult(JSON.parse(job.result), remaining))
    return { ...job, payload: JSON.stringify(payload), result }
  }
  // Here, a re-embedding has the name of a memory file.
  if (typeof file !== 'object' || file === null || remaining.size > 0) return null
  const { text: _, ...result } = JSON.parse(job.result ?? '{}') as NamingResult
  const payload = JSON.stringify({ ...rest, file: { ...file, filename: null } })
  return { ...job, payload, result: job.result === null ? null : JSON.stringify(result) }
}

/** A member without a document keeps its name as long as the job has documents. */
function redactMembers(members: readonly Member[], remaining: ReadonlySet<string>): Member[] {
  const isGone = (id: string | null) => (id === null ? remaining.size === 0 : !remaining.has(id))
  return members.map((member) => (isGone(member.documentId) ? { ...member, filename: '' } : member))
}

/** Warnings of an archive start with the name of a member. */
function redactResult(result: NamingResult, remaining: ReadonlySet<string>): NamingResult {
  if (result.members === undefined) return result
  const members = redactMembers(result.members, remaining)
  const kept = members.filter(({ filename }) => filename !== '')
  const warnings = result.warnings?.filter(({ message }) =>
    kept.some(({ filename }) => message.startsWith(`${filename}: `)),
  )
  return { ...result, members, ...(warnings && { warnings }) }
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
