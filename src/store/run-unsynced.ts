import { type Kysely, SqliteAdapter, sql } from 'kysely'
import type { Tables } from './schema.ts'

/**
 * Runs single statements whose commit need not be on the disk when it resolves: a count per query would otherwise cost
 * 4 ms of fsync each. They survive the end of the process, and with the next durable commit they are durable themselves.
 * Not for transactions, and never for anything that was acknowledged. Elsewhere than on SQLite they run as usual.
 */
export async function runUnsynced<Result>(
  db: Kysely<Tables>,
  work: (connection: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return work(db)
  return db.connection().execute(async (connection) => {
    await sql`pragma synchronous = normal`.execute(connection)
    try {
      return await work(connection)
    } finally {
      await sql`pragma synchronous = full`.execute(connection)
    }
  })
}
