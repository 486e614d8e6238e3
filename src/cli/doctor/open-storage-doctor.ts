import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { openStorage } from '../../compose/open-storage.ts'
import { type Config, readConfig } from '../../config.ts'
import { dataFolder } from '../../data-folder.ts'
import type { Log } from '../../log.ts'
import { bindObjects } from '../../service/bind-objects.ts'
import type { Damage } from '../../service/doctor/damage.ts'
import { examineStorage } from '../../service/doctor/examine-storage.ts'
import { mendStorage } from '../../service/doctor/mend-storage.ts'
import { createMemoryFiles } from '../../service/memory-files.ts'
import { createRemovals } from '../../service/removals.ts'
import { lockData } from '../../store/data-lock.ts'
import { openDatabaseClock } from '../../store/database-clock.ts'
import { migrate } from '../../store/migrations.ts'
import { openMetadata } from '../open-metadata.ts'

/** Whoever looks into database, object store and memory files of this installation. */
export type StorageDoctor = {
  examine(): AsyncIterable<Damage>
  /** Mends it where nothing is lost by that; `false` where it is left. */
  mend(damage: Damage): Promise<boolean>
  close(): Promise<void>
}

/**
 * Opens the storage that the settings name. On PostgreSQL and S3 services may run meanwhile; where data is in a folder it is taken as a service takes
 * it. Rejects when the folder is in use, and when anything cannot be opened.
 */
export async function openStorageDoctor(
  environment: Readonly<Record<string, string | undefined>>,
  log: Log,
): Promise<StorageDoctor> {
  const config = readConfig(environment)
  const folder = dataFolder(config.dataDir)
  if (config.database === null && !existsSync(folder.database))
    throw new Error(`There is no data in ${config.dataDir} (RECOLLECT_DATA_DIR).`)
  await mkdir(folder.temporary, { recursive: true, mode: 0o700 })
  const unlock = config.hasPeers ? () => undefined : lockData(folder.lock)
  const store = await openMetadata(config, log)
  // As a start does: what is compared is read as this version keeps it.
  await migrate(store.db)
  const clock = store.dialect === 'postgres' ? await openDatabaseClock(store.db) : null
  const now = clock?.now ?? (() => new Date())
  const { blobs, memoryFile, close } = await openStorage(withoutCache(config), { log, now })
  if (config.database !== null) await bindObjects(store.db, blobs)
  const parts = { db: store.db, blobs, memoryFile, log, now }
  const memoryFiles = createMemoryFiles({ db: store.db, files: memoryFile })
  const removals = createRemovals({ ...parts, memoryFile: memoryFiles })
  return {
    examine: () => examineStorage(parts),
    mend: (damage) => mendStorage({ ...parts, removals }, damage),
    async close() {
      await memoryFile.close()
      close()
      await store.close()
      unlock()
    },
  }
}

/** The cache in the folder is that of a service which may be running. */
function withoutCache(config: Config): Config {
  if (config.objectStore === null) return config
  return { ...config, objectStore: { ...config.objectStore, cacheBytes: 0 } }
}
