import { Readable } from 'node:stream'
import type { Answer } from '../route.ts'

/** One server-sent event: its name and its JSON. */
export type ServerEvent = { event: string; data: object }

/** Without traffic proxies cut a connection, many after 60 s or 30 s; a comment keeps it. */
const HEARTBEAT_MS = 15_000

/**
 * An answer of server-sent events (HTML standard, "Server-sent events"), with a comment while there is nothing to
 * tell. It ends with the events; whoever makes them watches for a reader who leaves.
 */
export function eventStream(events: AsyncIterable<ServerEvent>, heartbeatMs = HEARTBEAT_MS): Answer<200, Readable> {
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    // nginx holds back what it takes for an ordinary answer.
    'x-accel-buffering': 'no',
  }
  return { status: 200, headers, body: Readable.from(write(events, heartbeatMs), { objectMode: false }) }
}

async function* write(events: AsyncIterable<ServerEvent>, heartbeatMs: number): AsyncGenerator<string> {
  const iterator = events[Symbol.asyncIterator]()
  let next = iterator.next()
  try {
    for (;;) {
      const result = await orHeartbeat(next, heartbeatMs)
      if (result === null) yield ': waiting\n\n'
      else if (result.done === true) return
      else {
        yield `event: ${result.value.event}\ndata: ${JSON.stringify(result.value.data)}\n\n`
        next = iterator.next()
      }
    }
  } finally {
    await iterator.return?.()
  }
}

/** What the promise brings, or `null` when that takes longer. */
async function orHeartbeat<Value>(promise: Promise<Value>, heartbeatMs: number): Promise<Value | null> {
  const { promise: pause, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), heartbeatMs)
  try {
    return await Promise.race([promise, pause])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * True for an Accept header that would rather have server-sent events than JSON: it names them with the higher weight, or first where
 * both have the same. Wildcards ask for neither.
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
