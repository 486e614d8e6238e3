import type { Kysely, Transaction } from 'kysely'
import type { ClientConfig } from 'pg'
import type { ApiError } from '../errors.ts'
import type { Tables } from './schema.ts'

/** Supported databases. */
export type Dialect = 'sqlite' | 'postgres'

/** An open metadata database. */
export type Store = {
  db: Kysely<Tables>
  dialect: Dialect
  /** Configuration for a separate connection; `null` on SQLite. */
  connection: ClientConfig | null
  /** Runs a transaction without statement and lock timeouts, for startup work. */
  runWithoutTimeouts<Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result>
  /**
   * Rejects with `service_unavailable` if the database cannot be read, or its file was deleted or
   * overwritten.
   */
  probe(): Promise<void>
  /**
   * Runs the database's own check, concurrently with other work. Rejects if the database is
   * unreachable, and with the signal's reason.
   */
  check(extent: CheckExtent, signal?: AbortSignal): Promise<DatabaseCheck>
  /**
   * Rebuilds all indexes from intact tables, without concurrent access; true if the database is
   * then whole.
   */
  rebuildIndexes(): Promise<boolean>
  /** Adds a listener for statements that meet damage. */
  onDamage(listener: (damage: ApiError) => void): void
  /** Truncates the write-ahead log, to remove deleted data; no effect on PostgreSQL. */
  truncateLog(): Promise<void>
  /**
   * Returns free pages of the database file to the disk, in small steps, because each step is
   * logged first; no effect on PostgreSQL.
   */
  releaseFreePages(): Promise<void>
  close(): Promise<void>
}

/**
 * Extent of a check: `quick` checks the pages; `whole` also compares indexes with tables and checks
 * references.
 */
export type CheckExtent = 'quick' | 'whole'

/**
 * A problem of the database. `index`: can be rebuilt from the tables. `space`: a free or unused
 * page. `reference`: a row with a broken reference. `table`: only a backup helps.
 */
export type DatabaseProblem = { part: 'table' | 'index' | 'space' | 'reference'; detail: string }

/** Problems found, and a sentence for each part that could not be checked. */
export type DatabaseCheck = { problems: readonly DatabaseProblem[]; unchecked: readonly string[] }
