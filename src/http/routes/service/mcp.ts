import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../../../errors.ts'
import { JSON_BODY_BYTES } from '../../../limits.ts'
import { createRouteCaller } from '../../call-route.ts'
import { requireOwnOrigin } from '../../callers/require-own-origin.ts'
import type { Answer, Incoming, Route } from '../../route.ts'

/** Room for a text of add_text in any script, escaped. */
const MAX_BODY_BYTES = 4 * JSON_BODY_BYTES

/** Contract, "Around it": the Model Context Protocol over these routes, by streamable HTTP without sessions. */
export function createMcpRoute(routes: readonly Route[]): Route {
  return {
    method: 'POST',
    url: '/mcp',
    operationId: 'mcp',
    summary: 'The Model Context Protocol, streamable HTTP without sessions',
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
  const { answerMcpMessage } = await import('../../../mcp/answer-mcp-message.ts')
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
