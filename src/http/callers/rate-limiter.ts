/** What became of one request under a limit; `resetSeconds` is when the window ends, rounded up. */
export type RateLimitState = { allowed: boolean; limit: number; remaining: number; resetSeconds: number }

/** Windows kept at most; beyond it the oldest are forgotten, so that a flood of addresses costs bounded memory. */
const MAX_WINDOWS = 20_000

/**
 * Counts requests by a name (a key's id, an address) in fixed windows that begin with the first request of each name.
 * `take` counts one and says whether it is within the limit. In this process only: several nodes allow that much each.
 */
export function createRateLimiter({ limit, windowMs, now }: { limit: number; windowMs: number; now: () => Date }) {
  const windows = new Map<string, { count: number; endsAt: number }>()

  function openWindow(name: string, at: number) {
    const window = { count: 0, endsAt: at + windowMs }
    // Deleted first, so that the order of the map is the order in which the windows end.
    windows.delete(name)
    windows.set(name, window)
    for (const [other, { endsAt }] of windows) {
      if (endsAt > at && windows.size <= MAX_WINDOWS) break
      windows.delete(other)
    }
    return window
  }

  return {
    take(name: string): RateLimitState {
      const at = now().getTime()
      const known = windows.get(name)
      const window = known !== undefined && known.endsAt > at ? known : openWindow(name, at)
      window.count += 1
      return {
        allowed: window.count <= limit,
        limit,
        remaining: Math.max(0, limit - window.count),
        resetSeconds: Math.ceil((window.endsAt - at) / 1000),
      }
    },
  }
}

export type RateLimiter = ReturnType<typeof createRateLimiter>
