import { Readable } from 'node:stream'
import type { Client } from '../client/client.ts'
import { ApiError } from '../errors.ts'
import { keepNothing } from '../services/request-work.ts'
import { authorize } from './callers/authorize.ts'
import type { Incoming, Route } from './route.ts'

/** Of the headers that came none is for these calls: an `Accept` of events or a `Range` would make of an answer what nobody here reads. */
const HEADERS = { accept: 'application/json' } as const

type Given = { path?: Record<string, string>; query?: object; body?: object }

/**
 * Calls operations of the service for the caller of a request that is already let in, with all that the routes demand: scope,
 * schemas, quotas. Rejects with `ApiError`. Nothing is kept for a repeat.
 */
export function createRouteCaller(routes: readonly Route[], incoming: Incoming): Client['call'] {
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
