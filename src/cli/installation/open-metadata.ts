import { explainStart } from '../../compose/explain-start.ts'
import { requireDatabase } from '../../compose/require-database.ts'
import { type Config, readConfig } from '../../config.ts'
import { migrate } from '../../database/migrations.ts'
import { openStore } from '../../database/open-store.ts'
import type { Store } from '../../database/store.ts'
import { dataFolder } from '../../files/data-folder.ts'
import type { Log } from '../../observability/log.ts'

/** A command needs one connection, and one for what is done beside it. */
const MAX_CONNECTIONS = 2

/** Opens the metadata database that the settings name, beside running services or without one. Rejects with why it cannot be opened, and what to do about it. */
export function openMetadata(config: Config, log: Log): Promise<Store> {
  const place = config.database?.url ?? dataFolder(config.dataDir).database
  return sayingWhy(config, async () => {
    await requireDatabase(config)
    return openStore({ place, maxConnections: MAX_CONNECTIONS, log })
  })
}

/** Brings the tables of that database up to this version; gives the steps that were taken. Rejects as {@link openMetadata} does. */
export async function migrateMetadata({
  environment,
  log,
}: {
  environment: Readonly<Record<string, string | undefined>>
  log: Log
}): Promise<string[]> {
  const config = readConfig(environment)
  const store = await openMetadata(config, log)
  try {
    return await sayingWhy(config, () => migrate(store))
  } finally {
    await store.close()
  }
}

/** Does work with the database; what it rejects with says why, and what to do about it. */
export async function sayingWhy<Result>(config: Config, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    // One that is named elsewhere says so itself, and has nothing to do with the data folder.
    if (config.database !== null) throw cause
    throw new Error(`The database cannot be opened: ${explainStart(cause, config)}`, { cause })
  }
}
