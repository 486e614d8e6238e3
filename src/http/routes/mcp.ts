import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Client } from '../../client/client.ts'
import { ApiError } from '../../errors.ts'
import { JSON_BODY_BYTES } from '../../limits.ts'
import { storeNoResponse } from '../../services/request-work.ts'
import { authorize } from '../callers/admit-caller.ts'
import { requireSameOrigin } from '../callers/require-same-origin.ts'
import type { Answer, IncomingRequest, Route } from '../route.ts'

/** Room for the longest text of add_text, escaped in any script. */
const MAX_BODY_BYTES = 4 * JSON_BODY_BYTES

/**
 * Contract, "Around it": the Model Context Protocol over the routes of this service, as streamable
 * HTTP without sessions.
 */
export function createMcpRoute(routes: readonly Route[]): Route {
  return {
    method: 'POST',
    url: '/mcp',
    operationId: 'mcp',
    summary: 'Model Context Protocol',
    description: 'Model Context Protocol endpoint (streamable HTTP, no sessions). Uses the same API keys.',
    tag: 'Service',
    access: 'memory',
    role: 'reader',
    isPage: true,
    replayable: false,
    maxBodyBytes: MAX_BODY_BYTES,
    body: null,
    query: null,
    answers: { 200: { description: 'The JSON-RPC response.' }, 202: { description: 'The notification was accepted.' } },
    errors: ['origin_forbidden'],
    handle: (incoming) => answerMessage(routes, incoming),
  }
}

async function answerMessage(routes: readonly Route[], incoming: IncomingRequest): Promise<Answer> {
  const { serviceInfo, caller, headers, body } = incoming
  requireSameOrigin({ method: 'POST', headers }, { hasKey: caller?.keyId !== null })
  // The protocol dropped batches (2025-06-18), and a batch would bypass the rate limit.
  if (Array.isArray(body) || typeof body !== 'object' || body === null) {
    throw new ApiError('validation_failed', { message: 'The body must be a single JSON-RPC message.' })
  }
  // Loaded with the first message: a service without MCP clients never loads the SDK.
  const { answerMcpMessage } = await import('../../mcp/mcp-server.ts')
  const answer = await answerMcpMessage(body, toWebHeaders(headers), {
    call: createRouteCaller(routes, incoming),
    version: serviceInfo.version,
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

/**
 * Headers of internal calls. Incoming headers such as `Accept: text/event-stream` or `Range` must
 * not reach them.
 */
const HEADERS = { accept: 'application/json' } as const

type CallInput = { path?: Record<string, string>; query?: object; body?: object }

/**
 * Calls operations for the already authenticated caller, with all checks of the routes: scope,
 * schemas, quotas. Rejects with `ApiError`. Responses are not stored for replay.
 */
function createRouteCaller(routes: readonly Route[], incoming: IncomingRequest): Client['call'] {
  return async (name, input) => {
    const route = routes.find(({ operationId }) => operationId === name)
    if (route === undefined || incoming.caller === null) throw new ApiError('route_not_found')
    const { path = {}, query = {}, body } = input as CallInput
    authorize(incoming.caller, route, path)
    const own = { headers: HEADERS, params: path, query, body, upload: null, storeResponseAs: () => storeNoResponse }
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
