import type { CountRequest } from './count-request.ts'
import { createLocalCounter } from './local-counter.ts'

/** What became of one request under a limit; `resetSeconds` is when the window ends, rounded up. */
export type RateLimitState = { allowed: boolean; limit: number; remaining: number; resetSeconds: number }

/** A limit of requests by a name. */
export type RateLimiter = {
  /** Counts one and says whether it is within the limit. */
  take(name: string): Promise<RateLimitState>
}

/**
 * Limits requests by a name (a key's id, an address) in fixed windows that begin with the first request of each name.
 * Where no `count` is given, this process counts for itself: several would allow that much each.
 */
export function createRateLimiter({
  limit,
  windowMs,
  now,
  count = createLocalCounter(now),
}: {
  limit: number
  windowMs: number
  now: () => Date
  count?: CountRequest
}): RateLimiter {
  return {
    async take(name) {
      const { requests, endsAt } = await count(name, windowMs)
      const leftMs = Math.max(0, endsAt.getTime() - now().getTime())
      return {
        allowed: requests <= limit,
        limit,
        remaining: Math.max(0, limit - requests),
        resetSeconds: Math.ceil(leftMs / 1000),
      }
    },
  }
}
