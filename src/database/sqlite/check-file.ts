import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { isDamage } from '../../errors.ts'
import { MIGRATIONS } from '../migrations.ts'
import { addRowChecksum } from '../row-checksums.ts'
import type { CheckExtent, DatabaseCheck, DatabaseProblem } from '../store.ts'
import { toStoreError } from '../store-errors.ts'

/** A damaged table has a problem in every row. */
const MAX_PROBLEMS = 100

/** Root pages of tables, and names of indexes. */
type Trees = { tables: ReadonlySet<number>; indexes: ReadonlySet<string> }

/**
 * Checks a SQLite file on a separate read-only connection; a process may be using the file. Blocks
 * the thread: `quick` takes about 0.4 s per cached gigabyte. Throws if the file cannot be opened
 * for a reason other than damage.
 */
export function checkFile(path: string, extent: CheckExtent): DatabaseCheck {
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
    const problems = checkPages(database, extent)
    // Checking references uses the indexes, so they must be whole.
    const isDone = extent === 'quick' || problems.length > 0
    return { problems: isDone ? problems : [...checkSchema(database), ...checkReferences(database)], unchecked: [] }
  } catch (error) {
    const translated = toStoreError(error)
    if (!isDamage(translated)) throw translated
    return { problems: [{ part: 'table', detail: (error as Error).message }], unchecked: [] }
  } finally {
    database?.close()
  }
}

function checkPages(database: DatabaseSync, extent: CheckExtent): DatabaseProblem[] {
  const said = readProblems(database, extent)
  if (said.length === 0) return []
  const trees = readTrees(database)
  return said.map((detail) => ({ part: partOf(detail, trees), detail }))
}

/**
 * https://sqlite.org/pragma.html#pragma_integrity_check: a row `ok`, or multi-line descriptions of
 * problems.
 */
function readProblems(database: DatabaseSync, extent: CheckExtent): string[] {
  const pragma = extent === 'quick' ? 'quick_check' : 'integrity_check'
  const said: string[] = []
  try {
    for (const row of database.prepare(`pragma ${pragma}(${MAX_PROBLEMS})`).iterate())
      said.push(...String(Object.values(row)[0]).split('\n'))
  } catch (error) {
    // SQLite stops at an unreadable page; the earlier lines identify the page.
    if (said.length === 0 || !isDamage(toStoreError(error))) throw error
  }
  return said.filter((line) => line !== 'ok' && line !== '' && !line.startsWith('***'))
}

function readTrees(database: DatabaseSync): Trees {
  const rows = database.prepare('select type, name, rootpage from sqlite_schema where rootpage > 0').all()
  const indexes = rows.filter(({ type }) => type === 'index')
  const tables = rows.filter(({ type }) => type !== 'index')
  return {
    tables: new Set([1, ...tables.map(({ rootpage }) => Number(rootpage))]),
    indexes: new Set(indexes.map(({ name }) => String(name))),
  }
}

/** Part of the database in a line of SQLite's output; `table` by default. */
function partOf(line: string, { tables, indexes }: Trees): DatabaseProblem['part'] {
  const tree = /^Tree (\d+)\b/.exec(line)?.[1]
  if (tree !== undefined) return tables.has(Number(tree)) ? 'table' : 'index'
  const index = /\bindex (\S+)$/.exec(line)?.[1]
  if (index !== undefined && indexes.has(index)) return 'index'
  return /^Freelist: |^Page \d+: never used$/.test(line) ? 'space' : 'table'
}

function checkReferences(database: DatabaseSync): DatabaseProblem[] {
  const rows = database
    .prepare('select "table" as one, parent, count(*) as times from pragma_foreign_key_check group by 1, 2')
    .all()
  return rows.map(({ one, parent, times }) => ({
    part: 'reference',
    detail: `${times} rows of ${one} refer to missing rows of ${parent}`,
  }))
}

/** Descriptions of columns and triggers by name. */
type SchemaStatements = ReadonlyMap<string, string>

/**
 * Compares tables, columns and triggers with those of the migrations. SQLite trusts the text of its
 * schema: a changed byte renames a column, and reads of the old column return no values, without an
 * error. Before the migrations have run, only existing parts are compared.
 */
function checkSchema(database: DatabaseSync): DatabaseProblem[] {
  const tables = listTables(database)
  if (!tables.has('organizations')) return []
  if (!tables.has('migrations')) return [toProblem('table migrations', 'is missing')]
  const names = database.prepare('select name from migrations').all()
  const applied = new Set(names.map(({ name }) => String(name)))
  const last = MIGRATIONS.findLastIndex(({ name }) => applied.has(name))
  const known = MIGRATIONS.slice(0, last + 1)
  for (const { name } of known) applied.delete(name)
  const unknown = [...applied].map((name) => toProblem(`migration ${name}`, 'does not belong to this version'))
  return [...unknown, ...compareParts(readParts(database), readExpectedParts(known))]
}

function listTables(database: DatabaseSync): Set<string> {
  const rows = database.prepare(`select name from sqlite_schema where type = 'table'`).all()
  return new Set(rows.map(({ name }) => String(name)))
}

function compareParts(found: SchemaStatements, wanted: SchemaStatements): DatabaseProblem[] {
  const missing = [...wanted].filter(([name, what]) => found.get(name) !== what)
  const strange = [...found.keys()].filter((name) => !wanted.has(name))
  return [
    ...missing.map(([name]) => toProblem(name, found.has(name) ? 'differs from its definition' : 'is missing')),
    ...strange.map((name) => toProblem(name, 'is unexpected')),
  ]
}

function toProblem(name: string, what: string): DatabaseProblem {
  return { part: 'table', detail: `Schema: ${name} ${what}` }
}

/** Parts of a new database after these migrations. */
function readExpectedParts(migrations: typeof MIGRATIONS): SchemaStatements {
  const database = new DatabaseSync(':memory:')
  try {
    addRowChecksum(database)
    for (const migration of migrations) for (const text of migration.statements('sqlite')) database.exec(text)
    return readParts(database)
  } finally {
    database.close()
  }
}

/**
 * Columns are compared by their properties, because a later SQLite may format the text of a table
 * differently; triggers by their text.
 */
function readParts(database: DatabaseSync): SchemaStatements {
  const columns = database
    .prepare(
      `select 'column ' || tables.name || '.' || columns.name as name,
         columns.type || ' ' || columns."notnull" || ' ' || columns.pk || ' '
           || coalesce(columns.dflt_value, '') as what
       from sqlite_schema as tables join pragma_table_xinfo(tables.name) as columns
       where tables.type = 'table' and tables.name not in ('migrations', 'sqlite_sequence')
         and tables.name not like 'sqlite_stat%'`,
    )
    .all()
  const triggers = database
    .prepare(`select 'trigger ' || name as name, sql as what from sqlite_schema where type = 'trigger'`)
    .all()
  return new Map([...columns, ...triggers].map(({ name, what }) => [String(name), String(what)]))
}

/** A smaller file is checked faster, in about 10 ms, than a thread starts. */
const INLINE_BYTES = 8 * 1024 * 1024

/**
 * Checks a SQLite file during use; a large file in a separate thread. Rejects if the file cannot be
 * opened for a reason other than damage, and with the signal's reason.
 */
export async function checkFileConcurrently(
  path: string,
  extent: CheckExtent,
  signal?: AbortSignal,
): Promise<DatabaseCheck> {
  const bytes = (await stat(path).catch(() => null))?.size ?? 0
  if (bytes <= INLINE_BYTES) return checkFile(path, extent)
  // Sources run as TypeScript, the package as JavaScript.
  const main = `./check-thread-main.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`
  const worker = new Worker(new URL(main, import.meta.url), { workerData: { path, extent }, env: {} })
  worker.unref()
  try {
    const [result] = (await once(worker, 'message', signal === undefined ? {} : { signal })) as [DatabaseCheck]
    return result
  } finally {
    await worker.terminate()
  }
}
