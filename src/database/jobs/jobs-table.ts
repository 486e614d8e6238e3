/**
 * Table `jobs` as callers see it: insert, read, end, cancel and requeue. Leases of workers are in
 * `job-leases-table.ts`. Every function for callers filters by organization, and by memory for a
 * scoped key.
 */
import type { Kysely, Transaction } from 'kysely'
import { newId } from '../../ids.ts'
import type { Job, Tables } from '../schema.ts'
import type { CreationFilter } from '../statements.ts'
import { enqueueJobEvents } from './webhook-messages-table.ts'

/** Attempts before a failing handler is given up. Our choice: with pauses of 1, 5, 25 and 125 s. */
const MAX_ATTEMPTS = 5

/** Jobs visible to a caller: all jobs of the organization, or of some memories. */
export type JobScope = { organizationId: string; memoryIds: readonly string[] | null }

/** A new job; `payload` belongs to the job type and must be JSON. */
export type JobInput = {
  organizationId: string
  memoryId: string
  jobType: string
  payload: object
  now: Date
  /** Generated if absent; given if document rows reference the job before it exists. */
  jobId?: string
}

/** Inserts a pending job and returns its row; workers can claim the job after the commit. */
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
    ...pendingColumns(input.now),
  }
  await transaction.insertInto('jobs').values(job).execute()
  return job
}

/** Reads a job; `null` if not visible to the caller. */
export async function getJob(db: Kysely<Tables>, scope: JobScope, jobId: string): Promise<Job | null> {
  const found = await visibleJobs(db, scope).selectAll().where('id', '=', jobId).executeTakeFirst()
  return found ?? null
}

/** Filter of a list; `null` disables a filter. */
export type JobFilter = CreationFilter & {
  scope: JobScope
  status: Job['status'] | null
  memoryId: string | null
  jobType?: string | null
}

/**
 * Lists up to `limit` jobs after `after`, newest first, or oldest first if ascending. Insertions do
 * not move later pages.
 */
export async function listJobs(
  db: Kysely<Tables>,
  filter: JobFilter,
  page: { after: { createdAt: string; id: string } | null; limit: number; isAscending: boolean },
): Promise<Job[]> {
  const { after, limit, isAscending } = page
  const [operator, order] = isAscending ? (['>', 'asc'] as const) : (['<', 'desc'] as const)
  const all = filteredJobs(db, filter)
  const rest =
    after === null
      ? all
      : all.where((eb) => eb(eb.refTuple('created_at', 'id'), operator, eb.tuple(after.createdAt, after.id)))
  return rest.selectAll().orderBy('created_at', order).orderBy('id', order).limit(limit).execute()
}

/** Counts the jobs of a list. */
export async function countJobs(db: Kysely<Tables>, filter: JobFilter): Promise<number> {
  const { jobs } = await filteredJobs(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('jobs'))
    .executeTakeFirstOrThrow()
  return Number(jobs)
}

/** Finds the pending or running job of a type for a memory; `null` if absent. */
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

/** Stores the progress of a job in its payload if the lease is held. */
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

/** Counts the pending jobs of an organization. */
export async function countWaitingJobs(db: Kysely<Tables>, organizationId: string): Promise<number> {
  return countJobs(db, { scope: { organizationId, memoryIds: null }, status: 'pending', memoryId: null })
}

/**
 * Result of a run. If documents of an earlier run are visible, a `failed` run leaves the job
 * `partial`. `result: null` keeps the previous result.
 */
export type JobOutcome = {
  jobId: string
  leaseToken: string
  status: 'completed' | 'failed' | 'partial'
  message: string
  result: object | null
  error: string | null
  errorCode: string | null
  now: Date
}

/**
 * The worker no longer holds the job, because it was ended, reaped or reclaimed. The transaction
 * must roll back.
 */
export class LeaseLostError extends Error {
  readonly jobId: string

  constructor(jobId: string) {
    super(`the lease of ${jobId} is lost`)
    this.name = 'LeaseLostError'
    this.jobId = jobId
  }
}

/**
 * Finalizes a job held by this lease and returns its row; throws {@link LeaseLostError} if the
 * lease is lost. The error of a job with a single document starts with the title of that document.
 * Users then see which of a hundred uploads failed.
 */
export async function finalizeJob(transaction: Transaction<Tables>, outcome: JobOutcome): Promise<Job> {
  const end = { ...outcome, ...(await addDocumentTitle(transaction, outcome)) }
  const status = await finalStatusOf(transaction, end.jobId, end.status)
  const ended = await transaction
    .updateTable('jobs')
    .set({
      ...endColumns({ ...end, status }),
      ...(end.result === null ? {} : { result: JSON.stringify(end.result) }),
      ...(end.status === 'completed' ? { progress: 100 } : {}),
    })
    .where('id', '=', end.jobId)
    .where('lease_token', '=', end.leaseToken)
    .where('status', '=', 'processing')
    .returningAll()
    .executeTakeFirst()
  if (ended === undefined) throw new LeaseLostError(end.jobId)
  await enqueueJobEvents(transaction, [ended])
  return ended
}

/** A job named by a caller. */
export type ScopedJob = { scope: JobScope; jobId: string }

/**
 * Fails a pending job, or leaves it `partial` if documents of an earlier run are visible. Returns
 * `null` for a job that is not pending or not visible to the caller.
 */
export async function failPendingJob(
  transaction: Transaction<Tables>,
  job: ScopedJob,
  end: { message: string; error: string; errorCode: string; now: Date },
): Promise<Job | null> {
  const status = await finalStatusOf(transaction, job.jobId, 'failed')
  const failed = await updateJob(transaction, job, { from: ['pending'], columns: endColumns({ status, ...end }) })
  if (failed !== null) await enqueueJobEvents(transaction, [failed])
  return failed
}

/** Requests the worker to stop; `null` if not running or not visible to the caller. */
export async function requestCancel(transaction: Transaction<Tables>, job: ScopedJob): Promise<Job | null> {
  return updateJob(transaction, job, { from: ['processing'], columns: { cancel_requested: 1 } })
}

/**
 * Returns a failed or partial job to the queue with its id, age and payload; `null` otherwise, or
 * if not visible to the caller. A partial job keeps its result, so that its handler skips finished
 * work.
 */
export async function requeueJob(transaction: Transaction<Tables>, job: ScopedJob, now: Date): Promise<Job | null> {
  const columns = { ...pendingColumns(now), max_attempts: MAX_ATTEMPTS, message: 'waiting for a worker (retry)' }
  return updateJob(transaction, job, { from: ['failed', 'partial'], columns })
}

async function updateJob(
  transaction: Transaction<Tables>,
  { scope: { organizationId, memoryIds }, jobId }: ScopedJob,
  { from, columns }: { from: readonly Job['status'][]; columns: Partial<Job> },
): Promise<Job | null> {
  const update = transaction
    .updateTable('jobs')
    .set(columns)
    .where('id', '=', jobId)
    .where('organization_id', '=', organizationId)
    .where('status', 'in', from)
  const scoped = memoryIds === null ? update : update.where('memory_id', 'in', memoryIds)
  return (await scoped.returningAll().executeTakeFirst()) ?? null
}

function visibleJobs(db: Kysely<Tables>, { organizationId, memoryIds }: JobScope) {
  const jobs = db.selectFrom('jobs').where('organization_id', '=', organizationId)
  return memoryIds === null ? jobs : jobs.where('memory_id', 'in', memoryIds)
}

function filteredJobs(db: Kysely<Tables>, filter: JobFilter) {
  const { scope, status, memoryId, jobType = null, createdAfter = null, createdBefore = null } = filter
  let jobs = visibleJobs(db, scope)
  if (status !== null) jobs = jobs.where('status', '=', status)
  if (memoryId !== null) jobs = jobs.where('memory_id', '=', memoryId)
  if (jobType !== null) jobs = jobs.where('job_type', '=', jobType)
  if (createdAfter !== null) jobs = jobs.where('created_at', '>', createdAfter)
  if (createdBefore !== null) jobs = jobs.where('created_at', '<', createdBefore)
  return jobs
}

/** Columns of a job before its first attempt. */
function pendingColumns(now: Date) {
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

/** Final status of the job, taking earlier runs into account. */
async function finalStatusOf(
  transaction: Transaction<Tables>,
  jobId: string,
  ofRun: JobOutcome['status'],
): Promise<JobOutcome['status']> {
  if (ofRun !== 'failed') return ofRun
  const ofJob = transaction.selectFrom('documents').select('id').where('job_id', '=', jobId)
  const shown = await ofJob.where('status', 'in', ['ready', 'partial']).limit(1).executeTakeFirst()
  return shown === undefined ? 'failed' : 'partial'
}

/** Adds the document's title to the error. */
async function addDocumentTitle(
  transaction: Transaction<Tables>,
  { jobId, status, errorCode, error }: JobOutcome,
): Promise<Partial<JobOutcome>> {
  if (status !== 'failed' || error === null || errorCode === 'cancelled') return {}
  const rows = await transaction.selectFrom('documents').select('title').where('job_id', '=', jobId).limit(2).execute()
  const title = rows.length === 1 ? rows[0]?.title : undefined
  return title === undefined ? {} : { message: `${title}: ${error}`, error: `${title}: ${error}` }
}

function endColumns(end: Pick<JobOutcome, 'status' | 'message' | 'error' | 'errorCode' | 'now'>) {
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
