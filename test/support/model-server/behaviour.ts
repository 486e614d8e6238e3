/**
 * The reaction of the server to one request: correct, or wrong in a way observed with real servers.
 */
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dialect } from './dialects.ts'
import type { RecordedRequest } from './model-server.ts'

/** All absent: a proper answer. */
export type Behaviour = {
  /** The text instead of the responder's. */
  text?: string
  /** An error with this status. */
  status?: number
  headers?: Record<string, string>
  /** Sent as it is instead of a proper body, or of an error in the protocol's form. */
  body?: string
  /** Nothing is sent, or nothing after so many pieces of a stream; the connection stays. */
  stall?: 'before-headers' | number
  /**
   * The connection is broken before anything is sent, or after so many pieces of a stream (of a
   * body: in its middle).
   */
  drop?: 'before-headers' | number
  /** A stream that ends after so many pieces, valid as HTTP but without a finish marker. */
  endAfter?: number
  /** A stream that repeats its first piece endlessly, or an endless body. */
  isEndless?: boolean
  /** Between two pieces of a stream. */
  gapMs?: number
  /** Nothing is said of tokens. */
  withoutUsage?: boolean
  /** Why the answer ended, in the words of the OpenAI protocol; `stop` when absent. */
  finish?: string
}

type Stage = {
  request: RecordedRequest
  response: ServerResponse
  dialect: Dialect | null
  whole(text: string): unknown
}

/** Plays one behaviour to the end, or until the client leaves. */
export async function play(behaviour: Behaviour, stage: Stage, respond: () => string): Promise<void> {
  const { response, request, dialect } = stage
  if (behaviour.stall === 'before-headers') return
  if (behaviour.drop === 'before-headers') return void response.destroy()
  const { status = 200, headers = {}, body } = behaviour
  if (status >= 300 || body !== undefined) {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body ?? JSON.stringify({ error: { message: `scripted ${status}`, type: 'scripted' } }))
    return
  }
  const text = behaviour.text ?? respond()
  if (dialect?.isStream(request) === true) return await playStream(behaviour, stage, text)
  const facts = { finish: behaviour.finish ?? 'stop', withoutUsage: behaviour.withoutUsage ?? false }
  const whole = JSON.stringify(dialect === null ? stage.whole(text) : dialect.toBody(text, request, facts))
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  if (behaviour.isEndless === true) return await fill(response)
  if (behaviour.drop === undefined && behaviour.stall === undefined) return void response.end(whole)
  response.write(whole.slice(0, whole.length / 2))
  if (behaviour.drop !== undefined) setImmediate(() => response.destroy())
}

async function playStream(behaviour: Behaviour, { response, request, dialect }: Stage, text: string): Promise<void> {
  if (dialect === null) return
  const { finish = 'stop', withoutUsage = false, gapMs = 0 } = behaviour
  const { opening, pieces, closing } = dialect.toEvents(text, request, { finish, withoutUsage })
  response.writeHead(200, { 'content-type': 'text/event-stream', ...behaviour.headers })
  for (const event of opening) response.write(event)
  for (let count = 0; behaviour.isEndless === true || count < pieces.length; count += 1) {
    if (behaviour.stall === count) return
    // Written data is flushed first, so the dropped connection does not discard it.
    if (behaviour.drop === count) return void setTimeout(() => response.destroy(), 20)
    if (behaviour.endAfter === count) return void response.end()
    response.write(pieces[count] ?? pieces[0] ?? '')
    if (gapMs > 0 || behaviour.isEndless === true) await sleep(gapMs)
    if (response.destroyed) return
  }
  for (const event of closing) response.write(event)
  response.end()
}

async function fill(response: ServerResponse): Promise<void> {
  response.write('{"choices": [')
  while (!response.destroyed) {
    if (!response.write('"'.padEnd(65_536, 'x'))) await Promise.race([drained(response), sleep(50)])
    await sleep(0)
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('drain', resolve))
}
