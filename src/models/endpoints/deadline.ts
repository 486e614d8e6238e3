import { ModelFailure } from './model-failure.ts'

/** Time limits of a call, in milliseconds. */
export type CallTimeouts = {
  /** From the first attempt to the last token; a stream may take three times as long. */
  totalMs: number
  /**
   * From the request to the first part of a stream. Thinking models and slow machines stay silent
   * for long.
   */
  firstMs: number
  /** Between two parts of a stream. */
  gapMs: number
}

/** Ends a call by its caller's signal or by a time limit. */
export type Deadline = {
  /** Aborted with the caller's reason, or with a {@link ModelFailure} of kind `timeout`. */
  readonly signal: AbortSignal
  /**
   * Aborts unless called again within `limitMs`; replaces the previous limit. `null` leaves only
   * the total limit.
   */
  expectWithin(limitMs: number | null): void
  /** Milliseconds left until the total limit. */
  leftMs(): number
  /** Aborts running work, and releases timers and listeners. */
  end(): void
}

/** Starts the clock. The caller must call `end`. */
export function startDeadline({ totalMs, signal }: { totalMs: number; signal: AbortSignal | undefined }): Deadline {
  const controller = new AbortController()
  const start = performance.now()
  const giveUp = (limitMs: number) => () =>
    controller.abort(new ModelFailure('timeout', `did not continue within ${limitMs / 1000} s`))
  const whole = setTimeout(giveUp(totalMs), totalMs)
  let next: NodeJS.Timeout | undefined
  const leave = () => controller.abort(signal?.reason)
  if (signal?.aborted === true) leave()
  signal?.addEventListener('abort', leave, { once: true })
  return {
    signal: controller.signal,
    expectWithin(limitMs) {
      clearTimeout(next)
      if (limitMs !== null) next = setTimeout(giveUp(limitMs), limitMs)
    },
    leftMs: () => totalMs - (performance.now() - start),
    end() {
      clearTimeout(whole)
      clearTimeout(next)
      signal?.removeEventListener('abort', leave)
      controller.abort(new ModelFailure('timeout', 'was left'))
    },
  }
}
