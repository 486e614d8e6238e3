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
import { checkBeside } from './check-file.ts'
import { remakeFile } from './remake-file.ts'
import { createSqliteDriver } from './sqlite-driver.ts'

/** What every SQLite file begins with. https://sqlite.org/fileformat2.html section 1.3.1 */
const MAGIC = 'SQLite format 3\0'
/** How long opening waits for another process that opens the same file. Later the driver waits, without blocking. */
const OPEN_TIMEOUT_MS = 5000
/** The write-ahead log is cut back to this after a burst of large commits. */
const JOURNAL_MAX_BYTES = 64 * 1024 * 1024
/** Given back at a time: 1 MB, of which the log takes two or three. */
const PAGES_A_TIME = 256
/** Pages kept in memory: with the 2 MB that SQLite takes unasked, deleting from 100,000 documents is three times slower. */
const CACHE_KIB = 32 * 1024

/**
 * Opens the metadata database in a SQLite file, which is made (mode 0600, in a folder of mode 0700) when absent;
 * `:memory:` keeps it in memory. Every commit is on the disk when it resolves (write-ahead log, `synchronous=FULL`).
 *
 * There is one connection. Kysely hands it to one query or one whole transaction at a time, so nothing interleaves;
 * a transaction must use its own handle only (the outer one would wait for the transaction, and it for that).
 * Rejects with `insufficient_storage` on a full disk, `data_damaged` when the file is damaged or no database, `service_unavailable` when it cannot be opened.
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
  // Kysely closes only what it has used once: the first query makes close() always close the file.
  await sql`select 1`.execute(db)
  const cutLog = async () => {
    if (path !== ':memory:') await sql`pragma wal_checkpoint(truncate)`.execute(db)
  }
  return {
    db,
    dialect: 'sqlite',
    connection: null,
    runLong: (work) => db.transaction().execute(work),
    async probe() {
      if (path !== ':memory:') await probeFile(path)
      await sql`select count(*) from sqlite_schema`.execute(db)
    },
    check: async (extent, signal) =>
      path === ':memory:' ? { problems: [], unchecked: [] } : checkBeside(path, extent, signal),
    renewIndexes: () => remakeFile(path),
    onDamage,
    cutLog,
    async givePagesBack() {
      let before = Infinity
      for (let free = await countFreePages(db); free > 0 && free < before; free = await countFreePages(db)) {
        before = free
        // One page a step, and a statement of Kysely's takes one step.
        await db.connection().execute(async () => giveBack(database, PAGES_A_TIME))
        await cutLog()
      }
    },
    close: () => db.destroy(),
  }
}

async function openDatabase(path: string): Promise<DatabaseSync> {
  try {
    if (path !== ':memory:') await makeFile(path)
    const database = new DatabaseSync(path, { timeout: OPEN_TIMEOUT_MS, enableForeignKeyConstraints: true })
    // Of a new file only, before anything is in it: what is freed can then be given back to the disk.
    database.exec('pragma auto_vacuum = incremental')
    database.exec('pragma journal_mode = wal; pragma synchronous = full')
    // What is deleted is overwritten, and not only marked as free.
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

function giveBack(database: DatabaseSync, pages: number): void {
  try {
    database.exec(`pragma incremental_vacuum(${pages})`)
  } catch (error) {
    throw toStoreError(error)
  }
}

/** SQLite gives its log and shared memory the mode of the database file, so that one has to be right from the start. */
async function makeFile(path: string): Promise<void> {
  await makeFolder(dirname(path))
  await using _ = await open(path, 'a', 0o600)
}

/** The open connection goes on answering from its cache when the file is gone, so the file itself is looked at. */
async function probeFile(path: string): Promise<void> {
  try {
    await using file = await open(path, 'r')
    const { buffer } = await file.read({ buffer: Buffer.alloc(MAGIC.length), position: 0 })
    if (buffer.toString('latin1') === MAGIC) return
  } catch (cause) {
    throw new ApiError('service_unavailable', { cause })
  }
  throw new ApiError('service_unavailable', { cause: new Error(`${path} is no longer a SQLite database`) })
}
