import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError } from '../../errors.ts'
import type { KeysService } from '../../service/account/keys.ts'
import type { Caller } from '../../service/caller.ts'
import { createAuthenticator } from './authenticate.ts'
import { authorize } from './authorize.ts'
import type { CountRequest } from './count-request.ts'
import { createRateLimiter, type RateLimitState } from './rate-limiter.ts'
import { requireOwnOrigin } from './require-own-origin.ts'

const WINDOW_SECONDS = 60

/**
 * Asks before anything of the body is read: whose key it is, whether the key may call the route, and whether it has
 * requests left this minute. `anonymous` is the caller of every request where keys are switched off, `null` where they are on;
 * then pages of other origins are kept out.
 */
export function admitCallers(
  app: FastifyInstance,
  {
    keys,
    anonymous,
    rateLimitPerMinute,
    countRequest,
    now,
  }: {
    keys: KeysService
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
    if (route === undefined || route.access === 'public') return
    // Without keys nothing else tells the owner's programs from a web page that the owner's browser has open.
    if (anonymous !== null) requireOwnOrigin(request.headers, { hasKey: false })
    const caller = anonymous ?? (await authenticate(request.raw.headersDistinct, request.ip))
    request.caller = caller
    if (rateLimitPerMinute > 0) applyLimit(reply, await limiter.take(caller.keyId ?? caller.organizationId))
    authorize(caller, route, request.params as Readonly<Record<string, string>>)
  })
}

/** The header fields of draft-ietf-httpapi-ratelimit-headers-10; throws `rate_limited` when nothing is left. */
function applyLimit(reply: FastifyReply, { allowed, limit, remaining, resetSeconds }: RateLimitState): void {
  reply.header('ratelimit-policy', `"requests";q=${limit};w=${WINDOW_SECONDS}`)
  reply.header('ratelimit', `"requests";r=${remaining};t=${resetSeconds}`)
  if (!allowed) throw new ApiError('rate_limited', { retryAfterSeconds: resetSeconds })
}
