/**
 * Lets works that hold the event loop go on in slices: each asks before a step, and goes on at once where such works have held this turn of the loop for less
 * than `sliceMs`, else in a later turn, one of those that wait a turn, the first to ask first. What is ready in one turn would otherwise be done in that turn, however
 * much it is, and everybody else would wait. `nowMs` is a clock of the machine.
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

/** A work in steps of a millisecond or so, which gives its result at the end: between two of them others may have their turn. */
export type CooperativeTask<Result> = Generator<undefined, Result>

/** Does a work to its end; before each step `shareLoop` lets others have their turn (`event-loop-yield.ts`). Rejects with the signal's reason once it fires. */
export async function runCooperatively<Result>(
  steps: CooperativeTask<Result>,
  shareLoop: () => Promise<void>,
  signal?: AbortSignal,
): Promise<Result> {
  for (;;) {
    await shareLoop()
    signal?.throwIfAborted()
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Does a work to its end at once. */
export function runSync<Result>(steps: CooperativeTask<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
