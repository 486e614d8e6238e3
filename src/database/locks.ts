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
