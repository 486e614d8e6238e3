import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { ApiError } from '../../errors.ts'
import { makeFolder } from '../../files/make-folder.ts'
import { addRowChecksum } from '../row-checksums.ts'
import type { Tables } from '../schema.ts'
import type { Store } from '../store.ts'
import { createDamageListener, toStoreError } from '../store-errors.ts'
import { checkFileConcurrently } from './check-file.ts'
import { rebuildFile } from './rebuild-file.ts'
import { createSqliteDriver } from './sqlite-driver.ts'

/** Header of every SQLite file. https://sqlite.org/fileformat2.html section 1.3.1 */
const FILE_HEADER = 'SQLite format 3\0'
/** Maximum wait for another process while opening. Later the driver waits without blocking. */
const OPEN_TIMEOUT_MS = 5000
/** Size to which the write-ahead log is truncated after large commits. */
const JOURNAL_MAX_BYTES = 64 * 1024 * 1024
/** Pages returned per step: 1 MB, which needs two or three in the log. */
const PAGES_PER_STEP = 256
/** Page cache: with the default of 2 MB, deleting from 100,000 documents is three times slower. */
const CACHE_KIB = 32 * 1024

/**
 * Opens the metadata database in a SQLite file. Creates the file (mode 0600, folder mode 0700) if
 * absent; `:memory:` keeps the database in memory. A resolved commit is on disk (write-ahead log,
 * `synchronous=FULL`). Kysely gives the single connection to one query or one transaction at a
 * time, so nothing interleaves. A transaction must only use its own handle: the outer handle would
 * deadlock. Rejects with `insufficient_storage` on a full disk, `data_damaged` for a damaged or
 * foreign file, and `service_unavailable` if the file cannot be opened.
 */
export async function openSqlite({ path }: { path: string }): Promise<Store> {
  const database = await openDatabase(path)
  const { log, onDamage } = createDamageListener()
  const db = new Kysely<Tables>({
    log,
    dialect: {
      createDriver: () => createSqliteDriver(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    },
  })
  // Kysely only closes a used connection, so run a query first.
  await sql`select 1`.execute(db)
  const truncateLog = async () => {
    if (path !== ':memory:') await sql`pragma wal_checkpoint(truncate)`.execute(db)
  }
  return {
    db,
    dialect: 'sqlite',
    connection: null,
    runWithoutTimeouts: (work) => db.transaction().execute(work),
    async probe() {
      if (path !== ':memory:') await probeFile(path)
      await sql`select count(*) from sqlite_schema`.execute(db)
    },
    check: async (extent, signal) =>
      path === ':memory:' ? { problems: [], unchecked: [] } : checkFileConcurrently(path, extent, signal),
    rebuildIndexes: () => rebuildFile(path),
    onDamage,
    truncateLog,
    async releaseFreePages() {
      let before = Infinity
      for (let free = await countFreePages(db); free > 0 && free < before; free = await countFreePages(db)) {
        before = free
        // The pragma frees one page per step, and Kysely runs only one step of a statement.
        await db.connection().execute(async () => vacuumPages(database, PAGES_PER_STEP))
        await truncateLog()
      }
    },
    close: () => db.destroy(),
  }
}

async function openDatabase(path: string): Promise<DatabaseSync> {
  try {
    if (path !== ':memory:') await createFile(path)
    const database = new DatabaseSync(path, { timeout: OPEN_TIMEOUT_MS, enableForeignKeyConstraints: true })
    // Must be set on a new, empty file, to allow returning free pages to the disk.
    database.exec('pragma auto_vacuum = incremental')
    database.exec('pragma journal_mode = wal; pragma synchronous = full')
    // Overwrite deleted data instead of only marking it as free.
    database.exec('pragma secure_delete = on')
    database.exec(`pragma journal_size_limit = ${JOURNAL_MAX_BYTES}; pragma cache_size = -${CACHE_KIB}`)
    database.exec('pragma busy_timeout = 0')
    addRowChecksum(database)
    return database
  } catch (error) {
    throw toStoreError(error)
  }
}

async function countFreePages(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ freelist_count: number }>`pragma freelist_count`.execute(db)
  return rows[0]?.freelist_count ?? 0
}

function vacuumPages(database: DatabaseSync, pages: number): void {
  try {
    database.exec(`pragma incremental_vacuum(${pages})`)
  } catch (error) {
    throw toStoreError(error)
  }
}

/**
 * SQLite creates its log and shared memory with the mode of the database file, so the mode must be
 * right from the start.
 */
async function createFile(path: string): Promise<void> {
  await makeFolder(dirname(path))
  await using _ = await open(path, 'a', 0o600)
}

/**
 * An open connection still answers from its cache when the file is gone, so check the file itself.
 */
async function probeFile(path: string): Promise<void> {
  try {
    await using file = await open(path, 'r')
    const { buffer } = await file.read({ buffer: Buffer.alloc(FILE_HEADER.length), position: 0 })
    if (buffer.toString('latin1') === FILE_HEADER) return
  } catch (cause) {
    throw new ApiError('service_unavailable', { cause })
  }
  throw new ApiError('service_unavailable', { cause: new Error(`${path} is no longer a SQLite database`) })
}
