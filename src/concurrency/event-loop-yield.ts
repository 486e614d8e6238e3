/**
 * Creates a cooperative yield function to await before each step. The promise resolves immediately
 * while this event-loop turn has used less than `sliceMs`, otherwise in a later turn, FIFO, one
 * waiter per turn. Without yielding, all work that is ready in one turn would run in that turn and
 * block everything else. `nowMs` is a monotonic clock.
 */
export function createEventLoopYielder(sliceMs: number, nowMs = () => performance.now()): () => Promise<void> {
  const waiting: (() => void)[] = []
  let beganMs: number | null = null

  function begin(): void {
    beganMs = nowMs()
    setImmediate(endTurn)
  }

  function endTurn(): void {
    beganMs = null
    const wakeNext = waiting.shift()
    if (wakeNext === undefined) return
    begin()
    wakeNext()
  }

  return async () => {
    if (beganMs === null) return begin()
    if (nowMs() - beganMs < sliceMs) return
    const woken = Promise.withResolvers<void>()
    waiting.push(woken.resolve)
    await woken.promise
  }
}

/** A task in steps of about a millisecond. Other work may run between two steps. */
export type CooperativeTask<Result> = Generator<undefined, Result>

/**
 * Runs a task to its end, and yields to the event loop before each step. Rejects with the signal's
 * reason after it fires.
 */
export async function runCooperatively<Result>(
  steps: CooperativeTask<Result>,
  yieldToEventLoop: () => Promise<void>,
  signal?: AbortSignal,
): Promise<Result> {
  for (;;) {
    await yieldToEventLoop()
    signal?.throwIfAborted()
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Runs a task to its end without yielding. */
export function runSync<Result>(steps: CooperativeTask<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
