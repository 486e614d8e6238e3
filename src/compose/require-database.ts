import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { dataFolder } from '../files/data-folder.ts'
import { pluralize } from '../text/pluralize.ts'

/**
 * Rejects if the data folder has memory files but no database: a half-done restore, or a missing
 * database setting. A new database would know none of the files, and the service would appear to
 * have lost all data.
 */
export async function requireDatabase({ database, dataDir }: Pick<Config, 'database' | 'dataDir'>): Promise<void> {
  if (database !== null) return
  const folder = dataFolder(dataDir)
  const bytes = (await stat(folder.database).catch(() => null))?.size ?? 0
  if (bytes > 0) return
  const names = await readdir(join(folder.memoryFiles, 'memories')).catch(() => [])
  const left = names.filter((name) => name.endsWith('.lance')).length
  if (left === 0) return
  throw new Error(
    `recollect.sqlite is missing beside ${pluralize(left, 'memory file')}; restore it from a backup, ` +
      'name the database with RECOLLECT_DATABASE_URL, or set RECOLLECT_DATA_DIR to another folder',
  )
}
