/** Combines the given signals; never fires if none is given. */
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

/**
 * Far longer than any request of a working store. With the time limit of the ping, callers learn of
 * an outage after about 6 s.
 */
const PROBE_AFTER_MS = 3000

/**
 * Awaits `work`, and probes the store regularly; rejects with the probe's error. Lance retries for
 * minutes on an unreachable store and cannot be cancelled, so its later outcome is ignored. A time
 * limit would not do: a large read over a slow line may take as long.
 */
export async function withLivenessProbe<Value>(
  work: Promise<Value>,
  ping: () => Promise<void>,
  probeAfterMs: number = PROBE_AFTER_MS,
): Promise<Value> {
  const gone = Promise.withResolvers<never>()
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    timer = setTimeout(() => void ping().then(() => isOver || wait(), gone.reject), probeAfterMs)
  }
  wait()
  try {
    return await Promise.race([work, gone.promise])
  } finally {
    isOver = true
    clearTimeout(timer)
  }
}

/**
 * The value of `work`, or `fallback` when `work` takes longer than `maxMs`; `work` then continues.
 * Rejects as `work` does until then, and ignores a later failure.
 */
export async function withTimeout<Value, Fallback>(
  work: Promise<Value>,
  maxMs: number,
  fallback: Fallback,
): Promise<Value | Fallback> {
  const late = Promise.withResolvers<Fallback>()
  const timer = setTimeout(() => late.resolve(fallback), maxMs)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Half of the ten seconds that a container is given to stop. */
const SLOW_STEP_MS = 5000

/** Waits for one step of a stop, and names the step in the log when it takes over 5 s. */
export async function awaitStopStep(
  log: { warn(facts: object, message: string): void },
  what: string,
  step: Promise<unknown>,
): Promise<void> {
  const timer = setTimeout(() => log.warn({}, `the stop waits for ${what}`), SLOW_STEP_MS)
  try {
    await step
  } finally {
    clearTimeout(timer)
  }
}
