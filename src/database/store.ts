import type { Kysely, Transaction } from 'kysely'
import type { ClientConfig } from 'pg'
import type { ApiError } from '../errors.ts'
import type { CheckExtent, DatabaseCheck } from './database-check.ts'
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
