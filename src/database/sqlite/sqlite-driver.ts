import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { createEventLoopYielder } from '../../concurrency/event-loop-yield.ts'
import { isBusy, toStoreError } from '../store-errors.ts'

/** Prepared statements kept: more than the service has queries, few enough for lists of varying length to pass through. */
const MAX_STATEMENTS = 300

/** How long a statement waits for another process (the command line), whose transactions take milliseconds. */
const BUSY_TIMEOUT_MS = 5000
const BUSY_PAUSE_MS = 5

/** Statements hold the event loop while they run, and a transaction of ten thousand of them lets go of it after each so many milliseconds. */
const SLICE_MS = 8

/** No columns: a statement that gives no rows. */
type Prepared = { statement: StatementSync; columns: readonly string[] }

/**
 * Kysely's driver over Node's own SQLite. Errors come as `toStoreError` translates them.
 *
 * Transactions begin IMMEDIATE: a deferred one that reads before it writes is refused at once, whatever the time-out,
 * when another process wrote in between. While another process writes, this one waits without holding up its event loop.
 * What Kysely does behind one statement it does in the same turn of the event loop, so that everybody waited for a whole transaction: statements take
 * turns with all else (`concurrency/event-loop-yield.ts`).
 * On a full disk SQLite may end a transaction by itself; what would follow in it is then refused, for it would be committed
 * statement by statement.
 */
export function createSqliteDriver(database: DatabaseSync, shareLoop = createEventLoopYielder(SLICE_MS)): Driver {
  const connection = createConnection(database, shareLoop)
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    destroy: async () => database.close(),
    async beginTransaction() {
      await whileBusy(() => database.exec('begin immediate'))
      connection.setTransaction(true)
    },
    async commitTransaction() {
      await whileBusy(() => database.exec('commit'))
      connection.setTransaction(false)
    },
    async rollbackTransaction() {
      connection.setTransaction(false)
      if (database.isTransaction) database.exec('rollback')
    },
  }
}

type Connection = DatabaseConnection & { setTransaction(isOpen: boolean): void }

function createConnection(database: DatabaseSync, shareLoop: () => Promise<void>): Connection {
  const prepare = createStatementCache(database)
  let inTransaction = false

  function execute<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    if (inTransaction && !database.isTransaction) throw new Error('the transaction was ended by an earlier error')
    const { statement, columns } = prepare(sql)
    const values = parameters as readonly SQLInputValue[]
    if (columns.length > 0) return { rows: statement.all(...values).map((row) => toRow<Row>(columns, row)) }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  return {
    async executeQuery(query) {
      await shareLoop()
      return whileBusy(() => execute(query))
    },
    async *streamQuery(query) {
      // One statement serves one caller at a time; stepping through it while others use it would mix their rows.
      await shareLoop()
      yield await whileBusy(() => execute(query))
    },
    setTransaction: (isOpen) => {
      inTransaction = isOpen
    },
  }
}

/** Runs a statement, again and again while another process holds the lock it needs. */
async function whileBusy<Result>(statement: () => Result): Promise<Result> {
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

/** Prepared statements by their text; the one longest unused makes room. */
function createStatementCache(database: DatabaseSync): (sql: string) => Prepared {
  const statements = new Map<string, Prepared>()
  return (sql) => {
    const known = statements.get(sql)
    statements.delete(sql)
    const prepared = known ?? prepare(database, sql)
    // Some pragmas take effect while they are prepared, so a kept one would do nothing.
    if (!/^\s*pragma/i.test(sql)) statements.set(sql, prepared)
    if (statements.size > MAX_STATEMENTS) statements.delete(statements.keys().next().value ?? '')
    return prepared
  }
}

function prepare(database: DatabaseSync, sql: string): Prepared {
  const statement = database.prepare(sql)
  // Rows as objects come without a prototype, which surprises whoever compares them; copying those takes twice as long as this.
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
