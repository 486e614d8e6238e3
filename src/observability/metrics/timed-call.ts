import type { Outcome } from './meters.ts'

/** Runs the call and tells how it ended and how long it took; gives and throws what it does. */
export async function timedCall<Value>(
  call: () => Promise<Value>,
  ended: (end: { outcome: Outcome; seconds: number }) => void,
  signal?: AbortSignal,
): Promise<Value> {
  const startedMs = performance.now()
  let outcome: Outcome = 'failed'
  try {
    const value = await call()
    outcome = 'ok'
    return value
  } finally {
    if (outcome === 'failed' && signal?.aborted) outcome = 'stopped'
    ended({ outcome, seconds: (performance.now() - startedMs) / 1000 })
  }
}
