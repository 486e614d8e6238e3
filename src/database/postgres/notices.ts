/**
 * Short messages between processes on a PostgreSQL database (NOTIFY and LISTEN). Delivery is not
 * guaranteed: a pooler in transaction mode delivers none, and a reconnect loses some. Receivers
 * must also poll.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { Client, type ClientConfig } from 'pg'
import type { Log } from '../../observability/log.ts'
import type { Tables } from '../schema.ts'

const CHANNEL = 'recollect'
const CONNECT_MS = 5000
const RECONNECT_MS = 2000

/** Sends to all processes, including this one. */
export type Notices = {
  /**
   * Never throws; the text is lost if the database is down. A pending equal text is sent only once.
   */
  send(text: string): void
  close(): Promise<void>
}

export type NoticeParts = {
  db: Kysely<Tables>
  /** Configuration of the listening connection. */
  connection: ClientConfig
  hear: (text: string) => void
  log: Pick<Log, 'debug'>
}

/** Starts listening on a separate connection, with automatic reconnects. */
export function openNotices({ db, connection, hear, log }: NoticeParts): Notices {
  const leaving = new AbortController()
  const listening = listen(connection, { hear, log, signal: leaving.signal })
  const waiting = new Set<string>()

  async function sendOne(text: string): Promise<void> {
    try {
      await sql`select pg_notify(${CHANNEL}, ${text})`.execute(db)
    } catch (err) {
      log.debug({ err }, 'a notice to other processes was lost')
    }
  }

  return {
    send(text) {
      if (waiting.has(text) || leaving.signal.aborted) return
      waiting.add(text)
      // Combines equal notices of one event-loop turn.
      setImmediate(() => {
        waiting.delete(text)
        void sendOne(text)
      })
    },
    async close() {
      leaving.abort()
      await listening
    },
  }
}

type Listening = Pick<NoticeParts, 'hear' | 'log'> & { signal: AbortSignal }

async function listen(connection: ClientConfig, { hear, log, signal }: Listening): Promise<void> {
  while (!signal.aborted) {
    const { query_timeout: _, ...lasting } = connection
    const client = new Client({ ...lasting, connectionTimeoutMillis: CONNECT_MS })
    const ended = new Promise<void>((resolve) => {
      client.on('error', () => resolve())
      client.on('end', () => resolve())
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    client.on('notification', ({ payload }) => hear(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      await ended
    } catch (err) {
      log.debug({ err }, 'listening to other processes failed')
    }
    void client.end().catch(() => undefined)
    await pause(RECONNECT_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
