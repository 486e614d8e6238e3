import { statSync } from 'node:fs'
import { explainStart } from '../../compose/explain-start.ts'
import { requireDatabase } from '../../compose/take-folder.ts'
import { type Config, readConfig } from '../../config.ts'
import { migrate } from '../../database/migrations.ts'
import { openStore } from '../../database/open-store.ts'
import type { Store } from '../../database/store.ts'
import { dataFolder } from '../../files/data-folder.ts'
import type { Log } from '../../observability/log.ts'

/** A command needs one connection, and one for parallel work. */
const MAX_CONNECTIONS = 2

/**
 * Opens the configured metadata database, beside running services or without one. Rejects with the
 * cause and the remedy.
 */
export function openMetadata(config: Config, log: Log): Promise<Store> {
  const place = config.database?.url ?? dataFolder(config.dataDir).database
  return sayingWhy(config, async () => {
    await requireDatabase(config)
    return openStore({ place, maxConnections: MAX_CONNECTIONS, log })
  })
}

/**
 * Migrates the database to this version, and returns the steps taken. Rejects as {@link
 * openMetadata} does.
 */
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

/** Runs work with the database; rejections state the cause and the remedy. */
export async function sayingWhy<Result>(config: Config, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    // PostgreSQL errors are clear already, and unrelated to the data folder.
    if (config.database !== null) throw cause
    throw new Error(`The database cannot be opened: ${explainStart(cause, config)}`, { cause })
  }
}

/**
 * True if a service has created its database in the data folder. Throws with instructions if the
 * folder is not readable.
 */
export function hasDatabase(dataDir: string): boolean {
  try {
    return statSync(dataFolder(dataDir).database, { throwIfNoEntry: false }) !== undefined
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EPERM') return false
    throw new Error(`${mayNotRead(dataDir)} If the data is elsewhere, set RECOLLECT_DATA_DIR.`, { cause })
  }
}

/** Error message for a user who does not own the data folder. */
export function mayNotRead(dataDir: string): string {
  return `This user may not read and write ${dataDir}. Run this as the user who runs Recollect there.`
}
