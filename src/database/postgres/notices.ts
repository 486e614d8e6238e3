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
const CONNECT_TIMEOUT_MS = 5000
const RECONNECT_DELAY_MS = 2000

/** Sends to all processes, including this one. */
export type Notices = {
  /**
   * Never throws; the text is lost if the database is down. A pending equal text is sent only once.
   */
  send(text: string): void
  close(): Promise<void>
}

export type NoticesDeps = {
  db: Kysely<Tables>
  /** Configuration of the listening connection. */
  connection: ClientConfig
  receive: (text: string) => void
  log: Pick<Log, 'debug'>
}

/** Starts listening on a separate connection, with automatic reconnects. */
export function openNotices({ db, connection, receive, log }: NoticesDeps): Notices {
  const leaving = new AbortController()
  const listening = listen(connection, { receive, log, signal: leaving.signal })
  const waiting = new Set<string>()

  async function sendOne(text: string): Promise<void> {
    try {
      await sql`select pg_notify(${CHANNEL}, ${text})`.execute(db)
    } catch (err) {
      log.debug({ err }, 'a notice to other processes could not be sent')
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

type ListenDeps = Pick<NoticesDeps, 'receive' | 'log'> & { signal: AbortSignal }

async function listen(connection: ClientConfig, { receive, log, signal }: ListenDeps): Promise<void> {
  while (!signal.aborted) {
    const { query_timeout: _, ...lasting } = connection
    const client = new Client({ ...lasting, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
    const ended = new Promise<void>((resolve) => {
      client.on('error', () => resolve())
      client.on('end', () => resolve())
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    client.on('notification', ({ payload }) => receive(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      await ended
    } catch (err) {
      log.debug({ err }, 'listening to other processes failed')
    }
    void client.end().catch(() => undefined)
    await pause(RECONNECT_DELAY_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
