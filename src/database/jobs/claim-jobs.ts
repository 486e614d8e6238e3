/**
 * Claims jobs for workers. One statement chooses the jobs from a short list of candidates, so that
 * neither a long queue nor a long history slows it down:
 * 1. `waiting`: memories with pending jobs, one index probe each (a loose index scan; `DISTINCT`
 * would read the queue).
 * 2. `due`: the oldest due job of each memory. A memory is one candidate, with one job or with
 * 10,000.
 * 3. `turns`: within an organization, memories without a running job come first, then the memory
 * served longest ago. The turn of a job is its position plus the organization's running jobs.
 * 4. Lower turns come first; ties go to the organization served longest ago. So an organization
 * with 10,000 jobs gets only every other slot once another has a job.
 *
 * The cost: a claim takes at most one job per memory, and a worker with free slots claims again.
 * The time grows with the number of waiting memories. Measured with 10,000 pending and 90,000 ended
 * jobs: 0.4 ms for one memory, 7 ms for 300, 56 ms for 5,000.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Job, Tables } from '../schema.ts'
import { isPostgres } from '../statements.ts'

/**
 * `token` must be unique per claim, to distinguish a new attempt from an earlier one of the same
 * worker.
 */
export type Claim = { limit: number; leaseMs: number; token: string; now: Date }

/**
 * Claims up to `limit` due jobs in one atomic statement and returns them as `processing`, with an
 * attempt counted and a lease of `leaseMs`. An empty list may also mean that other workers claim
 * the same jobs.
 */
export async function claimJobs(db: Kysely<Tables>, { limit, leaseMs, token, now }: Claim): Promise<Job[]> {
  const claimed = await db
    .updateTable('jobs')
    .set((eb) => ({
      status: 'processing',
      progress: 0,
      message: 'started',
      attempts: eb('attempts', '+', 1),
      lease_token: token,
      lease_expires_at: new Date(now.getTime() + leaseMs).toISOString(),
      started_at: now.toISOString(),
    }))
    .where(isClaimable(db, { now: now.toISOString(), limit }))
    .returningAll()
    .execute()
  return claimed
}

/** True if an idle worker would find a job. */
export async function hasDueJob(db: Kysely<Tables>, now: Date): Promise<boolean> {
  const due = await db
    .selectFrom('jobs')
    .select('id')
    .where('status', '=', 'pending')
    .where('run_after', '<=', now.toISOString())
    .limit(1)
    .executeTakeFirst()
  return due !== undefined
}

/**
 * SQLite runs one writer at a time. A status condition beside the list would make SQLite scan all
 * pending jobs, 10 ms for 10,000. On PostgreSQL, concurrent workers see the same candidates and
 * skip locked ones. The query is an array, because the planner may evaluate an `IN` subquery
 * repeatedly and lock more rows each time.
 */
function isClaimable(db: Kysely<Tables>, { now, limit }: { now: string; limit: number }): RawBuilder<boolean> {
  if (!isPostgres(db)) return sql<boolean>`id in (${selectCandidates(now)} limit ${limit})`
  return sql<boolean>`id = any(array(${selectCandidates(now)} limit ${limit} for update of job skip locked))`
}

function selectCandidates(now: string): RawBuilder<string> {
  return sql<string>`
    WITH RECURSIVE waiting (memory_id) AS (
      SELECT min(memory_id) FROM jobs WHERE status = 'pending'
      UNION ALL
      SELECT (SELECT min(memory_id) FROM jobs WHERE status = 'pending' AND memory_id > waiting.memory_id)
      FROM waiting WHERE waiting.memory_id IS NOT NULL
    ),
    due (id) AS (
      SELECT (
        SELECT id FROM jobs
        WHERE status = 'pending' AND memory_id = waiting.memory_id AND run_after <= ${now}
        ORDER BY run_after, id LIMIT 1
      )
      FROM waiting WHERE waiting.memory_id IS NOT NULL
    ),
    candidates AS (
      SELECT job.id, job.organization_id, job.run_after,
        (SELECT count(*) FROM jobs running
          WHERE running.status = 'processing'
            AND running.organization_id = job.organization_id) AS organization_running,
        (SELECT count(*) FROM jobs running
          WHERE running.status = 'processing' AND running.memory_id = job.memory_id) AS memory_running,
        (SELECT coalesce(max(served.started_at), '') FROM jobs served
          WHERE served.organization_id = job.organization_id) AS organization_served,
        (SELECT coalesce(max(served.started_at), '') FROM jobs served
          WHERE served.memory_id = job.memory_id) AS memory_served
      FROM due JOIN jobs job ON job.id = due.id
    ),
    turns AS (
      SELECT id, run_after, organization_served, organization_running + row_number() OVER (
        PARTITION BY organization_id ORDER BY memory_running, memory_served, run_after, id
      ) AS turn
      FROM candidates
    )
    SELECT job.id FROM turns JOIN jobs job ON job.id = turns.id AND job.status = 'pending'
    ORDER BY turns.turn, turns.organization_served, turns.run_after, job.id`
}
