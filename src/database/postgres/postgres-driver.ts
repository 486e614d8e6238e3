import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { isConnectionTrouble, toPostgresError } from './postgres-errors.ts'

const WRITES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE'])

/**
 * Kysely's driver over a pool of connections to PostgreSQL. Errors come as `toPostgresError` translates them.
 *
 * A connection on which no answer came is closed, and with it all others that have been silent since: behind a network that
 * swallows packets each of them would cost its caller the whole time-out again. A transaction whose connection broke is not
 * rolled back by us but by the server; whether its COMMIT arrived nobody knows then, and callers must not assume either.
 *
 * There are no named statements and no settings of a session, so that a pooler may give each transaction another server
 * connection.
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
  noteAnswer(client: PoolClient): void
  noteSilence(): void
  isSuspect(client: PoolClient): boolean
}

function createConnectionHealth(): ConnectionHealth {
  const answeredAt = new WeakMap<PoolClient, number>()
  let silentSince = 0
  return {
    noteAnswer: (client) => void answeredAt.set(client, performance.now()),
    noteSilence: () => {
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
    if (isBroken) throw toPostgresError(new Error('the connection broke at an earlier statement'))
    try {
      const { command, rowCount, rows } = await client.query({ text, values: values.map(withoutNul) })
      health.noteAnswer(client)
      return { command, rows, ...(WRITES.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) }
    } catch (error) {
      if (isConnectionTrouble(error)) {
        isBroken = true
        health.noteSilence()
      } else health.noteAnswer(client)
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
      // PostgreSQL answers a COMMIT of a transaction in which a statement failed with ROLLBACK, and no error.
      if (sql === 'commit' && command === 'ROLLBACK') throw new Error('the transaction was ended by an earlier error')
    },
    async rollback() {
      if (isBroken) return
      try {
        await query('rollback', [])
      } catch {
        // What led here is what the caller has to know, and a connection that cannot roll back is not used again.
        isBroken = true
      }
    },
    release: () => client.release(isBroken),
  }
}

/** PostgreSQL's texts hold every character but U+0000; the replacement character is as long in every unit that we count in. */
function withoutNul(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
}
