/** Does works of which only so many may be under way. */
export type Semaphore = {
  /** Does the work as soon as it may, first come first served. Rejects as the work does, and with the signal's reason when it is aborted before the work has begun. */
  run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
}

/** At most `size` works at a time. */
export function createSemaphore(size: number): Semaphore {
  const waiting: (() => void)[] = []
  let free = size

  async function wait(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (free > 0) {
      free -= 1
      return
    }
    const turn = Promise.withResolvers<void>()
    const giveUp = () => {
      const place = waiting.indexOf(turn.resolve)
      // Its turn may have come just before: it is given on then.
      if (place < 0) return
      waiting.splice(place, 1)
      turn.reject(signal?.reason)
    }
    waiting.push(turn.resolve)
    signal?.addEventListener('abort', giveUp, { once: true })
    await turn.promise
    signal?.removeEventListener('abort', giveUp)
  }

  function done(): void {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }

  return {
    async run(work, signal) {
      await wait(signal)
      try {
        signal?.throwIfAborted()
        return await work()
      } finally {
        done()
      }
    },
  }
}
