import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql, type Transaction } from 'kysely'
import { Client, type ClientConfig, DatabaseError, Pool, type PoolConfig, types } from 'pg'
import { withTimeout } from '../../concurrency/wait.ts'
import { ApiError } from '../../errors.ts'
import type { Log } from '../../observability/log.ts'
import type { Tables } from '../schema.ts'
import type { Store } from '../store.ts'
import { createDamageListener, type DamageListener } from '../store-errors.ts'
import { createTableChecks } from './check-tables.ts'
import { createPostgresDriver, isSerializationFailure, isTransient } from './postgres-driver.ts'

/**
 * Timeouts. On a network that drops packets, a request waits once for a response and twice for a
 * new connection during cleanup. That is 8 + 2 × 2.5 s, below the request limit of 15 s.
 */
const TIMEOUTS = { connectMs: 2500, answerMs: 8000, statementMs: 7000, lockMs: 5000, idleInTransactionMs: 15_000 }
/** Maximum wait for a database that starts together with the service. */
const START_TIMEOUT_MS = 60_000
const START_RETRY_DELAY_MS = 500
/** Idle time before a connection is closed. */
const IDLE_TIMEOUT_MS = 60_000
/** Maximum wait for closing connections; the operating system closes the rest. */
const CLOSE_TIMEOUT_MS = 2000
/** Maximum runs of a transaction that fails by a deadlock or serialization error. */
const MAX_TRANSACTION_RUNS = 5
/**
 * bigint and numeric: our values are within the exact range of a double.
 * https://github.com/brianc/node-pg-types
 */
const NUMERIC_OIDS: ReadonlySet<number> = new Set([20, 1700])
/** protocol_violation: PgBouncer's refusal of an unknown parameter. */
const REFUSED_PARAMETER_CODE = '08P01'

/** URL of the database and maximum number of connections of this process. */
export type PostgresOptions = { url: string; maxConnections: number; log: Pick<Log, 'warn'>; startMs?: number }

/**
 * Opens the metadata database in PostgreSQL 14 or newer, directly or through a pooler in
 * transaction mode. Waits up to a minute for the server and logs the wait. Rejects after the wait,
 * or immediately if the server refuses the login. A transaction that fails by a conflict runs
 * again, so its other effects must be repeatable. Statements are limited to 8 s, except in
 * `runWithoutTimeouts`; a statement without a response is `service_unavailable`.
 */
export async function openPostgres({
  url,
  maxConnections,
  log,
  startMs = START_TIMEOUT_MS,
}: PostgresOptions): Promise<Store> {
  const connection = await chooseConnection(url, { log, startMs })
  const damages = createDamageListener()
  const db = openTables({ ...connection, max: maxConnections }, log, damages)
  const runLong: Store['runWithoutTimeouts'] = (work) => runWithoutTimeouts(work, { connection, log })
  return {
    db,
    dialect: 'postgres',
    connection,
    runWithoutTimeouts: runLong,
    ...createTableChecks(runLong),
    onDamage: damages.onDamage,
    async probe() {
      const { rows } = await sql<{ replica: boolean }>`select pg_is_in_recovery() as replica`.execute(db)
      if (rows[0]?.replica === true) throw new ApiError('service_unavailable', { cause: new Error('a replica') })
    },
    // The operator manages the server's log.
    truncateLog: async () => undefined,
    releaseFreePages: async () => undefined,
    close: () => closeTables(db),
  }
}

function openTables(config: PoolConfig, log: Pick<Log, 'warn'>, damages?: DamageListener): Kysely<Tables> {
  const pool = new Pool({ ...config, connectionTimeoutMillis: TIMEOUTS.connectMs, idleTimeoutMillis: IDLE_TIMEOUT_MS })
  // An idle connection that ends would otherwise crash the process. Only the message is logged:
  // errors of idle connections contain the client with its credentials.
  const note = ({ message }: Error) => log.warn({ reason: message }, 'a connection to the database ended')
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', note))
  const db = new Kysely<Tables>({
    ...(damages === undefined ? {} : { log: damages.log }),
    dialect: {
      createDriver: () => createPostgresDriver(pool),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    },
  })
  retryTransactions(db)
  return db
}

async function closeTables(db: Kysely<Tables>): Promise<void> {
  await withTimeout(db.destroy(), CLOSE_TIMEOUT_MS, undefined)
}

/** Uses a separate connection, because the client timeout is set per connection. */
async function runWithoutTimeouts<Result>(
  work: (transaction: Transaction<Tables>) => Promise<Result>,
  { connection, log }: { connection: ClientConfig; log: Pick<Log, 'warn'> },
): Promise<Result> {
  const { query_timeout: _, ...patient } = connection
  const db = openTables({ ...patient, max: 1 }, log)
  try {
    return await db.transaction().execute(async (transaction) => {
      // Set in the transaction: behind a pooler, connection settings belong to the role or to other
      // clients.
      await sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`.execute(
        transaction,
      )
      return work(transaction)
    })
  } finally {
    await closeTables(db)
  }
}

/**
 * Chooses the connection parameters. The server cancels our timed-out statements, unless the pooler
 * refuses the parameters.
 */
async function chooseConnection(
  url: string,
  { log, startMs }: { log: Pick<Log, 'warn'>; startMs: number },
): Promise<ClientConfig> {
  const plain: ClientConfig = {
    connectionString: url,
    application_name: 'recollect',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    query_timeout: TIMEOUTS.answerMs,
    types: { getTypeParser },
  }
  const bounded: ClientConfig = {
    ...plain,
    statement_timeout: TIMEOUTS.statementMs,
    lock_timeout: TIMEOUTS.lockMs,
    idle_in_transaction_session_timeout: TIMEOUTS.idleInTransactionMs,
  }
  const giveUpAt = performance.now() + startMs
  for (let tries = 1; ; tries += 1) {
    try {
      await tryConnection(bounded)
      return bounded
    } catch (error) {
      if (isRefusedParameter(error)) {
        log.warn(
          {},
          'the database pooler refuses timeout parameters; set statement_timeout for the role in the database',
        )
        return plain
      }
      if (!isTransient(error) || performance.now() > giveUpAt) throw toConnectionError(error)
      // Users at a terminal see the reason of the wait.
      if (tries === 1)
        log.warn(
          { reason: messageOf(error), seconds: startMs / 1000 },
          'waiting for the database in RECOLLECT_DATABASE_URL',
        )
    }
    await pause(START_RETRY_DELAY_MS)
  }
}

async function tryConnection(config: ClientConfig): Promise<void> {
  const client = new Client({ ...config, connectionTimeoutMillis: TIMEOUTS.connectMs })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
  } finally {
    void client.end().catch(() => undefined)
  }
}

function isRefusedParameter(error: unknown): boolean {
  return (
    error instanceof DatabaseError && error.code === REFUSED_PARAMETER_CODE && /startup parameter/.test(error.message)
  )
}

/** Names the setting, but not the URL, which may contain a password. */
function toConnectionError(cause: unknown): Error {
  return new Error(`The database in RECOLLECT_DATABASE_URL is not available: ${messageOf(cause)}.`, { cause })
}

function messageOf(cause: unknown): string {
  return cause instanceof Error && cause.message !== '' ? cause.message : String((cause as { code?: unknown }).code)
}

const getTypeParser = ((oid: number, format?: 'text') =>
  NUMERIC_OIDS.has(oid) ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser

function retryTransactions(db: Kysely<Tables>): void {
  const begin = db.transaction.bind(db)
  db.transaction = () => {
    const transaction = begin()
    const execute = transaction.execute.bind(transaction)
    transaction.execute = async <Result>(work: (transaction: Transaction<Tables>) => Promise<Result>) => {
      for (let runs = 1; ; runs += 1) {
        try {
          return await execute(work)
        } catch (error) {
          if (runs === MAX_TRANSACTION_RUNS || !isSerializationFailure(error)) throw error
          // Random delay, so that the same transactions do not collide again.
          await pause(Math.random() * 20 * runs)
        }
      }
    }
    return transaction
  }
}
