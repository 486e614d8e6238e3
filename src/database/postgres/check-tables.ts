import { sql, type Transaction } from 'kysely'
import { DatabaseError } from 'pg'
import { ApiError, isDamage } from '../../errors.ts'
import type { Tables } from '../schema.ts'
import type { CheckExtent, DatabaseCheck, DatabaseProblem, Store } from '../store.ts'
import { isUniqueViolation } from '../store-errors.ts'

/** insufficient_privilege. */
const FORBIDDEN_CODE = '42501'

type Db = Transaction<Tables>
type Relation = { oid: number; name: string }

/**
 * Checks of a database. Checksum failures before the first check are not counted, because they may
 * be years old.
 */
export type TableChecks = {
  check(extent: CheckExtent): Promise<DatabaseCheck>
  /** Rebuilds the indexes of our tables; true if the database is then whole. */
  rebuildIndexes(): Promise<boolean>
}

/** Creates the checks, which run in transactions of `runWithoutTimeouts`. */
export function createTableChecks(runWithoutTimeouts: Store['runWithoutTimeouts']): TableChecks {
  let metBefore: number | null = null

  async function check(extent: CheckExtent): Promise<DatabaseCheck> {
    metBefore ??= (await runWithoutTimeouts(readChecksums)).failures
    return checkTables(runWithoutTimeouts, extent, metBefore)
  }

  return {
    check,
    rebuildIndexes: async () =>
      (await rebuildIndexes(runWithoutTimeouts)) && (await check('whole')).problems.length === 0,
  }
}

/**
 * Runs the checks available to a PostgreSQL user. `quick` does nothing, because PostgreSQL has no
 * such check. `whole` reads every row of our tables, which detects wrong page checksums, and runs
 * the extension amcheck on tables and indexes if installed.
 */
async function checkTables(
  runWithoutTimeouts: Store['runWithoutTimeouts'],
  extent: CheckExtent,
  metBefore: number,
): Promise<DatabaseCheck> {
  if (extent === 'quick') return { problems: [], unchecked: [] }
  return runWithoutTimeouts(async (db) => {
    const checksums = describeChecksums(await readChecksums(db), metBefore)
    const tables = await listRelations(db, 'r')
    const rows: DatabaseProblem[] = []
    for (const { name } of tables) {
      const message = await runInSavepoint(db, () =>
        sql`select count(one::text) from ${sql.table(name)} as one`.execute(db),
      )
      if (message !== null) rows.push({ part: 'table', detail: `${name}: ${message}` })
    }
    const looked = await runAmcheck(db, tables)
    return {
      problems: [...checksums.problems, ...rows, ...looked.problems],
      unchecked: [...checksums.unchecked, ...looked.unchecked],
    }
  })
}

/** False if two rows have the same unique key, which prevents rebuilding the index. */
async function rebuildIndexes(runWithoutTimeouts: Store['runWithoutTimeouts']): Promise<boolean> {
  try {
    await runWithoutTimeouts(async (db) => {
      for (const { name } of await listRelations(db, 'r')) await sql`reindex table ${sql.table(name)}`.execute(db)
    })
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
  return true
}

type Checksums = { isOn: boolean; failures: number; last: string | null }

async function readChecksums(db: Db): Promise<Checksums> {
  const { rows } = await sql<{ checksums: string; failures: number | null; last: string | null }>`
    select current_setting('data_checksums') as checksums, checksum_failures as failures,
      checksum_last_failure::text as last
          from pg_stat_database where datname = current_database()`.execute(db)
  const [read] = rows
  return { isOn: read?.checksums === 'on', failures: Number(read?.failures ?? 0), last: read?.last ?? null }
}

/**
 * Only failures after the first check are problems. Earlier failures may be repaired, and the check
 * reads every row anyway.
 */
function describeChecksums({ isOn, failures, last }: Checksums, metBefore: number): DatabaseCheck {
  const off =
    'Page checksums are disabled in PostgreSQL: ' + 'stop the server and run pg_checksums --enable to enable them.'
  const met = (count: number) => `PostgreSQL read ${count} pages with a wrong checksum, most recently at ${last}`
  const before = `${met(metBefore)}, before this check began; pg_stat_reset() resets the count.`
  return {
    problems: failures > metBefore ? [{ part: 'table', detail: met(failures - metBefore) }] : [],
    unchecked: [...(isOn ? [] : [off]), ...(metBefore > 0 ? [before] : [])],
  }
}

/** Lists tables (`r`) or valid B-tree indexes (`i`) in our schema. */
async function listRelations(db: Db, kind: 'r' | 'i'): Promise<Relation[]> {
  const { rows } = await sql<Relation>`
    select one.oid::integer as oid, one.relname as name from pg_class as one
      left join pg_index as indexed on indexed.indexrelid = one.oid
      where one.relnamespace = current_schema()::regnamespace and one.relkind = ${kind}
        and coalesce(indexed.indisvalid, true)
      order by one.relname`.execute(db)
  return rows
}

/** https://www.postgresql.org/docs/current/amcheck.html */
async function runAmcheck(db: Db, tables: readonly Relation[]): Promise<DatabaseCheck> {
  const { rows } = await sql<{ schema: string }>`
    select extnamespace::regnamespace::text as schema from pg_extension where extname = 'amcheck'`.execute(db)
  const schema = rows[0]?.schema
  const absent =
    'Indexes were not compared with their tables: run CREATE EXTENSION amcheck in the database ' +
    'and grant its functions to the user of the service.'
  if (schema === undefined) return { problems: [], unchecked: [absent] }
  const problems: DatabaseProblem[] = []
  for (const part of ['table', 'index'] as const) {
    const relations = part === 'table' ? tables : await listRelations(db, 'i')
    for (const { oid, name } of relations) {
      const message = await runInSavepoint(db, () => checkRelation(db, schema, { part, oid }))
      if (message === FORBIDDEN_CODE) return { problems, unchecked: [absent] }
      if (message !== null) problems.push({ part, detail: `${name}: ${message}` })
    }
  }
  return { problems, unchecked: [] }
}

type CheckedRelation = { part: 'table' | 'index'; oid: number }

async function checkRelation(db: Db, schema: string, { part, oid }: CheckedRelation): Promise<void> {
  if (part === 'index') {
    await sql`select ${sql.id(schema, 'bt_index_check')}(${oid}::regclass, true)`.execute(db)
    return
  }
  const { rows } = await sql<{ msg: string }>`
    select msg from ${sql.id(schema, 'verify_heapam')}(${oid}::regclass, on_error_stop => true)`.execute(db)
  if (rows[0] !== undefined) throw new ApiError('data_damaged', { cause: new Error(rows[0].msg) })
}

/**
 * Runs work in a savepoint. Returns the damage found, {@link FORBIDDEN_CODE} without permission, or
 * `null`; the transaction can continue.
 */
async function runInSavepoint(db: Db, work: () => Promise<unknown>): Promise<string | null> {
  await sql`savepoint one`.execute(db)
  try {
    await work()
    return null
  } catch (error) {
    await sql`rollback to savepoint one`.execute(db)
    if (error instanceof DatabaseError && error.code === FORBIDDEN_CODE) return FORBIDDEN_CODE
    if (!isDamage(error)) throw error
    return (error.cause as Error).message
  } finally {
    await sql`release savepoint one`.execute(db)
  }
}
