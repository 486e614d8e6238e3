import { access, constants, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { lockData } from '../database/sqlite/data-lock.ts'
import { isOutOfRoom } from '../errors.ts'
import { type DataFolder, dataFolder } from '../files/data-folder.ts'
import { makeFolder } from '../files/make-folder.ts'
import { readFreeBytes } from '../files/read-free-bytes.ts'
import { createBallastFile } from '../objects/disk-space.ts'
import { pluralize } from '../text/pluralize.ts'

/**
 * Maximum bytes that a start writes: the database's log and shared memory, and the row of this
 * process. Measured: 0.2 MB. Migrations that rewrite tables check for space themselves.
 */
const START_BYTES = 2 * 1024 * 1024

/**
 * Locks the data folder for this process, and deletes temporary files of earlier processes. Returns
 * the function that unlocks it.
 */
export async function takeFolder(config: Config): Promise<() => void> {
  await requireDatabase(config)
  const { dataDir } = config
  const { temporary } = dataFolder(dataDir)
  await makeFolder(dataDir)
  // On a read-only mount, the lock would fail with a less clear error.
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  const unlock = await takeLock(dataFolder(dataDir))
  await rm(temporary, { recursive: true, force: true })
  await makeFolder(temporary)
  return unlock
}

/**
 * Locks a data folder; the returned function unlocks it. On a full disk, uses the space reserved
 * for deletions, since a service that does not start cannot delete. Rejects as `lockData` does.
 */
async function takeLock({ lock, objects }: DataFolder): Promise<() => void> {
  const reserve = createBallastFile(objects)
  const unlock = await lockOrMakeRoom(lock, reserve.release)
  if ((await readFreeBytes(dirname(lock))) < START_BYTES) await reserve.release()
  return unlock
}

async function lockOrMakeRoom(lock: string, makeRoom: () => Promise<void>): Promise<() => void> {
  try {
    return lockData(lock)
  } catch (error) {
    // A lock held by another process is detected before any space is needed.
    if (!isOutOfRoom(error)) throw error
  }
  await makeRoom()
  return lockData(lock)
}

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
