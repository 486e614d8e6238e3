import { rm } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { isDamage } from '../../errors.ts'
import { isConstraintViolation, toStoreError } from '../store-errors.ts'
import { checkFile } from './check-file.ts'

/** What stands beside the file while it is made. */
const SUFFIX = '.mended'

/**
 * Makes the indexes of a file, and its list of free pages, again from its tables; true where nothing is wrong with it then. For a file whose tables are whole,
 * and that nobody else uses; where they are not, it stays as it is. Where an index cannot be made in its place (REINDEX reads the pages it gives up), the
 * tables are copied, which takes room for a second file. VACUUM would copy the pages of indexes as they are.
 */
export async function remakeFile(path: string): Promise<boolean> {
  if (isReindexed(path)) return true
  const beside = path + SUFFIX
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

function isReindexed(path: string): boolean {
  const isDone = whereWhole(path, {}, (database) => database.exec('reindex'))
  return isDone && checkFile(path, 'whole').problems.length === 0
}

/** True where every row of every table could be read. */
function copyTables(from: string, to: string): boolean {
  return whereWhole(from, { readOnly: true }, (source) => {
    const made = new DatabaseSync(to, { enableForeignKeyConstraints: false })
    try {
      const { page_size: pageBytes } = source.prepare('pragma page_size').get() ?? {}
      // Of an empty file only: without it what is freed later would never be given back to the disk.
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

/** In the order of the table itself, without a look at an index. */
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

/** How far tables have counted that never give a number twice. */
function copySequence(source: DatabaseSync, made: DatabaseSync): void {
  if (source.prepare("select 1 from sqlite_schema where name = 'sqlite_sequence'").get() === undefined) return
  made.exec('delete from sqlite_sequence')
  const insert = made.prepare('insert into sqlite_sequence (name, seq) values (?, ?)')
  for (const { name, seq } of source.prepare('select name, seq from sqlite_sequence').iterate())
    insert.run(name ?? null, seq ?? null)
}

/** Does work on a file; false where it meets damage, as is a row that its table does not allow: two of the same unique key. */
function whereWhole(path: string, options: { readOnly?: boolean }, work: (database: DatabaseSync) => void): boolean {
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
