import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { toStoreError } from './store-errors.ts'

/** Prepared statements kept: more than the service has queries, few enough for lists of varying length to pass through. */
const MAX_STATEMENTS = 300

type Prepared = { statement: StatementSync; isReader: boolean }

/**
 * Kysely's driver over Node's own SQLite. Errors come as `toStoreError` translates them.
 *
 * Transactions begin IMMEDIATE: a deferred one that reads before it writes is refused at once, whatever the time-out,
 * when another process wrote in between. On a full disk SQLite may end a transaction by itself; what would follow in
 * it is then refused, for it would be committed statement by statement.
 */
export function createSqliteDriver(database: DatabaseSync): Driver {
  const connection = createConnection(database)
  const run = (sql: string) => connection.run(sql)
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    destroy: async () => database.close(),
    async beginTransaction() {
      run('begin immediate')
      connection.setTransaction(true)
    },
    async commitTransaction() {
      run('commit')
      connection.setTransaction(false)
    },
    async rollbackTransaction() {
      connection.setTransaction(false)
      if (database.isTransaction) run('rollback')
    },
  }
}

type Connection = DatabaseConnection & { run(sql: string): void; setTransaction(isOpen: boolean): void }

function createConnection(database: DatabaseSync): Connection {
  const prepare = createStatementCache(database)
  let inTransaction = false

  function execute<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    if (inTransaction && !database.isTransaction) throw new Error('the transaction was ended by an earlier error')
    const { statement, isReader } = prepare(sql)
    const values = parameters as readonly SQLInputValue[]
    // Rows come without a prototype, which surprises whoever compares them.
    if (isReader) return { rows: statement.all(...values).map((row) => ({ ...row }) as Row) }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  return {
    executeQuery: async (query) => translated(() => execute(query)),
    async *streamQuery(query) {
      // One statement serves one caller at a time; stepping through it while others use it would mix their rows.
      yield translated(() => execute(query))
    },
    run: (sql) => translated(() => database.exec(sql)),
    setTransaction: (isOpen) => {
      inTransaction = isOpen
    },
  }
}

function translated<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw toStoreError(error)
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
  return { statement, isReader: statement.columns().length > 0 }
}
