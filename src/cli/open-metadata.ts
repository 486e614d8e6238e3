import { type Config, readConfig } from '../config.ts'
import { dataFolder } from '../data-folder.ts'
import type { Log } from '../log.ts'
import { migrate } from '../store/migrations.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'

/** A command needs one connection, and one for what is done beside it. */
const MAX_CONNECTIONS = 2

/** Opens the metadata database that the settings name, beside running services or without one. */
export function openMetadata({ database, dataDir }: Pick<Config, 'database' | 'dataDir'>, log: Log): Promise<Store> {
  const place = database?.url ?? dataFolder(dataDir).database
  return openStore({ place, maxConnections: MAX_CONNECTIONS, log })
}

/** Brings the tables of that database up to this version; gives the steps that were taken. */
export async function migrateMetadata({
  environment,
  log,
}: {
  environment: Readonly<Record<string, string | undefined>>
  log: Log
}): Promise<string[]> {
  const store = await openMetadata(readConfig(environment), log)
  try {
    return await migrate(store)
  } finally {
    await store.close()
  }
}
