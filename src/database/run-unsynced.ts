import { type Kysely, sql } from 'kysely'
import { isPostgres } from './locks.ts'
import type { Tables } from './schema.ts'

/**
 * Runs single statements whose commit need not be on the disk when it resolves: a count per query would otherwise cost
 * 4 ms of fsync each. They survive the end of the process, and with the next durable commit they are durable themselves.
 * Not for transactions, and never for anything that was acknowledged.
 */
export async function runUnsynced<Result>(
  db: Kysely<Tables>,
  work: (connection: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  if (isPostgres(db)) return runAsynchronously(db, work)
  return db.connection().execute(async (connection) => {
    await sql`pragma synchronous = normal`.execute(connection)
    try {
      return await work(connection)
    } finally {
      await sql`pragma synchronous = full`.execute(connection)
    }
  })
}

/** A row that all callers count in is then locked for microseconds, not for as long as the disk takes. */
function runAsynchronously<Result>(
  db: Kysely<Tables>,
  work: (connection: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (transaction) => {
    await sql`set local synchronous_commit = off`.execute(transaction)
    return work(transaction)
  })
}
