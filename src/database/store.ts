import type { Kysely, Transaction } from 'kysely'
import type { ClientConfig } from 'pg'
import type { ApiError } from '../errors.ts'
import type { Tables } from './schema.ts'

/** The databases the tables are written for. */
export type Dialect = 'sqlite' | 'postgres'

/** An open metadata database. */
export type Store = {
  db: Kysely<Tables>
  dialect: Dialect
  /** How a connection of one's own is opened; `null` on SQLite. */
  connection: ClientConfig | null
  /** One transaction that no time-out ends, neither a statement of it nor its wait for a lock: for a start. */
  runLong<Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result>
  /** Rejects with `service_unavailable` when the database cannot be read, or its file was removed or overwritten. */
  probe(): Promise<void>
  /** Checks the database as it does so itself, while others work on it. Rejects when it cannot be reached, and with the signal's reason. */
  check(extent: CheckExtent, signal?: AbortSignal): Promise<DatabaseCheck>
  /** Makes all indexes again from the tables, which must be whole, while nobody else works on them; true where nothing is wrong with the database then. */
  renewIndexes(): Promise<boolean>
  /** Has a listener told of every statement that meets damage. */
  onDamage(listener: (damage: ApiError) => void): void
  /** Takes what was deleted out of the log beside the database file, where there is one of the service's own. */
  cutLog(): Promise<void>
  /** Gives the disk back what the database file holds of pages without content, a little at a time, since that is written first; nothing on PostgreSQL. */
  givePagesBack(): Promise<void>
  close(): Promise<void>
}

/** How far a check goes: `quick` looks at the pages, `whole` also holds indexes to tables and rows to those that they refer to. */
export type CheckExtent = 'quick' | 'whole'

/**
 * One thing that is wrong with the database itself. `index`: what is made again from the tables; `space`: pages that count as free, or as nobody's;
 * `reference`: rows whose other half is gone; `table`: what only a backup has.
 */
export type DatabaseProblem = { part: 'table' | 'index' | 'space' | 'reference'; detail: string }

/** What a check found, and in a sentence each what it could not look at. */
export type DatabaseCheck = { problems: readonly DatabaseProblem[]; unchecked: readonly string[] }
