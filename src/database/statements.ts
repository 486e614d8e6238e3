/**
 * Locks for read-then-write. On SQLite a transaction is the only writer from its first statement on, and needs none. On
 * PostgreSQL (READ COMMITTED) every statement sees what was committed when it began: a row that is locked first (`FOR NO KEY
 * UPDATE`, which those that only refer to the row need not wait for) is read as it stays until the end. All of them go with their transaction, so that a pooler may stand in between.
 */
import { type Kysely, PostgresAdapter, sql, type Transaction } from 'kysely'
import type { Tables } from './schema.ts'

/** Any number does, as long as nobody else takes it in the same PostgreSQL database. */
const DATABASE_LOCK = 0x7265636f

/** True where the tables are in PostgreSQL. */
export function isPostgres(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** One such transaction at a time on the whole database: for the start, which makes what is not there yet. */
export async function lockDatabase(transaction: Transaction<Tables>): Promise<void> {
  if (isPostgres(transaction)) await sql`select pg_advisory_xact_lock(${DATABASE_LOCK})`.execute(transaction)
}

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

/** Rows a statement: PostgreSQL and SQLite both take some 32,000 parameters, a document has about 30. */
const ROWS_A_STATEMENT = 200

/** The items in lists that one statement can take, each of `most` items at most; rows of any table where absent. */
export function* slices<Item>(items: readonly Item[], most = ROWS_A_STATEMENT): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += most) yield items.slice(start, start + most)
}
