import type { Log } from '../observability/log.ts'
import { openPostgres } from './postgres/open-postgres.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import type { Store } from './store.ts'

/** `place` is a PostgreSQL URL or the path of a SQLite file. */
export type StoreOptions = { place: string; maxConnections: number; log: Pick<Log, 'warn'> }

/**
 * Opens the metadata database; `migrate` creates its tables. Rejects as `openPostgres` and
 * `openSqlite` do.
 */
export function openStore({ place, ...options }: StoreOptions): Promise<Store> {
  return isPostgresUrl(place) ? openPostgres({ url: place, ...options }) : openSqlite({ path: place })
}

function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text)
}
