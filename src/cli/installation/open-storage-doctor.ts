import { mkdir } from 'node:fs/promises'
import { openSearchModels, type SearchModels } from '../../compose/open-search-models.ts'
import { openStorage } from '../../compose/open-storage.ts'
import { readVersion } from '../../config/version.ts'
import { type Config, readConfig } from '../../config.ts'
import { openDatabaseClock } from '../../database/database-clock.ts'
import { migrate } from '../../database/migrations.ts'
import { acceptRow } from '../../database/row-checksums.ts'
import { lockData } from '../../database/sqlite/data-lock.ts'
import { createAnalyzer } from '../../engine/analysis/analyzer.ts'
import { dataFolder } from '../../files/data-folder.ts'
import type { Embedder } from '../../models/embedder.ts'
import type { Log } from '../../observability/log.ts'
import { createMeters } from '../../observability/meters.ts'
import { createDeletionOutbox } from '../../services/deletion/deletion-outbox.ts'
import {
  checkOneMemory,
  checkStorage,
  type StorageCheckDeps,
  stopAtDamage,
  toDatabaseIssues,
} from '../../services/doctor/check-storage.ts'
import type { IntegrityIssue } from '../../services/doctor/integrity-issues.ts'
import { repairIssue } from '../../services/doctor/repair-storage.ts'
import { detectHere } from '../../services/ingest/indexing/language-detector.ts'
import { createMemoryFiles } from '../../services/memory-files.ts'
import { bindObjectStore } from '../../services/nodes/bind-object-store.ts'
import { hasDatabase, openMetadata, sayingWhy } from './open-metadata.ts'

/** Examines and repairs database, object store and memory files of this installation. */
export type StorageDoctor = {
  /** Examines all memories, or one. */
  examine(memoryId?: string): AsyncIterable<IntegrityIssue>
  /** Parts that could not be examined, a sentence each; complete after the examination. */
  unchecked(): readonly string[]
  /** Repairs a damage if nothing is lost by it; `false` if the damage remains. */
  repair(damage: IntegrityIssue): Promise<boolean>
  /** Accepts a wrong row as it is; `false` for any other damage. */
  accept(damage: IntegrityIssue): Promise<boolean>
  close(): Promise<void>
}

/**
 * Opens the configured storage. On PostgreSQL and S3 services may keep running; a data folder is
 * locked as by a service. Rejects if the folder is in use or a store cannot be opened.
 */
export async function openStorageDoctor(
  environment: Readonly<Record<string, string | undefined>>,
  log: Log,
): Promise<StorageDoctor> {
  const config = readConfig(environment)
  const folder = dataFolder(config.dataDir)
  if (config.database === null && !hasDatabase(config.dataDir))
    throw new Error(`There is no data in ${config.dataDir} (RECOLLECT_DATA_DIR).`)
  await mkdir(folder.temporary, { recursive: true, mode: 0o700 })
  const unlock = config.hasPeers ? () => undefined : lockData(folder.lock)
  const store = await openMetadata(config, log)
  // As at a start: comparisons expect the current schema.
  await sayingWhy(config, () => migrate(store))
  const clock = store.dialect === 'postgres' ? await openDatabaseClock(store.db) : null
  const now = clock?.now ?? (() => new Date())
  const { blobs, memoryFile, close } = await openStorage(withoutCache(config), { log, now })
  if (config.database !== null) await bindObjectStore(store.db, blobs)
  const files = createMemoryFiles({ db: store.db, files: memoryFile })
  const parts = {
    db: store.db,
    blobs,
    memoryFile: files,
    analyzer: createAnalyzer(),
    detectLanguage: detectHere,
    listFiles: memoryFile.list,
    log,
    now,
  }
  const removals = createDeletionOutbox(parts)
  const openEmbedder = createEmbedderOpener(config, log)
  const repairDeps = { ...parts, removals, openEmbedder, renewDatabaseIndexes: store.rebuildIndexes }
  let unchecked: readonly string[] = []

  async function* examine(memoryId?: string): AsyncGenerator<IntegrityIssue> {
    const checked = await store.check('whole')
    unchecked = checked.unchecked
    yield* toDatabaseIssues(checked)
    const damages = memoryId === undefined ? checkStorage(parts) : examineOne(parts, memoryId)
    yield* stopAtDamage(damages, () => checked.problems.length > 0)
  }

  return {
    examine,
    unchecked: () => unchecked,
    repair: (damage) => repairIssue(repairDeps, damage),
    async accept({ row }) {
      if (row !== undefined) await acceptRow(store.db, row)
      return row !== undefined
    },
    async close() {
      await memoryFile.close()
      close()
      await store.close()
      unlock()
    },
  }
}

async function* examineOne(deps: StorageCheckDeps, memoryId: string): AsyncGenerator<IntegrityIssue> {
  const found: IntegrityIssue[] = []
  await checkOneMemory(deps, memoryId, { note: (damage) => void found.push(damage) })
  yield* found
}

/** Opens embedders on first use: most repairs need none. */
function createEmbedderOpener(config: Config, log: Log): (model: string) => Promise<Embedder | null> {
  let opened: Promise<SearchModels> | null = null
  return async (model) => {
    opened ??= openSearchModels(config, { log, meters: createMeters(readVersion()) })
    return (await opened).embedders.get(model)
  }
}

/** The cache in the folder belongs to a service that may be running. */
function withoutCache(config: Config): Config {
  if (config.objectStore === null) return config
  return { ...config, objectStore: { ...config.objectStore, cacheBytes: 0 } }
}
