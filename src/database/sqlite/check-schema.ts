import { DatabaseSync } from 'node:sqlite'
import type { DatabaseProblem } from '../database-check.ts'
import { MIGRATIONS } from '../migrations.ts'
import { addRowChecksum } from '../row-checksums.ts'

/** A column or a trigger, with what it is. */
type Parts = ReadonlyMap<string, string>

/**
 * Compares tables, columns and triggers of a database with those that its migrations make. SQLite reads the text of its schema as it is: a byte that changed in it
 * names another column, and the values of the old one are read as none, without an error. Of a database before its migrations only what it has is compared.
 */
export function checkSchema(database: DatabaseSync): DatabaseProblem[] {
  const tables = listTables(database)
  if (!tables.has('organizations')) return []
  if (!tables.has('migrations')) return [toProblem('table migrations', 'is missing')]
  const names = database.prepare('select name from migrations').all()
  const applied = new Set(names.map(({ name }) => String(name)))
  const known = MIGRATIONS.filter(({ name }) => applied.delete(name))
  const unknown = [...applied].map((name) => toProblem(`migration ${name}`, 'is not one of this version'))
  return [...unknown, ...compare(readParts(database), makeParts(known))]
}

function listTables(database: DatabaseSync): Set<string> {
  const rows = database.prepare(`select name from sqlite_schema where type = 'table'`).all()
  return new Set(rows.map(({ name }) => String(name)))
}

function compare(found: Parts, wanted: Parts): DatabaseProblem[] {
  const missing = [...wanted].filter(([name, what]) => found.get(name) !== what)
  const strange = [...found.keys()].filter((name) => !wanted.has(name))
  return [
    ...missing.map(([name]) => toProblem(name, found.has(name) ? 'is not what it was made as' : 'is missing')),
    ...strange.map((name) => toProblem(name, 'is none that was made')),
  ]
}

function toProblem(name: string, what: string): DatabaseProblem {
  return { part: 'table', detail: `Schema: ${name} ${what}` }
}

/** The parts of a new database that took these steps. */
function makeParts(migrations: typeof MIGRATIONS): Parts {
  const database = new DatabaseSync(':memory:')
  try {
    addRowChecksum(database)
    for (const migration of migrations) for (const text of migration.statements('sqlite')) database.exec(text)
    return readParts(database)
  } finally {
    database.close()
  }
}

/** Columns by what is asked of them, since a later version of SQLite may write the text of a table in another way; triggers as they were written. */
function readParts(database: DatabaseSync): Parts {
  const columns = database
    .prepare(
      `select 'column ' || tables.name || '.' || columns.name as name,
         columns.type || ' ' || columns."notnull" || ' ' || columns.pk || ' ' || coalesce(columns.dflt_value, '') as what
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
