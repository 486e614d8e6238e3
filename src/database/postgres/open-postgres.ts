import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql, type Transaction } from 'kysely'
import { Client, type ClientConfig, DatabaseError, Pool, type PoolConfig, types } from 'pg'
import { ApiError } from '../../errors.ts'
import type { Log } from '../../observability/log.ts'
import type { Tables } from '../schema.ts'
import type { Store } from '../store.ts'
import { createDamageListener, type DamageListener } from '../store-errors.ts'
import { createTableChecks } from './check-tables.ts'
import { createPostgresDriver, isSerializationFailure, mayPass } from './postgres-driver.ts'

/**
 * How long things may take. A request that meets a network which swallows everything waits once for an answer and twice,
 * cleaning up, for a new connection: 8 + 2 × 2.5 s, under the 15 s in which it has to be told.
 */
const TIMEOUTS = { connectMs: 2500, answerMs: 8000, statementMs: 7000, lockMs: 5000, idleInTransactionMs: 15_000 }
/** A database that starts beside the service may take so long to answer. */
const START_MS = 60_000
const START_PAUSE_MS = 500
/** Connections that are not needed for so long are closed. */
const IDLE_MS = 60_000
/** A connection that does not say good-bye in time is left to the operating system. */
const CLOSE_MS = 2000
/** Times a transaction runs that loses against others (deadlock, serialization). */
const MAX_RUNS = 5
/** bigint and numeric: our numbers are far from where a double loses count. https://github.com/brianc/node-pg-types */
const NUMBERS: ReadonlySet<number> = new Set([20, 1700])
/** protocol_violation: how PgBouncer refuses a parameter that it does not know. */
const REFUSED_PARAMETER_CODE = '08P01'

/** Where the database is and how many connections this process may have to it. */
export type PostgresPlace = { url: string; maxConnections: number; log: Pick<Log, 'warn'>; startMs?: number }

/**
 * Opens the metadata database in PostgreSQL, 14 or newer, directly or behind a pooler in transaction mode. Waits up to a
 * minute for a server that is not there yet, and logs that it does; rejects when none came, and at once when it refuses us.
 *
 * A transaction that fails because of others is run again from its beginning, so what it does beside its statements
 * must bear that. No statement takes over 8 s but those of `runLong`; one that gets no answer is `service_unavailable`.
 */
export async function openPostgres({ url, maxConnections, log, startMs = START_MS }: PostgresPlace): Promise<Store> {
  const connection = await chooseConnection(url, { log, startMs })
  const damages = createDamageListener()
  const db = openTables({ ...connection, max: maxConnections }, log, damages)
  const patient: Store['runLong'] = (work) => runLong(work, { connection, log })
  return {
    db,
    dialect: 'postgres',
    connection,
    runLong: patient,
    ...createTableChecks(patient),
    onDamage: damages.onDamage,
    async probe() {
      const { rows } = await sql<{ replica: boolean }>`select pg_is_in_recovery() as replica`.execute(db)
      if (rows[0]?.replica === true) throw new ApiError('service_unavailable', { cause: new Error('a replica') })
    },
    // The server's log is the operator's.
    cutLog: async () => undefined,
    givePagesBack: async () => undefined,
    close: () => closeTables(db),
  }
}

function openTables(config: PoolConfig, log: Pick<Log, 'warn'>, damages?: DamageListener): Kysely<Tables> {
  const pool = new Pool({ ...config, connectionTimeoutMillis: TIMEOUTS.connectMs, idleTimeoutMillis: IDLE_MS })
  // A connection that ends, idle or between two statements, would otherwise end the process. Only the message is logged:
  // the errors of idle ones carry their client with all it knows.
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
  runTransactionsAgain(db)
  return db
}

async function closeTables(db: Kysely<Tables>): Promise<void> {
  await Promise.race([db.destroy(), pause(CLOSE_MS, undefined, { ref: false })])
}

/** On a connection of its own, for the client's time-out is the connection's. */
async function runLong<Result>(
  work: (transaction: Transaction<Tables>) => Promise<Result>,
  { connection, log }: { connection: ClientConfig; log: Pick<Log, 'warn'> },
): Promise<Result> {
  const { query_timeout: _, ...patient } = connection
  const db = openTables({ ...patient, max: 1 }, log)
  try {
    return await db.transaction().execute(async (transaction) => {
      // Not of the connection: behind a pooler those are the role's, or of others.
      await sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`.execute(
        transaction,
      )
      return work(transaction)
    })
  } finally {
    await closeTables(db)
  }
}

/** What every connection is opened with; the server ends what we gave up, unless a pooler refuses to be told so. */
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
          'the pooler of the database takes no time-outs; set statement_timeout for the role in the database',
        )
        return plain
      }
      if (!mayPass(error) || performance.now() > giveUpAt) throw unreachable(error)
      // Whoever waits at a terminal sees what for.
      if (tries === 1)
        log.warn(
          { reason: reasonOf(error), seconds: startMs / 1000 },
          'waiting for the database of RECOLLECT_DATABASE_URL',
        )
    }
    await pause(START_PAUSE_MS)
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

/** Says what to look at; the address stays out of it, for a password may stand in it. */
function unreachable(cause: unknown): Error {
  return new Error(`The database of RECOLLECT_DATABASE_URL cannot be used: ${reasonOf(cause)}.`, { cause })
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error && cause.message !== '' ? cause.message : String((cause as { code?: unknown }).code)
}

const getTypeParser = ((oid: number, format?: 'text') =>
  NUMBERS.has(oid) ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser

function runTransactionsAgain(db: Kysely<Tables>): void {
  const begin = db.transaction.bind(db)
  db.transaction = () => {
    const transaction = begin()
    const execute = transaction.execute.bind(transaction)
    transaction.execute = async <Result>(work: (transaction: Transaction<Tables>) => Promise<Result>) => {
      for (let runs = 1; ; runs += 1) {
        try {
          return await execute(work)
        } catch (error) {
          if (runs === MAX_RUNS || !isSerializationFailure(error)) throw error
          // Those that met would meet again.
          await pause(Math.random() * 20 * runs)
        }
      }
    }
    return transaction
  }
}
