/**
 * Result of counting a request; `resetSeconds` is the time to the end of the window, rounded up.
 */
export type RateLimitState = { allowed: boolean; limit: number; remaining: number; resetSeconds: number }

/** Rate limiter by name. */
type RateLimiter = {
  /** Counts a request and returns whether it is within the limit. */
  count(name: string): Promise<RateLimitState>
}

/**
 * Limits requests per name (key ID, address) in fixed windows that start with the first request.
 * Without `count`, each process counts for itself, so that several processes allow several times
 * the limit.
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
    async count(name) {
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

/**
 * Maximum number of windows. The oldest are evicted, so that a flood of addresses uses bounded
 * memory.
 */
const MAX_WINDOWS = 20_000

/** Counts requests in this process. All windows have the same length. */
export function createLocalCounter(now: () => Date): CountRequest {
  const windows = new Map<string, { requests: number; endsAt: Date }>()

  function openWindow(name: string, at: Date, windowMs: number) {
    const window = { requests: 0, endsAt: new Date(at.getTime() + windowMs) }
    // Deleting first keeps the map sorted by the end of the windows.
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
    // A window that ends later than a new one would was opened before the clock was set back.
    const leftMs = (known?.endsAt.getTime() ?? 0) - at.getTime()
    const window = known !== undefined && leftMs > 0 && leftMs <= windowMs ? known : openWindow(name, at, windowMs)
    window.requests += 1
    return window
  }
}

/**
 * Counts a request in its window. Returns the number of requests so far and the end of the window.
 */
export type CountRequest = (
  name: string,
  windowMs: number,
) => { requests: number; endsAt: Date } | Promise<{ requests: number; endsAt: Date }>
