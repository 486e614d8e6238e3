import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Client } from '../../client/client.ts'
import { ApiError } from '../../errors.ts'
import { JSON_BODY_BYTES } from '../../limits.ts'
import { keepNothing } from '../../services/request-work.ts'
import { authorize } from '../callers/admit-caller.ts'
import { requireOwnOrigin } from '../callers/require-own-origin.ts'
import type { Answer, Incoming, Route } from '../route.ts'

/** Room for a text of add_text in any script, escaped. */
const MAX_BODY_BYTES = 4 * JSON_BODY_BYTES

/** Contract, "Around it": the Model Context Protocol over these routes, by streamable HTTP without sessions. */
export function createMcpRoute(routes: readonly Route[]): Route {
  return {
    method: 'POST',
    url: '/mcp',
    operationId: 'mcp',
    summary: 'The Model Context Protocol, streamable HTTP without sessions',
    description: 'For programs that speak the Model Context Protocol. The same keys hold.',
    tag: 'Service',
    access: 'memory',
    isPage: true,
    keepsNothing: true,
    maxBodyBytes: MAX_BODY_BYTES,
    body: null,
    query: null,
    answers: { 200: { description: 'The JSON-RPC response.' }, 202: { description: 'A notification was taken.' } },
    errors: ['origin_forbidden'],
    handle: (incoming) => answerMessage(routes, incoming),
  }
}

async function answerMessage(routes: readonly Route[], incoming: Incoming): Promise<Answer> {
  const { about, caller, headers, body } = incoming
  requireOwnOrigin({ method: 'POST', headers }, { hasKey: caller?.keyId !== null })
  // Batches are no part of the protocol any more (2025-06-18), and would go past the limit of requests.
  if (Array.isArray(body) || typeof body !== 'object' || body === null) {
    throw new ApiError('validation_failed', { message: 'The body must be one JSON-RPC message.' })
  }
  // Loaded with the first message: who has no use for it pays nothing.
  const { answerMcpMessage } = await import('../../mcp/mcp-server.ts')
  const answer = await answerMcpMessage(body, toWebHeaders(headers), {
    call: createRouteCaller(routes, incoming),
    version: about.version,
    describeError: (error) => (incoming.describeError(error) as { error: never }).error,
  })
  const type = answer.headers.get('content-type')
  const text = await answer.text()
  const named: Record<string, string> = type === null ? {} : { 'content-type': type }
  return { status: answer.status, headers: named, body: text === '' ? null : text }
}

function toWebHeaders(headers: IncomingHttpHeaders): Headers {
  const single = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return new Headers(single)
}

/** Of the headers that came none is for these calls: an `Accept` of events or a `Range` would make of an answer what nobody here reads. */
const HEADERS = { accept: 'application/json' } as const

type Given = { path?: Record<string, string>; query?: object; body?: object }

/**
 * Calls operations of the service for the caller of a request that is already let in, with all that the routes demand: scope,
 * schemas, quotas. Rejects with `ApiError`. Nothing is kept for a repeat.
 */
function createRouteCaller(routes: readonly Route[], incoming: Incoming): Client['call'] {
  return async (name, input) => {
    const route = routes.find(({ operationId }) => operationId === name)
    if (route === undefined || incoming.caller === null) throw new ApiError('route_not_found')
    const { path = {}, query = {}, body } = input as Given
    authorize(incoming.caller, route, path)
    const own = { headers: HEADERS, params: path, query, body, upload: null, keepAs: () => keepNothing }
    const answer = await route.handle({ ...incoming, ...own })
    return (isJson(answer.headers) ? answer.body : new Response(toWebBody(answer.body))) as never
  }
}

function isJson(headers: Record<string, string>): boolean {
  return headers['content-type'] === undefined || headers['content-type'].startsWith('application/json')
}

function toWebBody(body: object | string | Readable | null) {
  return body instanceof Readable ? (Readable.toWeb(body) as ReadableStream) : String(body)
}
