import type { FastifyInstance, FastifyReply } from 'fastify'
import { KEY_ROLES } from '../../api/key.ts'
import { ApiError } from '../../errors.ts'
import type { KeysService } from '../../services/account/keys-service.ts'
import type { Caller } from '../../services/caller.ts'
import type { SignInService } from '../../services/sign-in/sign-in-service.ts'
import { neededRole, type Route } from '../route.ts'
import { createAuthenticator, hasKey, matchesKey } from './authenticate.ts'
import { type CountRequest, createRateLimiter, type RateLimitState } from './rate-limiter.ts'
import { requireLoopbackHost, requireSameOrigin } from './require-same-origin.ts'
import { admitSession } from './sign-in-cookies.ts'

const WINDOW_SECONDS = 60

/**
 * Operator of the installation. `adminKey` grants the installation routes; `null` disables them.
 * `caller` then acts in the first organization.
 */
export type Operator = { adminKey: string | null; caller: Caller }

/**
 * Authenticates, authorizes and rate-limits a request before its body is read. `anonymous` is the
 * caller of every request if authentication is disabled, otherwise `null`. Without authentication,
 * requests from other sites are rejected.
 */
export function registerAccessControl(
  app: FastifyInstance,
  {
    keys,
    operator,
    signIn,
    anonymous,
    rateLimitPerMinute,
    countRequest,
    now,
  }: {
    keys: KeysService
    operator: Operator | undefined
    signIn: SignInService | null
    anonymous: Caller | null
    rateLimitPerMinute: number
    countRequest: CountRequest | undefined
    now: () => Date
  },
): void {
  const counting = countRequest === undefined ? {} : { count: countRequest }
  const authenticate = createAuthenticator({ keys, now, ...counting })
  const limiter = createRateLimiter({ limit: rateLimitPerMinute, windowMs: WINDOW_SECONDS * 1000, now, ...counting })
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async (request, reply) => {
    const { route } = request.routeOptions.config
    if (anonymous !== null) requireLoopbackHost(request.headers)
    // Other sites may link to the console and the documentation.
    if (route === undefined || route.access === 'public') return
    if (anonymous !== null) requireSameOrigin(request, { hasKey: false })
    const headers = request.raw.headersDistinct
    const admin = route.access === 'installation' ? findOperator(operator, headers) : null
    // A request with a key is of a program, also in a browser.
    const person = hasKey(headers) ? null : await admitSession(signIn, route, request)
    const caller = admin ?? anonymous ?? person ?? (await authenticate(headers, request.ip))
    request.caller = caller
    if (rateLimitPerMinute > 0) applyLimit(reply, await limiter.count(caller.keyId ?? caller.organizationId))
    if (admin === null) authorize(caller, route, request.params as Readonly<Record<string, string>>)
  })
}

/** Returns the operator's caller if the admin key was sent, otherwise `null`. */
function findOperator(operator: Operator | undefined, headers: Readonly<NodeJS.Dict<string[]>>): Caller | null {
  if (operator === undefined || operator.adminKey === null) return null
  return matchesKey(headers, operator.adminKey) ? operator.caller : null
}

/**
 * Sets the headers of draft-ietf-httpapi-ratelimit-headers-10. Throws `rate_limited` if no request
 * is left.
 */
function applyLimit(reply: FastifyReply, { allowed, limit, remaining, resetSeconds }: RateLimitState): void {
  reply.header('ratelimit-policy', `"requests";q=${limit};w=${WINDOW_SECONDS}`)
  reply.header('ratelimit', `"requests";r=${remaining};t=${resetSeconds}`)
  if (!allowed) throw new ApiError('rate_limited', { retryAfterSeconds: resetSeconds })
}

const ADMIN_KEY_NEEDED =
  'This operation requires the admin key of the installation ' +
  '(RECOLLECT_ADMIN_KEY). On the server itself, use recollect ' +
  'organizations.'

/**
 * Throws unless the caller's key may call the route. `scope_forbidden`: a memory-scoped key outside
 * of memories, or an organization key on an installation route. `role_forbidden`: a key of a lower
 * role. `memory_not_found`: a memory-scoped key on another memory. The jobs service itself limits
 * jobs to the caller.
 */
export function authorize(
  caller: Caller,
  route: Pick<Route, 'access' | 'url' | 'method' | 'role'>,
  params: Readonly<Record<string, string>>,
): void {
  if (route.access === 'installation') throw new ApiError('scope_forbidden', { message: ADMIN_KEY_NEEDED })
  if (caller.scope === 'memory' && route.access === 'organization') throw new ApiError('scope_forbidden')
  const isUnderMemory = route.url.startsWith('/v1/memories/:id')
  if (isUnderMemory && caller.memoryIds?.includes(params['id'] ?? '') === false) throw new ApiError('memory_not_found')
  requireRole(caller, route)
}

function requireRole({ role }: Caller, route: Pick<Route, 'method' | 'role'>): void {
  const needed = neededRole(route)
  // The roles are sorted: each may do what the roles after it may do.
  if (KEY_ROLES.indexOf(role) <= KEY_ROLES.indexOf(needed)) return
  throw new ApiError('role_forbidden', { message: `The key has the role ${role}; this requires the role ${needed}.` })
}
