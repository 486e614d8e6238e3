import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { createEventLoopYielder } from '../../concurrency/event-loop-yield.ts'
import { isBusy, toStoreError } from '../store-errors.ts'

/**
 * Maximum number of cached statements: more than the number of queries of the service, with room
 * for lists of varying length.
 */
const MAX_STATEMENTS = 300

/** Maximum wait for another process (the command line), whose transactions take milliseconds. */
const BUSY_TIMEOUT_MS = 5000
const BUSY_PAUSE_MS = 5

/**
 * Event-loop budget in milliseconds: statements are synchronous, and a transaction may have ten
 * thousand.
 */
const SLICE_MS = 8

/** `columns` is empty for a statement without rows. */
type CachedStatement = { statement: StatementSync; columns: readonly string[] }

/**
 * Kysely driver over Node's SQLite. `toStoreError` translates errors. Transactions begin IMMEDIATE:
 * a deferred transaction that reads first is refused, regardless of the timeout, if another process
 * wrote meanwhile. Waiting for another process does not block the event loop. Kysely runs
 * consecutive statements in one turn of the event loop, so a transaction would block everything
 * else: each statement yields first (`concurrency/event-loop-yield.ts`). On a full disk SQLite may
 * roll back a transaction on its own. Later statements are then refused, because each would be
 * committed separately.
 */
export function createSqliteDriver(
  database: DatabaseSync,
  yieldToEventLoop = createEventLoopYielder(SLICE_MS),
): Driver {
  const connection = createConnection(database, yieldToEventLoop)
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    destroy: async () => database.close(),
    async beginTransaction() {
      await retryWhileBusy(() => database.exec('begin immediate'))
      connection.setTransaction(true)
    },
    async commitTransaction() {
      await retryWhileBusy(() => database.exec('commit'))
      connection.setTransaction(false)
    },
    async rollbackTransaction() {
      connection.setTransaction(false)
      if (database.isTransaction) database.exec('rollback')
    },
  }
}

type Connection = DatabaseConnection & { setTransaction(isOpen: boolean): void }

function createConnection(database: DatabaseSync, yieldToEventLoop: () => Promise<void>): Connection {
  const prepare = createStatementCache(database)
  let inTransaction = false

  function execute<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    if (inTransaction && !database.isTransaction) throw new Error('the transaction was aborted by an earlier error')
    const { statement, columns } = prepare(sql)
    const values = parameters as readonly SQLInputValue[]
    if (columns.length > 0) return { rows: statement.all(...values).map((row) => toRow<Row>(columns, row)) }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  return {
    async executeQuery(query) {
      await yieldToEventLoop()
      return retryWhileBusy(() => execute(query))
    },
    async *streamQuery(query) {
      // A prepared statement serves one caller at a time; interleaved iteration would mix rows.
      await yieldToEventLoop()
      yield await retryWhileBusy(() => execute(query))
    },
    setTransaction: (isOpen) => {
      inTransaction = isOpen
    },
  }
}

/** Repeats a statement while another process holds the lock. */
async function retryWhileBusy<Result>(statement: () => Result): Promise<Result> {
  const startedMs = performance.now()
  for (;;) {
    try {
      return statement()
    } catch (error) {
      if (!isBusy(error) || performance.now() - startedMs > BUSY_TIMEOUT_MS) throw toStoreError(error)
      await setTimeout(BUSY_PAUSE_MS)
    }
  }
}

/** LRU cache of prepared statements by SQL text. */
function createStatementCache(database: DatabaseSync): (sql: string) => CachedStatement {
  const statements = new Map<string, CachedStatement>()
  return (sql) => {
    const known = statements.get(sql)
    statements.delete(sql)
    const prepared = known ?? prepare(database, sql)
    // Some pragmas take effect during preparation, so a cached one would do nothing.
    if (!/^\s*pragma/i.test(sql)) statements.set(sql, prepared)
    if (statements.size > MAX_STATEMENTS) statements.delete(statements.keys().next().value ?? '')
    return prepared
  }
}

function prepare(database: DatabaseSync, sql: string): CachedStatement {
  const statement = database.prepare(sql)
  // Rows as objects have no prototype, which breaks comparisons; copying them takes twice as long.
  statement.setReturnArrays(true)
  return { statement, columns: statement.columns().map(({ name }) => name) }
}

function toRow<Row>(columns: readonly string[], values: unknown): Row {
  const row: Record<string, unknown> = {}
  columns.forEach((column, place) => {
    row[column] = (values as readonly unknown[])[place]
  })
  return row as Row
}
