/** What became of one request under a limit; `resetSeconds` is when the window ends, rounded up. */
export type RateLimitState = { allowed: boolean; limit: number; remaining: number; resetSeconds: number }

/** A limit of requests by a name. */
type RateLimiter = {
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

/** Windows kept at most; beyond it the oldest are forgotten, so that a flood of addresses costs bounded memory. */
const MAX_WINDOWS = 20_000

/** Counts the requests of this process; all windows of a counter have one length. */
export function createLocalCounter(now: () => Date): CountRequest {
  const windows = new Map<string, { requests: number; endsAt: Date }>()

  function openWindow(name: string, at: Date, windowMs: number) {
    const window = { requests: 0, endsAt: new Date(at.getTime() + windowMs) }
    // Deleted first, so that the order of the map is the order in which the windows end.
    windows.delete(name)
    windows.set(name, window)
    for (const [other, { endsAt }] of windows) {
      if (endsAt > at && windows.size <= MAX_WINDOWS) break
      windows.delete(other)
    }
    return window
  }

  return (name, windowMs) => {
    const at = now()
    const known = windows.get(name)
    // One that ends later than a new one would was opened before the clock was set back.
    const leftMs = (known?.endsAt.getTime() ?? 0) - at.getTime()
    const window = known !== undefined && leftMs > 0 && leftMs <= windowMs ? known : openWindow(name, at, windowMs)
    window.requests += 1
    return window
  }
}

/** Counts one request of a name in its window; gives how many there are in it by now, and when it ends. */
export type CountRequest = (
  name: string,
  windowMs: number,
) => { requests: number; endsAt: Date } | Promise<{ requests: number; endsAt: Date }>
