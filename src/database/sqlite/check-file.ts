import { DatabaseSync } from 'node:sqlite'
import { isDamage } from '../../errors.ts'
import type { CheckExtent, DatabaseCheck, DatabaseProblem } from '../database-check.ts'
import { toStoreError } from '../store-errors.ts'
import { checkSchema } from './check-schema.ts'

/** A damaged table has a problem in every row. */
const MAX_PROBLEMS = 100

/** The first page of each tree, and the names of indexes. */
type Trees = { tables: ReadonlySet<number>; indexes: ReadonlySet<string> }

/**
 * Checks a SQLite file on a connection of its own, which reads only: a process may be at work on it. Holds the thread: some 0.4 s a gigabyte where it is in
 * memory for `quick`. Throws where the file cannot be opened for another reason than damage.
 */
export function checkFile(path: string, extent: CheckExtent): DatabaseCheck {
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
    const problems = checkPages(database, extent)
    // Rows are looked up by indexes, which have to be whole for that.
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

/** https://sqlite.org/pragma.html#pragma_integrity_check: one row `ok`, or what is wrong in texts of several lines. */
function readProblems(database: DatabaseSync, extent: CheckExtent): string[] {
  const pragma = extent === 'quick' ? 'quick_check' : 'integrity_check'
  const said: string[] = []
  try {
    for (const row of database.prepare(`pragma ${pragma}(${MAX_PROBLEMS})`).iterate())
      said.push(...String(Object.values(row)[0]).split('\n'))
  } catch (error) {
    // It looks no further than a page that it cannot read; what it said before tells which.
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

/** What a line of SQLite is about; of a table, unless it says otherwise. */
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
    detail: `${times} rows of ${one} whose row of ${parent} is not there`,
  }))
}
