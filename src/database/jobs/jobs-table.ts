/**
 * The rows of the queue as callers see them: made, read, ended, cancelled and queued again. How workers share the rows is
 * told in `job-leases.ts`. Every function that answers a caller has the organization, and the one memory of a scoped key,
 * in its WHERE.
 */
import type { Kysely, Transaction } from 'kysely'
import { newId } from '../../ids.ts'
import type { Job, Tables } from '../schema.ts'
import { noteJobEnds } from './webhook-messages-table.ts'

/** Attempts a job has before a failing handler is given up. Our choice: with pauses of 1, 5, 25 and 125 s. */
const MAX_ATTEMPTS = 5

/** Which jobs a caller may see: those of the organization, or of one memory of it. */
export type JobScope = { organizationId: string; memoryId: string | null }

/** What a new job is made of; `payload` is the job type's own, and must survive JSON. */
export type JobInput = {
  organizationId: string
  memoryId: string
  jobType: string
  payload: object
  now: Date
  /** Made when absent; given where the documents' rows name the job before it stands. */
  jobId?: string
}

/** Puts a job into the queue, to be claimed once the transaction has committed; returns its row. */
export async function insertJob(transaction: Transaction<Tables>, input: JobInput): Promise<Job> {
  const job: Job = {
    id: input.jobId ?? newId('job'),
    organization_id: input.organizationId,
    memory_id: input.memoryId,
    job_type: input.jobType,
    payload: JSON.stringify(input.payload),
    max_attempts: MAX_ATTEMPTS,
    created_at: input.now.toISOString(),
    message: 'waiting for a worker',
    result: null,
    ...queued(input.now),
  }
  await transaction.insertInto('jobs').values(job).execute()
  return job
}

/** The job, or `null` when there is none that this caller may see. */
export async function getJob(db: Kysely<Tables>, scope: JobScope, jobId: string): Promise<Job | null> {
  const found = await visible(db, scope).selectAll().where('id', '=', jobId).executeTakeFirst()
  return found ?? null
}

/** Which jobs a list has; `null` is no filter. */
export type JobFilter = { scope: JobScope; status: Job['status'] | null; memoryId: string | null }

/** At most `limit` jobs, newest first, from the one after `after` on. Rows added meanwhile move no later page. */
export async function listJobs(
  db: Kysely<Tables>,
  filter: JobFilter,
  page: { after: { createdAt: string; id: string } | null; limit: number },
): Promise<Job[]> {
  const { after, limit } = page
  const all = filtered(db, filter)
  const rest =
    after === null
      ? all
      : all.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after.createdAt, after.id)))
  return rest.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** How many jobs the whole list has. */
export async function countJobs(db: Kysely<Tables>, filter: JobFilter): Promise<number> {
  const { jobs } = await filtered(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('jobs'))
    .executeTakeFirstOrThrow()
  return Number(jobs)
}

/** The job of this type that waits or runs for a memory; `null` when none does. */
export async function getActiveJob(db: Kysely<Tables>, memoryId: string, jobType: string): Promise<Job | null> {
  const found = await db
    .selectFrom('jobs')
    .selectAll()
    .where('memory_id', '=', memoryId)
    .where('job_type', '=', jobType)
    .where('status', 'in', ['pending', 'processing'])
    .limit(1)
    .executeTakeFirst()
  return found ?? null
}

/** Keeps how far a job has come in its payload, where the lease still holds. */
export async function savePayload(
  db: Kysely<Tables>,
  { jobId, leaseToken }: { jobId: string; leaseToken: string },
  payload: object,
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ payload: JSON.stringify(payload) })
    .where('id', '=', jobId)
    .where('lease_token', '=', leaseToken)
    .execute()
}

/** Jobs of an organization that wait for a worker. */
export async function countWaitingJobs(db: Kysely<Tables>, organizationId: string): Promise<number> {
  return countJobs(db, { scope: { organizationId, memoryId: null }, status: 'pending', memoryId: null })
}

/**
 * How a job ends. `failed` is of this run: where documents that an earlier one added still show, the job is `partial`, as it was.
 * `result` `null` leaves that of an earlier run.
 */
export type JobEnd = {
  jobId: string
  leaseToken: string
  status: 'completed' | 'failed' | 'partial'
  message: string
  result: object | null
  error: string | null
  errorCode: string | null
  now: Date
}

/** The job is no longer this worker's: it was ended, reaped, or claimed again. The transaction must roll back. */
export class LeaseLost extends Error {
  readonly jobId: string

  constructor(jobId: string) {
    super(`the lease of ${jobId} is lost`)
    this.name = 'LeaseLost'
    this.jobId = jobId
  }
}

/**
 * Ends a job that is held by this lease and returns its last row; throws {@link LeaseLost} when the lease holds no more. Why it failed begins with the
 * title of its document where it has one alone: of a hundred uploads one has to know which to send again.
 */
export async function finishJob(transaction: Transaction<Tables>, asked: JobEnd): Promise<Job> {
  const end = { ...asked, ...(await explain(transaction, asked)) }
  const status = await endOf(transaction, end.jobId, end.status)
  const ended = await transaction
    .updateTable('jobs')
    .set({
      ...endedAs({ ...end, status }),
      ...(end.result === null ? {} : { result: JSON.stringify(end.result) }),
      ...(end.status === 'completed' ? { progress: 100 } : {}),
    })
    .where('id', '=', end.jobId)
    .where('lease_token', '=', end.leaseToken)
    .where('status', '=', 'processing')
    .returningAll()
    .executeTakeFirst()
  if (ended === undefined) throw new LeaseLost(end.jobId)
  await noteJobEnds(transaction, [ended])
  return ended
}

/** One job a caller names. */
export type ScopedJob = { scope: JobScope; jobId: string }

/** Ends a job that no worker has as failed, or `partial` where an earlier run of it added something that still shows; `null` when it is not pending, or not this caller's to see. */
export async function failPendingJob(
  transaction: Transaction<Tables>,
  job: ScopedJob,
  end: { message: string; error: string; errorCode: string; now: Date },
): Promise<Job | null> {
  const status = await endOf(transaction, job.jobId, 'failed')
  const failed = await updateJob(transaction, job, { from: ['pending'], columns: endedAs({ status, ...end }) })
  if (failed !== null) await noteJobEnds(transaction, [failed])
  return failed
}

/** Asks the worker that has the job to stop; `null` when none has it, or it is not this caller's to see. */
export async function requestCancel(transaction: Transaction<Tables>, job: ScopedJob): Promise<Job | null> {
  return updateJob(transaction, job, { from: ['processing'], columns: { cancel_requested: 1 } })
}

/**
 * Queues a failed or partial job again, as if new but for its id, age and payload; `null` when it is neither, or not this
 * caller's to see. The result of a partial one stays in the row, for its handler to know what is done.
 */
export async function requeueJob(transaction: Transaction<Tables>, job: ScopedJob, now: Date): Promise<Job | null> {
  const columns = { ...queued(now), max_attempts: MAX_ATTEMPTS, message: 'waiting for a worker again' }
  return updateJob(transaction, job, { from: ['failed', 'partial'], columns })
}

async function updateJob(
  transaction: Transaction<Tables>,
  { scope: { organizationId, memoryId }, jobId }: ScopedJob,
  { from, columns }: { from: readonly Job['status'][]; columns: Partial<Job> },
): Promise<Job | null> {
  const update = transaction
    .updateTable('jobs')
    .set(columns)
    .where('id', '=', jobId)
    .where('organization_id', '=', organizationId)
    .where('status', 'in', from)
  const scoped = memoryId === null ? update : update.where('memory_id', '=', memoryId)
  return (await scoped.returningAll().executeTakeFirst()) ?? null
}

function visible(db: Kysely<Tables>, { organizationId, memoryId }: JobScope) {
  const jobs = db.selectFrom('jobs').where('organization_id', '=', organizationId)
  return memoryId === null ? jobs : jobs.where('memory_id', '=', memoryId)
}

function filtered(db: Kysely<Tables>, { scope, status, memoryId }: JobFilter) {
  let jobs = visible(db, scope)
  if (status !== null) jobs = jobs.where('status', '=', status)
  if (memoryId !== null) jobs = jobs.where('memory_id', '=', memoryId)
  return jobs
}

/** The columns of a job that waits for its first attempt. */
function queued(now: Date) {
  return {
    status: 'pending',
    progress: 0,
    error: null,
    error_code: null,
    is_partial: 0,
    cancel_requested: 0,
    attempts: 0,
    lease_token: null,
    lease_expires_at: null,
    run_after: now.toISOString(),
    started_at: null,
    completed_at: null,
  } as const
}

/** What a run comes to together with those before it. */
async function endOf(
  transaction: Transaction<Tables>,
  jobId: string,
  ofRun: JobEnd['status'],
): Promise<JobEnd['status']> {
  if (ofRun !== 'failed') return ofRun
  const ofJob = transaction.selectFrom('documents').select('id').where('job_id', '=', jobId)
  const shown = await ofJob.where('status', 'in', ['ready', 'partial']).limit(1).executeTakeFirst()
  return shown === undefined ? 'failed' : 'partial'
}

/** What is told of a failure. */
async function explain(
  transaction: Transaction<Tables>,
  { jobId, status, errorCode, error }: JobEnd,
): Promise<Partial<JobEnd>> {
  if (status !== 'failed' || error === null || errorCode === 'cancelled') return {}
  const rows = await transaction.selectFrom('documents').select('title').where('job_id', '=', jobId).limit(2).execute()
  const title = rows.length === 1 ? rows[0]?.title : undefined
  return title === undefined ? {} : { message: `${title}: ${error}`, error: `${title}: ${error}` }
}

function endedAs(end: Pick<JobEnd, 'status' | 'message' | 'error' | 'errorCode' | 'now'>) {
  return {
    status: end.status,
    message: end.message,
    error: end.error,
    error_code: end.errorCode,
    is_partial: end.status === 'partial' ? 1 : 0,
    cancel_requested: 0,
    lease_token: null,
    lease_expires_at: null,
    completed_at: end.now.toISOString(),
  }
}
