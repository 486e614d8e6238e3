import { ModelFailure } from './model-failure.ts'

/** How long a call may take. In milliseconds. */
export type CallTimeouts = {
  /** From the first try to the last token. */
  totalMs: number
  /** From the request to the first piece of a stream; what thinks or runs on a slow machine is silent for long. */
  firstMs: number
  /** Between two pieces of a stream. */
  gapMs: number
}

/** The end of a call, by its caller's will or by the clock. */
export type Deadline = {
  /** Aborted with the caller's reason, or with a {@link ModelFailure} of kind `timeout`. */
  readonly signal: AbortSignal
  /** Something must happen within so long from now, whatever was expected before; `null`: nothing but the whole must end. */
  expectWithin(limitMs: number | null): void
  /** Milliseconds that are left of the whole. */
  leftMs(): number
  /** Aborts what may still run and lets go of timers and listeners. */
  end(): void
}

/** Starts the clock. Whoever starts it ends it. */
export function startDeadline({ totalMs, signal }: { totalMs: number; signal: AbortSignal | undefined }): Deadline {
  const controller = new AbortController()
  const start = performance.now()
  const giveUp = (limitMs: number) => () =>
    controller.abort(new ModelFailure('timeout', `did not go on within ${limitMs / 1000} s`))
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
