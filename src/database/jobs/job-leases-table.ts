/**
 * How workers share the queue. A claim (`claim-jobs.ts`) gives a job to one worker under a lease: a token nobody else has,
 * and a time until which it holds. Three rules make that safe however workers die, stall or lose the database:
 *
 * - Every write of a worker names its token. A worker that was taken for dead, stopped for minutes and went on, changes no
 *   row and learns so (`lost`); the end of a job, one transaction with its effects, rolls back as a whole (`finishJob`).
 * - A worker extends its leases well before they end. A lease that has ended belongs to a dead worker, and anyone may reap
 *   it: the job goes back to the queue. Reaping names the lease it saw, so that a late heartbeat wins over it.
 * - Where one process is all there is, every lease found at its start is a dead one: they are reaped without waiting.
 *
 * Cancelling is a mark on the row. It is honoured at the next point where the lease is looked at, and no job that bears it
 * ever goes back to the queue.
 *
 * The attempts at jobs that are under way. The row of an attempt is committed before it reads what it has to write, and goes when it can write no more. So
 * whoever removes a deleted document knows whether a writer may still add to it (`deletion/deletion-outbox.ts`).
 */
import type { ExpressionBuilder, Kysely, Transaction } from 'kysely'
import { liveNodes } from '../process-tables.ts'
import type { Job, JobRun, Tables } from '../schema.ts'
import { isPostgres } from '../statements.ts'
import { finishJob } from './jobs-table.ts'

/** A job in the hands of a worker. */
export type Lease = { jobId: string; leaseToken: string }

/** `cancelled`: held, and the worker is asked to stop. `lost`: no longer this worker's job. */
export type LeaseState = 'held' | 'cancelled' | 'lost'

/** Attempts, at most, that end because their worker died, or what it needs was down. Our choice: a job that kills its worker must not do so for ever. */
export const MAX_INTERRUPTED_ATTEMPTS = 20

/** Extends the lease to `leaseMs` from now. */
export async function heartbeat(
  db: Kysely<Tables>,
  { lease, leaseMs, now }: { lease: Lease; leaseMs: number; now: Date },
): Promise<LeaseState> {
  const row = await db
    .updateTable('jobs')
    .set({ lease_expires_at: new Date(now.getTime() + leaseMs).toISOString() })
    .where(heldBy(lease))
    .returning('cancel_requested')
    .executeTakeFirst()
  return stateOf(row)
}

/** Writes progress (0 to 99 percent) and message, where the lease still holds. */
export async function storeProgress(
  db: Kysely<Tables>,
  { lease, progress, message }: { lease: Lease; progress: number; message: string },
): Promise<LeaseState> {
  const row = await db
    .updateTable('jobs')
    .set({ progress, message })
    .where(heldBy(lease))
    .returning('cancel_requested')
    .executeTakeFirst()
  return stateOf(row)
}

/** How a job goes back: `attemptCounts` is false where the attempt was stopped through no fault of the job. */
type Release = { lease: Lease; message: string; runAfter: Date; attemptCounts: boolean }

/** Gives the job back to the queue, unless it is to be cancelled (`cancelled`) or is not ours (`lost`): then nothing changes. */
export async function releaseJob(
  db: Kysely<Tables>,
  { lease, message, runAfter, attemptCounts }: Release,
): Promise<'released' | 'cancelled' | 'lost'> {
  const released = await db
    .updateTable('jobs')
    .set((eb) => ({
      ...waitingAgain(message, runAfter),
      ...(attemptCounts ? {} : { attempts: eb('attempts', '-', 1) }),
    }))
    .where(heldBy(lease))
    .where('cancel_requested', '=', 0)
    .executeTakeFirst()
  if (released.numUpdatedRows > 0n) return 'released'
  const state = await getLeaseState(db, lease)
  // Held and not marked by now: whoever marked it has taken the mark away, which only ending the job does.
  return state === 'held' ? 'lost' : state
}

/** How the lease stands. */
export async function getLeaseState(db: Kysely<Tables>, lease: Lease): Promise<LeaseState> {
  const row = await db.selectFrom('jobs').select('cancel_requested').where(heldBy(lease)).executeTakeFirst()
  return stateOf(row)
}

/**
 * True while the job is in this worker's hands. Unlike a look at the row this waits for a transaction that is about to end
 * the job, as one of our own may whose commit was not answered.
 */
export async function confirmLease(db: Kysely<Tables>, lease: Lease): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('id')
    .where(heldBy(lease))
    .$if(isPostgres(db), (jobs) => jobs.forNoKeyUpdate())
    .executeTakeFirst()
  return row !== undefined
}

/** What has to be written with the failure of a job, in its transaction. */
type OnFailed = (
  transaction: Transaction<Tables>,
  job: Job,
  failure: { error: string; errorCode: string },
) => Promise<void>

/** At most `limit` jobs whose lease has ended, longest ago first; `all` where every lease is of a dead process. */
export async function listDeadJobs(
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

/** `pauseMs` before the next attempt; `failed` is what has to be written where there is none. */
type Reaping = { pauseMs: number; failed: OnFailed; now: Date }

/**
 * Takes a job from a dead worker, in one transaction: back to the queue, or ended as failed when it was to be cancelled
 * (`cancelled`) or has cost too many workers (`attempts_exhausted`). An interruption is not the job's fault as a rule, so
 * it adds one to the attempts the job may make, up to {@link MAX_INTERRUPTED_ATTEMPTS}. `false` when the worker was alive
 * after all and nothing changed.
 */
export async function reapJob(db: Kysely<Tables>, seen: Job, reaping: Reaping): Promise<boolean> {
  return db.transaction().execute((transaction) => reap(transaction, seen, reaping))
}

async function reap(transaction: Transaction<Tables>, seen: Job, reaping: Reaping): Promise<boolean> {
  const job = await takeOver(transaction, seen)
  if (job === null) return false
  const allowed = Math.max(job.max_attempts, Math.min(job.max_attempts + 1, MAX_INTERRUPTED_ATTEMPTS))
  const failure = failureOf(job, allowed)
  if (failure === null) {
    const message = `waiting to try again: attempt ${job.attempts} was interrupted`
    const runAfter = new Date(reaping.now.getTime() + reaping.pauseMs)
    await transaction
      .updateTable('jobs')
      .set({ ...waitingAgain(message, runAfter), max_attempts: allowed })
      .where('id', '=', job.id)
      .execute()
    return true
  }
  const failed = await finishJob(transaction, {
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

/** Locks the row and returns it as it is now; `null` when the worker was alive after all. */
async function takeOver(transaction: Transaction<Tables>, seen: Job): Promise<Job | null> {
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

function failureOf(job: Job, allowed: number): { error: string; errorCode: string } | null {
  if (job.cancel_requested === 1) return CANCELLED
  if (job.attempts < allowed) return null
  return { error: `attempts used up: the job was interrupted ${job.attempts} times`, errorCode: 'attempts_exhausted' }
}

/** How a job that was cancelled ends. */
export const CANCELLED = { error: 'cancelled on request', errorCode: 'cancelled' } as const

function waitingAgain(message: string, runAfter: Date) {
  return {
    status: 'pending',
    progress: 0,
    message,
    lease_token: null,
    lease_expires_at: null,
    run_after: runAfter.toISOString(),
  } as const
}

/** Holds of the job while it is in the hands of whoever has this lease. */
function heldBy({ jobId, leaseToken }: Lease) {
  return (eb: ExpressionBuilder<Tables, 'jobs'>) => eb.and({ id: jobId, lease_token: leaseToken, status: 'processing' })
}

function stateOf(row: { cancel_requested: number } | undefined): LeaseState {
  if (row === undefined) return 'lost'
  return row.cancel_requested === 1 ? 'cancelled' : 'held'
}

/** Notes an attempt; to be called, and durable, before it reads which documents it has to write. */
export async function insertJobRun(db: Kysely<Tables>, run: JobRun): Promise<void> {
  await db.insertInto('job_runs').values(run).execute()
}

/** Takes an attempt out that is over; `false` where others have done so, because they took its process for dead. */
export async function deleteJobRun(db: Kysely<Tables>, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('job_runs').where('id', '=', id).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Takes out the attempts of processes silent since `seenSince`, and those of `owner` that are none of its `running` ones. */
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
