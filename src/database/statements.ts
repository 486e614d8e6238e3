/**
 * Locks for read-modify-write. On SQLite a transaction is the only writer from its first statement,
 * and needs no lock. On PostgreSQL (READ COMMITTED) every statement sees the latest commits. A row
 * locked first with `FOR NO KEY UPDATE` stays unchanged until the end of the transaction, and
 * referencing rows can still be inserted. All locks end with their transaction, so a connection
 * pooler works.
 */
import { type Kysely, PostgresAdapter, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { Tables } from './schema.ts'

/** Arbitrary, but unique within the PostgreSQL database. */
const DATABASE_LOCK = 0x7265636f

/** True if the database is PostgreSQL. */
export function isPostgres(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** Serialises transactions on the whole database, for the initialisation at startup. */
export async function lockDatabase(transaction: Transaction<Tables>): Promise<void> {
  if (isPostgres(transaction)) await sql`select pg_advisory_xact_lock(${DATABASE_LOCK})`.execute(transaction)
}

/**
 * Runs single statements without waiting for the disk: otherwise each counted query costs a 4 ms
 * fsync. The statements survive a crash of the process, and become durable with the next durable
 * commit. Not for transactions, and never for acknowledged data.
 */
export async function runUnsynced<Result>(
  db: Kysely<Tables>,
  work: (connection: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  if (isPostgres(db)) return runWithAsyncCommit(db, work)
  return db.connection().execute(async (connection) => {
    await sql`pragma synchronous = normal`.execute(connection)
    try {
      return await work(connection)
    } finally {
      await sql`pragma synchronous = full`.execute(connection)
    }
  })
}

/** Shared counter rows are then locked for microseconds, not for the duration of an fsync. */
function runWithAsyncCommit<Result>(
  db: Kysely<Tables>,
  work: (connection: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (transaction) => {
    await sql`set local synchronous_commit = off`.execute(transaction)
    return work(transaction)
  })
}

/**
 * Rows per statement: PostgreSQL and SQLite both allow about 32,000 parameters, and a document has
 * about 30.
 */
const ROWS_PER_STATEMENT = 200

/** Splits items into batches of at most `most`, by default as many as a statement accepts. */
export function* batches<Item>(items: readonly Item[], most = ROWS_PER_STATEMENT): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += most) yield items.slice(start, start + most)
}

/**
 * Condition: the column contains a text, in any case of A to Z, as both databases compare. No
 * column contains NUL, at which SQLite would end the pattern.
 */
export function containsText(column: string, text: string): RawBuilder<SqlBool> {
  if (text.includes('\0')) return sql<SqlBool>`1 = 0`
  const lower = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  const pattern = `%${lower.replace(/[\\%_]/g, (character) => `\\${character}`)}%`
  return sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`
}

/** Filter by creation time: ISO 8601, UTC, with milliseconds. */
export type CreationFilter = { createdAfter?: string | null; createdBefore?: string | null }
