import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { sendAnswer } from './answers/send-answer.ts'
import type { Answer, Route } from './route.ts'

/** Answers a request without a route. */
export type UnknownPathHandler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

/**
 * Answers 404 for an unknown path, 405 for a known path with another method, and OPTIONS with the
 * methods of the path.
 */
export function createUnknownPathHandler(
  routes: readonly Route[],
  toAnswer: (error: ApiError, request: FastifyRequest) => Answer,
): UnknownPathHandler {
  const allowedMethods = createAllowedMethods(routes)
  return (request, reply) => {
    const allow = allowedMethods(request.url.split('?')[0] ?? '')
    if (allow.length > 0 && request.method === 'OPTIONS') {
      return sendAnswer(request, reply, { status: 204, headers: { allow: allow.join(', ') }, body: null })
    }
    // The router matches no line break in a path parameter, so a path of this list may still have
    // no route.
    const isKnown = allow.length > 0 && !allow.includes(request.method)
    const error = isKnown ? new ApiError('method_not_allowed', { allow }) : new ApiError('route_not_found')
    return sendAnswer(request, reply, toAnswer(error, request))
  }
}

/** Literal paths win: `GET /v1/memories/import` is never read as a memory identifier. */
export function reserveLiteralPaths(
  app: FastifyInstance,
  routes: readonly Route[],
  answerUnknownPath: UnknownPathHandler,
): void {
  const literals = new Set(routes.map(({ url }) => url).filter((url) => !url.includes(':')))
  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?')[0]?.replace(/\/$/, '') ?? ''
    if (request.routeOptions.url?.includes(':') && literals.has(path)) return answerUnknownPath(request, reply)
  })
}

/**
 * Returns a function that lists the methods of a path, empty for unknown paths. For 405 with
 * `Allow`, and OPTIONS.
 */
export function createAllowedMethods(routes: readonly Pick<Route, 'method' | 'url'>[]): (path: string) => string[] {
  const patterns = routes.map(({ method, url }) => ({ method, url, pattern: toPattern(url) }))
  return (path) => {
    const fitting = patterns.filter(({ pattern }) => pattern.test(path))
    // Literal paths win: `/v1/memories/import` is not a memory.
    const named = fitting.filter(({ url }) => !url.includes(':'))
    const methods = (named.length > 0 ? named : fitting).map(({ method }) => method)
    if (methods.length === 0) return []
    const all = methods.includes('GET') ? ['GET', 'HEAD', ...methods, 'OPTIONS'] : [...methods, 'OPTIONS']
    return [...new Set<string>(all)]
  }
}

function toPattern(url: string): RegExp {
  const segments = url.split('/').map((part) => {
    // Same rule as the router: a parameter with a suffix ends at the first dot.
    const parameter = /^:\w+$/.test(part) ? '[^/]+' : '[^/.]+'
    return part.replace(/[.]/g, '\\.').replace(/^:\w+/, parameter)
  })
  return new RegExp(`^${segments.join('/')}/?$`)
}
