import { type Kysely, sql } from 'kysely'
import type { Tables } from '../schema.ts'

/** An answer that took longer says too little about the moment it was made in. */
const MAX_ROUND_TRIP_MS = 1000

/** The time of a database server, the same for all that use it. */
export type DatabaseClock = {
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
