import { ConfigError, readConfig } from '../../config.ts'
import { hasDatabase } from '../has-database.ts'
import { UsageError } from '../printing/describe-failure.ts'
import { type Copied, copyDataFolder } from './copy-data-folder.ts'

/** Copies the data folder that the settings name. Rejects where it is not there, where the data is (also) elsewhere, and where the copy did not become whole. */
export async function backUp(
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<Copied> {
  const { database, objectStore, dataDir } = readConfig(environment)
  if (database !== null || objectStore !== null)
    throw new ConfigError([
      'The data is not all in the data folder. docs/backup.md says how to copy a database and a bucket.',
    ])
  if (!hasDatabase(dataDir)) throw new Error(`There is no data in ${dataDir} (RECOLLECT_DATA_DIR).`)
  return copyDataFolder(dataDir, folder).catch((cause: Error) => {
    if (cause instanceof UsageError) throw cause
    throw new Error(`The copy in ${folder} is not whole; remove it. What went wrong: ${cause.message}`, { cause })
  })
}
