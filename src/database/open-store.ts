import type { Log } from '../observability/log.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import type { Store } from './store.ts'

/** `place` is a PostgreSQL URL or the path of a SQLite file. */
export type StoreOptions = { place: string; maxConnections: number; log: Pick<Log, 'warn'> }

/**
 * Opens the metadata database; `migrate` creates its tables. Rejects as `openPostgres` and
 * `openSqlite` do.
 */
export async function openStore({ place, ...options }: StoreOptions): Promise<Store> {
  if (!isPostgresUrl(place)) return openSqlite({ path: place })
  // A service on SQLite does not load the driver.
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  return openPostgres({ url: place, ...options })
}

function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text)
}
