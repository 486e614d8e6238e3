import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError } from '../../errors.ts'
import type { KeysService } from '../../services/account/keys-service.ts'
import type { Caller } from '../../services/caller.ts'
import type { Route } from '../route.ts'
import { createAuthenticator, presentsKey } from './authenticate.ts'
import { type CountRequest, createRateLimiter, type RateLimitState } from './rate-limiter.ts'
import { requireLoopbackHost, requireOwnOrigin } from './require-own-origin.ts'

const WINDOW_SECONDS = 60

/** Who runs the installation. `adminKey` opens the routes of the installation; `null`: nothing does. `caller` acts then, in the first organization. */
export type Operator = { adminKey: string | null; caller: Caller }

/**
 * Asks before anything of the body is read: whose key it is, whether the key may call the route, and whether it has
 * requests left this minute. `anonymous` is the caller of every request where keys are switched off, `null` where they are on;
 * then pages of other sites are kept out.
 */
export function admitCallers(
  app: FastifyInstance,
  {
    keys,
    operator,
    anonymous,
    rateLimitPerMinute,
    countRequest,
    now,
  }: {
    keys: KeysService
    operator: Operator | undefined
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
    // Links of other sites to the console and the documentation are let in.
    if (route === undefined || route.access === 'public') return
    if (anonymous !== null) requireOwnOrigin(request, { hasKey: false })
    const headers = request.raw.headersDistinct
    const admin = route.access === 'installation' ? findOperator(operator, headers) : null
    const caller = admin ?? anonymous ?? (await authenticate(headers, request.ip))
    request.caller = caller
    if (rateLimitPerMinute > 0) applyLimit(reply, await limiter.take(caller.keyId ?? caller.organizationId))
    if (admin === null) authorize(caller, route, request.params as Readonly<Record<string, string>>)
  })
}

/** The operator's caller where the admin key is presented, else `null`. */
function findOperator(operator: Operator | undefined, headers: Readonly<NodeJS.Dict<string[]>>): Caller | null {
  if (operator === undefined || operator.adminKey === null) return null
  return presentsKey(headers, operator.adminKey) ? operator.caller : null
}

/** The header fields of draft-ietf-httpapi-ratelimit-headers-10; throws `rate_limited` when nothing is left. */
function applyLimit(reply: FastifyReply, { allowed, limit, remaining, resetSeconds }: RateLimitState): void {
  reply.header('ratelimit-policy', `"requests";q=${limit};w=${WINDOW_SECONDS}`)
  reply.header('ratelimit', `"requests";r=${remaining};t=${resetSeconds}`)
  if (!allowed) throw new ApiError('rate_limited', { retryAfterSeconds: resetSeconds })
}

const ADMIN_KEY_NEEDED =
  'Only the admin key of the installation may do this: the setting RECOLLECT_ADMIN_KEY. At the machine ' +
  'itself, use recollect organizations.'

/**
 * Throws unless the caller's key may call the route: `scope_forbidden` for a memory-scoped key outside of memories,
 * and for every key of an organization at what is the installation's, `memory_not_found` for one at another memory than its own. Jobs are looked up by the caller, who sees only his.
 */
export function authorize(
  caller: Caller,
  route: Pick<Route, 'access' | 'url'>,
  params: Readonly<Record<string, string>>,
): void {
  if (route.access === 'installation') throw new ApiError('scope_forbidden', { message: ADMIN_KEY_NEEDED })
  if (caller.scope === 'organization') return
  if (route.access === 'organization') throw new ApiError('scope_forbidden')
  const isUnderMemory = route.url.startsWith('/v1/memories/:id')
  if (isUnderMemory && params['id'] !== caller.memoryId) throw new ApiError('memory_not_found')
}
