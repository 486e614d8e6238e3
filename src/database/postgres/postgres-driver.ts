import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { DatabaseError, type Pool, type PoolClient } from 'pg'
import { ApiError, type ErrorCode } from '../../errors.ts'

const WRITE_COMMANDS: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE'])

/**
 * Kysely driver over a pool of PostgreSQL connections. `toPostgresError` translates errors.
 * A connection without a response is closed, together with all connections idle since then. On a
 * network that drops packets, each would cost the full timeout again.
 * The server rolls back the transaction of a broken connection. A COMMIT without a response has an
 * unknown result, and callers must not assume either.
 * The driver uses neither named statements nor session settings, so that a pooler can assign a
 * different server connection to each transaction.
 */
export function createPostgresDriver(pool: Pool): Driver {
  const health = createConnectionHealth()

  async function acquire(): Promise<PoolClient> {
    for (;;) {
      const client = await pool.connect()
      if (!health.isSuspect(client)) return client
      client.release(true)
    }
  }

  return {
    init: async () => {},
    async acquireConnection() {
      try {
        return createConnection(await acquire(), health)
      } catch (error) {
        throw toPostgresError(error)
      }
    },
    releaseConnection: async (connection) => (connection as Connection).release(),
    beginTransaction: (connection) => (connection as Connection).command('begin'),
    commitTransaction: (connection) => (connection as Connection).command('commit'),
    rollbackTransaction: (connection) => (connection as Connection).rollback(),
    destroy: () => pool.end(),
  }
}

type ConnectionHealth = {
  recordResponse(client: PoolClient): void
  recordTimeout(): void
  isSuspect(client: PoolClient): boolean
}

function createConnectionHealth(): ConnectionHealth {
  const answeredAt = new WeakMap<PoolClient, number>()
  let silentSince = 0
  return {
    recordResponse: (client) => void answeredAt.set(client, performance.now()),
    recordTimeout: () => {
      silentSince = performance.now()
    },
    isSuspect: (client) => (answeredAt.get(client) ?? Infinity) < silentSince,
  }
}

type Connection = DatabaseConnection & {
  command(sql: 'begin' | 'commit'): Promise<void>
  rollback(): Promise<void>
  release(): void
}

function createConnection(client: PoolClient, health: ConnectionHealth): Connection {
  let isBroken = false

  async function query<Row>(text: string, values: readonly unknown[]): Promise<QueryResult<Row> & { command: string }> {
    if (isBroken) throw toPostgresError(new Error('the connection failed at an earlier statement'))
    try {
      const { command, rowCount, rows } = await client.query({ text, values: values.map(replaceNul) })
      health.recordResponse(client)
      return { command, rows, ...(WRITE_COMMANDS.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) }
    } catch (error) {
      if (isConnectionTrouble(error)) {
        isBroken = true
        health.recordTimeout()
      } else health.recordResponse(client)
      throw toPostgresError(error)
    }
  }

  return {
    executeQuery: ({ sql, parameters }: CompiledQuery) => query(sql, parameters),
    async *streamQuery({ sql, parameters }: CompiledQuery) {
      yield await query(sql, parameters)
    },
    async command(sql) {
      const { command } = await query(sql, [])
      // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK, without an error.
      if (sql === 'commit' && command === 'ROLLBACK') throw new Error('the transaction was aborted by an earlier error')
    },
    async rollback() {
      if (isBroken) return
      try {
        await query('rollback', [])
      } catch {
        // The original error is more useful, and a connection that cannot roll back is not used
        // again.
        isBroken = true
      }
    },
    release: () => client.release(isBroken),
  }
}

/**
 * PostgreSQL texts allow every character except U+0000; the replacement character has the same
 * length in every unit we count.
 */
function replaceNul(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
}

/**
 * Codes and classes (first two characters) of failures outside of the statement
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const POSTGRES_CODES: Readonly<Record<string, ErrorCode>> = {
  '08': 'service_unavailable', // the connection
  '25006': 'service_unavailable', // a replica that takes no writes, as during a fail-over
  '25P03': 'service_unavailable', // idle too long in a transaction
  '28': 'service_unavailable', // the password changed while we ran
  '3D000': 'service_unavailable', // the database is gone
  '40001': 'service_unavailable', // serialization failure, after it was tried again
  '40P01': 'service_unavailable', // deadlock, likewise
  '53': 'service_unavailable', // out of connections or memory
  '53100': 'insufficient_storage', // the server's disk is full
  '55P03': 'service_unavailable', // a lock that was not to be had in time
  '57': 'service_unavailable', // cancelled, shut down, starting up
  '58': 'service_unavailable', // errors of the server's disk
  '58030': 'data_damaged', // a file that it cannot read
  XX001: 'data_damaged', // a damaged table
  XX002: 'data_damaged', // a damaged index
  XX: 'service_unavailable', // internal
}
const SERIALIZATION_CODES: ReadonlySet<string> = new Set(['40001', '40P01'])

/**
 * Translates an error like `toStoreError` does for SQLite; an error not from the server is a
 * connection failure.
 */
export function toPostgresError(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) {
    return isConnectionTrouble(error) ? new ApiError('service_unavailable', { cause: error }) : error
  }
  const code = error.code ?? ''
  const known = POSTGRES_CODES[code] ?? POSTGRES_CODES[code.slice(0, 2)]
  return known === undefined ? error : new ApiError(known, { cause: error })
}

/**
 * True if the connection is unusable: broken, closed by the server, or without a response in time.
 */
export function isConnectionTrouble(error: unknown): boolean {
  if (error instanceof DatabaseError) return /^(08|57P0|25P03)/.test(error.code ?? '')
  // Both mean invalid values in our statement.
  return !(error instanceof TypeError || error instanceof RangeError)
}

/** True for a transaction that lost a conflict and can be repeated. */
export function isSerializationFailure(error: unknown): boolean {
  const original = error instanceof ApiError ? error.cause : error
  return original instanceof DatabaseError && SERIALIZATION_CODES.has(original.code ?? '')
}

/** True if only waiting helps: the server is down or not ready. */
export function isTransient(error: unknown): boolean {
  const original = error instanceof ApiError ? error.cause : error
  return isConnectionTrouble(original) || (original instanceof DatabaseError && /^(53|57)/.test(original.code ?? ''))
}
