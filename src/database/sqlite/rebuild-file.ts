import { rm } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { isDamage } from '../../errors.ts'
import { isConstraintViolation, toStoreError } from '../store-errors.ts'
import { checkFile } from './check-file.ts'

/** Suffix of the temporary copy. */
const TEMPORARY_SUFFIX = '.mended'

/**
 * Rebuilds the indexes and the free list of a file from its tables; true if the file is then whole.
 * For a file with intact tables and no other users; otherwise the file stays unchanged. If REINDEX
 * fails (it reads the pages to be freed), the tables are copied, which needs room for a second
 * file. VACUUM would copy damaged index pages.
 */
export async function rebuildFile(path: string): Promise<boolean> {
  if (reindex(path)) return true
  const beside = path + TEMPORARY_SUFFIX
  await rm(beside, { force: true })
  try {
    if (!copyTables(path, beside) || checkFile(beside, 'whole').problems.length > 0) return false
    const made = new DatabaseSync(beside)
    try {
      await backup(made, path)
    } finally {
      made.close()
    }
    return checkFile(path, 'whole').problems.length === 0
  } finally {
    await rm(beside, { force: true })
  }
}

function reindex(path: string): boolean {
  const isDone = runUnlessDamaged(path, {}, (database) => database.exec('reindex'))
  return isDone && checkFile(path, 'whole').problems.length === 0
}

/** True if every row of every table could be read. */
function copyTables(from: string, to: string): boolean {
  return runUnlessDamaged(from, { readOnly: true }, (source) => {
    const made = new DatabaseSync(to, { enableForeignKeyConstraints: false })
    try {
      const { page_size: pageBytes } = source.prepare('pragma page_size').get() ?? {}
      // Only possible on an empty file; required to return free pages to the disk later.
      const { auto_vacuum: givesBack } = source.prepare('pragma auto_vacuum').get() ?? {}
      made.exec(`pragma page_size = ${Number(pageBytes)}; pragma auto_vacuum = ${Number(givesBack)}`)
      made.exec('pragma synchronous = off; pragma journal_mode = off; begin')
      const parts = source
        .prepare(
          "select type, name, sql from sqlite_schema where sql is not null and name not like 'sqlite\\_%' escape '\\'",
        )
        .all()
      const tables = parts.filter(({ type }) => type === 'table')
      for (const { sql } of tables) made.exec(String(sql))
      for (const { name } of tables) copyTable(source, made, String(name))
      copySequence(source, made)
      for (const { type, sql } of parts) if (type !== 'table') made.exec(String(sql))
      made.exec('commit')
    } finally {
      made.close()
    }
  })
}

/** In table order, without reading an index. */
function copyTable(source: DatabaseSync, made: DatabaseSync, table: string): void {
  const columns = source
    .prepare('select name from pragma_table_info(?)')
    .all(table)
    .map(({ name }) => `"${name}"`)
  const rows = source.prepare(`select ${columns.join()} from "${table}" not indexed`)
  rows.setReadBigInts(true)
  rows.setReturnArrays(true)
  const insert = made.prepare(`insert into "${table}" (${columns.join()}) values (${columns.map(() => '?').join()})`)
  for (const row of rows.iterate() as unknown as Iterable<(string | bigint | number | Uint8Array | null)[]>)
    insert.run(...row)
}

/** Copies the AUTOINCREMENT counters. */
function copySequence(source: DatabaseSync, made: DatabaseSync): void {
  if (source.prepare("select 1 from sqlite_schema where name = 'sqlite_sequence'").get() === undefined) return
  made.exec('delete from sqlite_sequence')
  const insert = made.prepare('insert into sqlite_sequence (name, seq) values (?, ?)')
  for (const { name, seq } of source.prepare('select name, seq from sqlite_sequence').iterate())
    insert.run(name ?? null, seq ?? null)
}

/**
 * Runs work on a file; false if it meets damage or a row that violates a constraint, such as a
 * duplicate key.
 */
function runUnlessDamaged(
  path: string,
  options: { readOnly?: boolean },
  work: (database: DatabaseSync) => void,
): boolean {
  const database = new DatabaseSync(path, options)
  try {
    work(database)
    return true
  } catch (error) {
    const translated = toStoreError(error)
    if (!isDamage(translated) && !isConstraintViolation(error)) throw translated
    return false
  } finally {
    database.close()
  }
}
