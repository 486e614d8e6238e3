/** A work in steps of a millisecond or so, which gives its result at the end: between two of them others may have their turn. */
export type Steps<Result> = Generator<undefined, Result>

/** Does a work to its end; before each step `shareLoop` lets others have their turn (`loop-share.ts`). Rejects with the signal's reason once it fires. */
export async function inTurns<Result>(
  steps: Steps<Result>,
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
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
