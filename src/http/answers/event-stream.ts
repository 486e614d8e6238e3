import { Readable } from 'node:stream'
import type { Answer } from '../route.ts'

/** A server-sent event with JSON data, or with a text. Without `event`, the type is `message`. */
export type ServerEvent = { event?: string; data: object | string }

/**
 * Proxies close silent connections, many after 60 s or 30 s. A comment keeps the connection open.
 */
const HEARTBEAT_MS = 15_000

/**
 * Response with server-sent events (HTML standard, "Server-sent events"), and a comment while there
 * are none. The source of the events must watch for disconnected clients.
 */
export function eventStream(events: AsyncIterable<ServerEvent>, heartbeatMs = HEARTBEAT_MS): Answer<200, Readable> {
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    // Disables response buffering in nginx.
    'x-accel-buffering': 'no',
  }
  return { status: 200, headers, body: Readable.from(write(events, heartbeatMs), { objectMode: false }) }
}

async function* write(events: AsyncIterable<ServerEvent>, heartbeatMs: number): AsyncGenerator<string> {
  const iterator = events[Symbol.asyncIterator]()
  let next = iterator.next()
  try {
    for (;;) {
      const result = await waitUntilHeartbeat(next, heartbeatMs)
      if (result === null) yield ': waiting\n\n'
      else if (result.done === true) return
      else {
        yield serialize(result.value)
        next = iterator.next()
      }
    }
  } finally {
    await iterator.return?.()
  }
}

function serialize({ event, data }: ServerEvent): string {
  const type = event === undefined ? '' : `event: ${event}\n`
  return `${type}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}

/** Resolves with the value, or with `null` after the heartbeat interval. */
async function waitUntilHeartbeat<Value>(promise: Promise<Value>, heartbeatMs: number): Promise<Value | null> {
  const { promise: pause, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), heartbeatMs)
  try {
    return await Promise.race([promise, pause])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Returns whether an Accept header prefers server-sent events over JSON: by weight, then by order.
 * Wildcards count for neither.
 */
export function prefersEvents(accept: string | undefined): boolean {
  const ranges = (accept ?? '').toLowerCase().split(',').map(readRange)
  const named = ranges.filter(({ type, weight }) => (type === EVENTS || type === JSON_TYPE) && weight > 0)
  const best = Math.max(...named.map(({ weight }) => weight))
  return named.find(({ weight }) => weight === best)?.type === EVENTS
}

const EVENTS = 'text/event-stream'
const JSON_TYPE = 'application/json'

function readRange(range: string): { type: string; weight: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
  return { type, weight: Number.isNaN(Number(weight)) ? 1 : Number(weight) }
}
