/**
 * What becomes of stored times when the clock that they were made by is set. A process that is alone on its database moves them by as much
 * (`services/nodes/node-registry.ts`). Where nobody knew how far (the clock was set while nothing ran, or it is the database server's), what
 * lies further ahead than it was ever meant to is brought forward; what lies too far behind is due, as anything late is.
 */
import { type Kysely, sql } from 'kysely'
import type { Tables } from './schema.ts'

/** An answer that took longer says too little about the moment it was made in. */
const MAX_ROUND_TRIP_MS = 1000

/** The time of a database server, the same for all that use it. */
type DatabaseClock = {
  now(): Date
  /** Asks the server again; to be done now and then. Rejects when it does not answer. */
  sync(): Promise<void>
}

/**
 * The clock of PostgreSQL, for whatever several machines have to agree on: leases, windows, the age of things. Machines'
 * own clocks may be days apart, and may be set. Between two questions the time goes on by the machine's monotonic clock, so
 * that asking what time it is costs nothing: 50 ppm of drift (a usual bound of quartz clocks) are 3 ms a minute.
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

/** Moves the turns and leases of jobs and of messages to webhooks, and the ages of what is kept for a while, by so many milliseconds, either way; on SQLite. */
export async function moveTimes(db: Kysely<Tables>, byMs: number): Promise<void> {
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

/** The longest that anything is meant to wait, in milliseconds: a job for its turn, a lease for its end. */
type LongestWaits = { now: Date; turnMs: number; leaseMs: number }

/** Brings forward what lies further ahead than it was ever meant to: jobs' turns, leases, and when processes were last heard of. */
export async function bringForward(db: Kysely<Tables>, { now, turnMs, leaseMs }: LongestWaits): Promise<void> {
  const ahead = (ms: number) => new Date(now.getTime() + ms).toISOString()
  // Whoever lives renews a lease long before it ends.
  const [due, lease, tooFar] = [ahead(0), ahead(leaseMs), ahead(2 * leaseMs)]
  const jobs = db.updateTable('jobs')
  await jobs.set({ run_after: due }).where('status', '=', 'pending').where('run_after', '>', ahead(turnMs)).execute()
  const worked = jobs.set({ lease_expires_at: lease }).where('status', '=', 'processing')
  await worked.where('lease_expires_at', '>', tooFar).execute()
  await db.updateTable('leases').set({ expires_at: lease }).where('expires_at', '>', tooFar).execute()
  await db.updateTable('nodes').set({ seen_at: due }).where('seen_at', '>', lease).execute()
  await db.deleteFrom('rate_windows').where('ends_at', '>', tooFar).execute()
}
