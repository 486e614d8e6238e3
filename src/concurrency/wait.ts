/** Fires with the first of the signals that there are; never where there is none. */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal !== undefined))
}

/** Caches success for `ttlMs`; concurrent callers share a run; failures are not cached. */
export function memoizeSuccess(check: () => Promise<void>, ttlMs: number): () => Promise<void> {
  let running: Promise<void> | null = null
  let freshUntilMs = Number.NEGATIVE_INFINITY
  const run = async () => {
    try {
      await check()
      freshUntilMs = performance.now() + ttlMs
    } finally {
      running = null
    }
  }
  return async () => {
    if (performance.now() < freshUntilMs) return
    running ??= run()
    await running
  }
}

/** Far longer than any request of a store that works; with the ping's own limit a caller hears of an outage in some 6 s. */
const PATIENCE_MS = 3000

/**
 * Waits for `work`, and asks the store now and then whether it is there: when it is not, the wait ends with the ping's error. Lance
 * goes on with its call for up to minutes when nothing answers, and cannot be stopped; how it ends is of no interest then. A
 * limit of time would not do, since a large read over a slow line may take as long.
 */
export async function withLivenessProbe<Value>(
  work: Promise<Value>,
  ping: () => Promise<void>,
  patienceMs: number = PATIENCE_MS,
): Promise<Value> {
  const gone = Promise.withResolvers<never>()
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    timer = setTimeout(() => void ping().then(() => isOver || wait(), gone.reject), patienceMs)
  }
  wait()
  try {
    return await Promise.race([work, gone.promise])
  } finally {
    isOver = true
    clearTimeout(timer)
  }
}
