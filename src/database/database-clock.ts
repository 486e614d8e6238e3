/**
 * Corrections for stored times after their clock was set. A process alone on its database shifts
 * the times by the jump (`services/nodes/node-registry.ts`). The jump is unknown if the clock was
 * set while no process ran, or if it is the database server's clock. Then every due time too far
 * ahead is clamped to its maximum delay; overdue times are simply due.
 */
import { type Kysely, sql } from 'kysely'
import type { Tables } from './schema.ts'

/** A slower response is too imprecise for the time. */
const MAX_ROUND_TRIP_MS = 1000

/** Time of the database server, shared by its clients. */
type DatabaseClock = {
  now(): Date
  /** Queries the server again; call periodically. Rejects without a response. */
  sync(): Promise<void>
}

/**
 * Clock of PostgreSQL, for times that several machines must agree on: leases, windows and ages.
 * Clocks of machines may be days apart and may be set. Between two queries, time advances by the
 * monotonic clock at no cost. A drift of 50 ppm (a common bound of quartz clocks) is 3 ms per
 * minute.
 */
export async function openDatabaseClock(db: Kysely<Tables>): Promise<DatabaseClock> {
  let startOfTimeMs = 0

  async function sync(): Promise<void> {
    const askedAt = performance.now()
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::double precision as ms`.execute(db)
    const answeredAt = performance.now()
    const [row] = rows
    if (row === undefined || (startOfTimeMs !== 0 && answeredAt - askedAt > MAX_ROUND_TRIP_MS)) return
    startOfTimeMs = row.ms - (askedAt + answeredAt) / 2
  }

  await sync()
  return { now: () => new Date(startOfTimeMs + performance.now()), sync }
}

/** Shifts due times, leases and creation times by a number of milliseconds; SQLite only. */
export async function shiftDueTimes(db: Kysely<Tables>, byMs: number): Promise<void> {
  const by = `${byMs / 1000} seconds`
  const moved = (column: string) => sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', ${sql.ref(column)}, ${by})`
  await db.transaction().execute(async (transaction) => {
    const jobs = transaction.updateTable('jobs')
    await jobs
      .set({ run_after: moved('run_after') })
      .where('status', '=', 'pending')
      .execute()
    await jobs
      .set({ lease_expires_at: moved('lease_expires_at') })
      .where('status', '=', 'processing')
      .execute()
    const messages = transaction.updateTable('webhook_messages')
    await messages.set({ next_attempt_at: moved('next_attempt_at') }).execute()
    await messages
      .set({ lease_expires_at: moved('lease_expires_at') })
      .where('lease_token', 'is not', null)
      .execute()
    for (const table of ['idempotency', 'intents', 'removals'] as const) {
      await transaction
        .updateTable(table)
        .set({ created_at: moved('created_at') })
        .execute()
    }
  })
}

/** Maximum delays in milliseconds: of a job until its turn, and of a lease. */
type MaxDelays = { now: Date; turnMs: number; leaseMs: number }

/** Clamps times too far in the future: due times of jobs, leases, and heartbeats. */
export async function clampDueTimes(db: Kysely<Tables>, { now, turnMs, leaseMs }: MaxDelays): Promise<void> {
  const ahead = (ms: number) => new Date(now.getTime() + ms).toISOString()
  // Live owners renew a lease long before its end.
  const [due, lease, tooFar] = [ahead(0), ahead(leaseMs), ahead(2 * leaseMs)]
  const jobs = db.updateTable('jobs')
  await jobs.set({ run_after: due }).where('status', '=', 'pending').where('run_after', '>', ahead(turnMs)).execute()
  const worked = jobs.set({ lease_expires_at: lease }).where('status', '=', 'processing')
  await worked.where('lease_expires_at', '>', tooFar).execute()
  await db.updateTable('leases').set({ expires_at: lease }).where('expires_at', '>', tooFar).execute()
  await db.updateTable('nodes').set({ seen_at: due }).where('seen_at', '>', lease).execute()
  await db.deleteFrom('rate_windows').where('ends_at', '>', tooFar).execute()
}
