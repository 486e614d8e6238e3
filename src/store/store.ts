import type { Kysely, Transaction } from 'kysely'
import type { ClientConfig } from 'pg'
import type { Dialect } from './migrations/migration.ts'
import type { Tables } from './schema.ts'

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
  /** Takes what was deleted out of the log beside the database file, where there is one of the service's own. */
  cutLog(): Promise<void>
  close(): Promise<void>
}
