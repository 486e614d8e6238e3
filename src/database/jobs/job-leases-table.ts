/**
 * Leases of jobs. A claim (`claim-jobs.ts`) assigns a job to a worker with a unique token and an
 * expiry time. Three rules keep this safe when workers die, stall or lose the database:
 * - Every write of a worker names its token. A worker that resumes after its lease was reaped
 * changes no row and gets `lost`. The end of a job is one transaction with its effects, and rolls
 * back as a whole (`finalizeJob`).
 * - A worker renews its leases long before they expire. An expired lease belongs to a dead worker,
 * and any process may reap it: the job returns to the queue. Reaping names the observed lease, so
 * that a late heartbeat wins.
 * - If only one process exists, every lease found at its start is dead and is reaped immediately.
 * Cancelling sets a flag on the row. Workers honour the flag at the next lease check, and a flagged
 * job never returns to the queue.
 * Table `job_runs` holds the running attempts. An attempt's row is committed before the attempt
 * reads its documents, and deleted when it can write no longer. So a deletion knows whether a
 * writer may still add data (`deletion/deletion-outbox.ts`).
 */
import type { ExpressionBuilder, Kysely, Transaction } from 'kysely'
import { liveNodes } from '../process-tables.ts'
import type { Job, JobRun, Tables } from '../schema.ts'
import { isPostgres } from '../statements.ts'
import { finalizeJob } from './jobs-table.ts'

/** A job claimed by a worker. */
export type Lease = { jobId: string; leaseToken: string }

/** `cancelled`: held, with a cancel request. `lost`: the worker no longer holds the job. */
export type LeaseState = 'held' | 'cancelled' | 'lost'

/**
 * Maximum number of attempts that end by a dead worker or an unavailable dependency. Our choice: a
 * job that kills its worker must not do so forever.
 */
export const MAX_INTERRUPTED_ATTEMPTS = 20

/** Extends the lease to `leaseMs` from now. */
export async function heartbeat(
  db: Kysely<Tables>,
  { lease, leaseMs, now }: { lease: Lease; leaseMs: number; now: Date },
): Promise<LeaseState> {
  const row = await db
    .updateTable('jobs')
    .set({ lease_expires_at: new Date(now.getTime() + leaseMs).toISOString() })
    .where(isHeldBy(lease))
    .returning('cancel_requested')
    .executeTakeFirst()
  return toLeaseState(row)
}

/** Stores progress (0 to 99 percent) and message if the lease is held. */
export async function storeProgress(
  db: Kysely<Tables>,
  { lease, progress, message }: { lease: Lease; progress: number; message: string },
): Promise<LeaseState> {
  const row = await db
    .updateTable('jobs')
    .set({ progress, message })
    .where(isHeldBy(lease))
    .returning('cancel_requested')
    .executeTakeFirst()
  return toLeaseState(row)
}

/**
 * Release of a job to the queue; `attemptCounts` is false if the attempt was stopped without a
 * fault of the job.
 */
type ReleaseOptions = { lease: Lease; message: string; runAfter: Date; attemptCounts: boolean }

/** Returns the job to the queue, unless it is `cancelled` or `lost`, which changes nothing. */
export async function releaseJob(
  db: Kysely<Tables>,
  { lease, message, runAfter, attemptCounts }: ReleaseOptions,
): Promise<'released' | 'cancelled' | 'lost'> {
  const released = await db
    .updateTable('jobs')
    .set((eb) => ({
      ...requeuedColumns(message, runAfter),
      ...(attemptCounts ? {} : { attempts: eb('attempts', '-', 1) }),
    }))
    .where(isHeldBy(lease))
    .where('cancel_requested', '=', 0)
    .executeTakeFirst()
  if (released.numUpdatedRows > 0n) return 'released'
  const state = await getLeaseState(db, lease)
  // Held without a cancel flag: only the end of the job removes the flag, so the job is lost.
  return state === 'held' ? 'lost' : state
}

/** State of the lease. */
export async function getLeaseState(db: Kysely<Tables>, lease: Lease): Promise<LeaseState> {
  const row = await db.selectFrom('jobs').select('cancel_requested').where(isHeldBy(lease)).executeTakeFirst()
  return toLeaseState(row)
}

/**
 * True while this worker holds the job. Waits for a concurrent transaction that ends the job, such
 * as this worker's own commit without a response.
 */
export async function confirmLease(db: Kysely<Tables>, lease: Lease): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('id')
    .where(isHeldBy(lease))
    .$if(isPostgres(db), (jobs) => jobs.forNoKeyUpdate())
    .executeTakeFirst()
  return row !== undefined
}

/** Writes the effects of a failure in the job's transaction. */
type OnJobFailed = (
  transaction: Transaction<Tables>,
  job: Job,
  failure: { error: string; errorCode: string },
) => Promise<void>

/** Lists up to `limit` jobs with an expired lease, oldest first; `all` if every lease is dead. */
export async function listExpiredJobs(
  db: Kysely<Tables>,
  { which, now, limit }: { which: 'expired' | 'all'; now: Date; limit: number },
): Promise<Job[]> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('status', '=', 'processing')
    .$if(which === 'expired', (jobs) => jobs.where('lease_expires_at', '<', now.toISOString()))
    .orderBy('lease_expires_at')
    .limit(limit)
    .execute()
}

/** `pauseMs` before the next attempt; `failed` runs if there is none. */
type ReapOptions = { pauseMs: number; failed: OnJobFailed; now: Date }

/**
 * Reaps a job of a dead worker in one transaction: the job returns to the queue, or fails as
 * `cancelled` or `attempts_exhausted`. An interruption is rarely the job's fault, so it allows one
 * more attempt, up to {@link MAX_INTERRUPTED_ATTEMPTS}. Returns `false` if the worker is alive.
 */
export async function reapJob(db: Kysely<Tables>, seen: Job, reaping: ReapOptions): Promise<boolean> {
  return db.transaction().execute((transaction) => reapInTransaction(transaction, seen, reaping))
}

async function reapInTransaction(transaction: Transaction<Tables>, seen: Job, reaping: ReapOptions): Promise<boolean> {
  const job = await lockExpiredJob(transaction, seen)
  if (job === null) return false
  const allowed = Math.max(job.max_attempts, Math.min(job.max_attempts + 1, MAX_INTERRUPTED_ATTEMPTS))
  const failure = toFailure(job, allowed)
  if (failure === null) {
    const message = `waiting to retry: attempt ${job.attempts} was interrupted`
    const runAfter = new Date(reaping.now.getTime() + reaping.pauseMs)
    await transaction
      .updateTable('jobs')
      .set({ ...requeuedColumns(message, runAfter), max_attempts: allowed })
      .where('id', '=', job.id)
      .execute()
    return true
  }
  const failed = await finalizeJob(transaction, {
    jobId: job.id,
    leaseToken: job.lease_token ?? '',
    status: 'failed',
    message: failure.error,
    result: null,
    ...failure,
    now: reaping.now,
  })
  await reaping.failed(transaction, failed, failure)
  return true
}

/** Locks the row and returns its current state; `null` if the worker is alive. */
async function lockExpiredJob(transaction: Transaction<Tables>, seen: Job): Promise<Job | null> {
  const token = `reaped ${seen.lease_token}`
  const taken = await transaction
    .updateTable('jobs')
    .set({ lease_token: token })
    .where('id', '=', seen.id)
    .where('status', '=', 'processing')
    .where('lease_token', '=', seen.lease_token)
    .where('lease_expires_at', '=', seen.lease_expires_at)
    .returningAll()
    .executeTakeFirst()
  return taken ?? null
}

function toFailure(job: Job, allowed: number): { error: string; errorCode: string } | null {
  if (job.cancel_requested > 0) return readCancellation(job)
  if (job.attempts < allowed) return null
  return { error: `no attempts left: the job was interrupted ${job.attempts} times`, errorCode: 'attempts_exhausted' }
}

/** Error of a cancelled job. */
export const CANCELLED = { error: 'cancelled on request', errorCode: 'cancelled' } as const
/** Error of a job whose documents were deleted. */
export const DOCUMENTS_DELETED = { error: 'the document was deleted', errorCode: 'document_not_found' } as const
/** Reads the error of a job that was asked to stop. */
export async function getCancellation(db: Kysely<Tables>, jobId: string): Promise<ReturnType<typeof readCancellation>> {
  const job = await db.selectFrom('jobs').select('cancel_requested').where('id', '=', jobId).executeTakeFirst()
  return job === undefined ? CANCELLED : readCancellation(job)
}

/** Values of `cancel_requested`: who asked for the end of the job. */
export const CANCEL_REQUESTS = { caller: 1, deletion: 2 } as const

/** Error of a job that was asked to stop. */
function readCancellation({ cancel_requested }: Pick<Job, 'cancel_requested'>) {
  return cancel_requested === CANCEL_REQUESTS.deletion ? DOCUMENTS_DELETED : CANCELLED
}

function requeuedColumns(message: string, runAfter: Date) {
  return {
    status: 'pending',
    progress: 0,
    message,
    lease_token: null,
    lease_expires_at: null,
    run_after: runAfter.toISOString(),
  } as const
}

/** Matches the job while the lease is held. */
function isHeldBy({ jobId, leaseToken }: Lease) {
  return (eb: ExpressionBuilder<Tables, 'jobs'>) => eb.and({ id: jobId, lease_token: leaseToken, status: 'processing' })
}

function toLeaseState(row: { cancel_requested: number } | undefined): LeaseState {
  if (row === undefined) return 'lost'
  return row.cancel_requested > 0 ? 'cancelled' : 'held'
}

/** Records an attempt; must be durable before the attempt reads its documents. */
export async function insertJobRun(db: Kysely<Tables>, run: JobRun): Promise<void> {
  await db.insertInto('job_runs').values(run).execute()
}

/**
 * Deletes a finished attempt; `false` if another process already did, because the owner looked
 * dead.
 */
export async function deleteJobRun(db: Kysely<Tables>, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('job_runs').where('id', '=', id).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/**
 * Deletes attempts of processes without a heartbeat since `seenSince`, and attempts of `owner` that
 * are not in `running`.
 */
export async function deleteDeadJobRuns(
  db: Kysely<Tables>,
  { seenSince, owner, running }: { seenSince: string; owner: string; running: readonly string[] },
): Promise<void> {
  await db
    .deleteFrom('job_runs')
    .where((runs) => {
      const isOwn = runs('owner', '=', owner)
      const isOver = running.length === 0 ? isOwn : runs.and([isOwn, runs('id', 'not in', running)])
      return runs.or([runs('owner', 'not in', liveNodes(seenSince)), isOver])
    })
    .execute()
}
