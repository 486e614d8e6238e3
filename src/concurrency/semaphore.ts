/** Limits how much work runs at a time. */
export type Semaphore = {
  /**
   * Runs `work` as soon as there is room, first come first served. Rejects as `work` does, and with
   * the reason of `signal` when that is aborted before `work` begins: the waiter then leaves the
   * queue.
   */
  run<Result>(work: () => Promise<Result>, options?: { signal?: AbortSignal | undefined }): Promise<Result>
  /**
   * Waits in the same queue for a share of the semaphore, at most the whole size. Returns the
   * function that gives the share back.
   */
  take(weight: number): Promise<() => void>
}

type Waiter = { weight: number; begin: () => void }

/** At most `size` works at a time, or works of total weight `size`. */
export function createSemaphore(size: number): Semaphore {
  const waiting: Waiter[] = []
  let free = size

  async function enter(weight: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (waiting.length === 0 && weight <= free) {
      free -= weight
      return
    }
    const turn = Promise.withResolvers<void>()
    const waiter = { weight, begin: turn.resolve }
    const leaveQueue = () => {
      const place = waiting.indexOf(waiter)
      // The turn may have come just before: `run` passes it on then.
      if (place < 0) return
      waiting.splice(place, 1)
      turn.reject(signal?.reason)
    }
    waiting.push(waiter)
    signal?.addEventListener('abort', leaveQueue, { once: true })
    await turn.promise
    signal?.removeEventListener('abort', leaveQueue)
  }

  function admit(): void {
    for (let next = waiting[0]; next !== undefined && next.weight <= free; next = waiting[0]) {
      free -= next.weight
      waiting.shift()
      next.begin()
    }
  }

  async function take(wanted: number, signal?: AbortSignal): Promise<() => void> {
    const weight = Math.min(wanted, size)
    await enter(weight, signal)
    return () => {
      free += weight
      admit()
    }
  }

  return {
    take: (weight) => take(weight),
    async run(work, { signal } = {}) {
      const giveBack = await take(1, signal)
      try {
        signal?.throwIfAborted()
        return await work()
      } finally {
        giveBack()
      }
    },
  }
}
