/**
 * Moves an installation from a data folder to PostgreSQL and S3. Files come first, each read back
 * and compared by hash. Then one transaction inserts all rows and makes everything visible. So the
 * move may be interrupted at any moment and restarted: identical files are not sent again, and
 * either all rows exist or none. Until then a mark in the bucket identifies the owner of the files.
 * The folder is only read.
 */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { mapConcurrent } from '../../concurrency/map-concurrent.ts'
import { type Config, ConfigError, readConfig } from '../../config.ts'
import { getFirstOrganization } from '../../database/account/organizations-table.ts'
import { copyRows, readInstallationId } from '../../database/copy-rows.ts'
import { migrate } from '../../database/migrations.ts'
import type { Tables } from '../../database/schema.ts'
import { lockData } from '../../database/sqlite/data-lock.ts'
import { lockDatabase } from '../../database/statements.ts'
import { dataFolder } from '../../files/data-folder.ts'
import { createS3Mirror, type S3Mirror } from '../../objects/s3-mirror.ts'
import type { Log } from '../../observability/log.ts'
import { pluralize } from '../../text/pluralize.ts'
import { hasDatabase, openMetadata } from './open-metadata.ts'
import { openStorageDoctor } from './open-storage-doctor.ts'

/** Result of a move, with damages that existed before it, too. */
export type MoveResult = { files: number; sent: number; rows: Readonly<Record<string, number>>; damages: string[] }

type Environment = Readonly<Record<string, string | undefined>>
type MoveDeps = { environment: Environment; log: Log; say: (text: string) => void }

/** Key of the mark that identifies the owner of the files in the bucket while rows are missing. */
const MARK = 'installation-moving'
const FILES_AT_ONCE = 8

/**
 * Moves the data folder of `RECOLLECT_DATA_DIR` to the configured database and bucket. Rejects with
 * instructions if a service uses the folder, the target is not empty, or the copies differ.
 */
export async function moveInstallation({ environment, log, say }: MoveDeps): Promise<MoveResult> {
  const config = readConfig(environment)
  const { objectStore, database } = config
  if (objectStore === null || database === null)
    throw new ConfigError([
      'A move needs both: --to-database (or RECOLLECT_DATABASE_URL) and --to-objects (or RECOLLECT_OBJECT_STORE_URL).',
    ])
  const folder = dataFolder(config.dataDir)
  const installation = hasDatabase(config.dataDir) ? readInstallationId(folder.database) : null
  if (installation === null) throw new Error(`There is no data in ${config.dataDir} (RECOLLECT_DATA_DIR).`)
  const unlock = lockData(folder.lock)
  const mirror = createS3Mirror(objectStore)
  const store = await openMetadata(config, log)
  try {
    await migrate(store)
    await requireOurs({ db: store.db, mirror, installation })
    const files = await listFiles(config)
    say(`${pluralize(files.length, 'file')} to the bucket`)
    const sent = await mapConcurrent(files, FILES_AT_ONCE, ({ key, path }) => mirror.putFile(key, path))
    say('rows to the database')
    const rows = await moveRows(store.db, folder.database)
    await mirror.remove(MARK)
    say('comparing')
    return { files: files.length, sent: sent.filter(Boolean).length, rows, damages: await examine(environment, log) }
  } finally {
    mirror.close()
    await store.close()
    unlock()
  }
}

/** The target must be empty, or have the mark of an earlier attempt. */
async function requireOurs(target: { db: Kysely<Tables>; mirror: S3Mirror; installation: string }): Promise<void> {
  const { db, mirror, installation } = target
  const there = await getFirstOrganization(db)
  const mark = await mirror.read(MARK)
  const isRetried = mark === installation
  if (there !== null && !(isRetried && there.id === installation))
    throw new Error('The database is not empty. Choose a database without an installation.')
  if (isRetried) return
  const [key] = await mirror.listKeys()
  if (key !== undefined) throw new Error(`The bucket is not empty there (${key}). Choose an empty prefix.`)
  await mirror.put(MARK, installation)
}

/** Objects and memory files, with their keys below the prefix. */
async function listFiles({ dataDir }: Config): Promise<{ key: string; path: string }[]> {
  const roots = [
    { from: join(dataDir, 'objects', 'objects'), to: 'objects' },
    { from: join(dataDir, 'memories'), to: 'memories' },
  ]
  const files: { key: string; path: string }[] = []
  for (const { from, to } of roots) {
    if (!existsSync(from)) continue
    for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile()) files.push({ key: to + path.slice(from.length), path })
    }
  }
  return files
}

async function moveRows(db: Kysely<Tables>, path: string): Promise<Record<string, number>> {
  return db.transaction().execute(async (transaction) => {
    await lockDatabase(transaction)
    // The rows exist already; only the steps after them were interrupted.
    if ((await getFirstOrganization(transaction)) !== null) return {}
    return copyRows(path, transaction)
  })
}

/** Runs the doctor on the target, which also binds database and bucket to each other. */
async function examine(environment: Environment, log: Log): Promise<string[]> {
  const doctor = await openStorageDoctor(environment, log)
  const damages: string[] = []
  try {
    for await (const { kind, detail } of doctor.examine()) damages.push(`${kind}: ${detail}`)
  } finally {
    await doctor.close()
  }
  return damages
}
