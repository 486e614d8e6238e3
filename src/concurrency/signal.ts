/** A notification for a single waiter. Without a waiter, it is kept for the next. */
export type Signal = {
  notify(): void
  /** Resolves at the next notification, or after `maxMs`. */
  wait(maxMs: number): Promise<void>
}

/** Creates a signal without a notification. */
export function createSignal(): Signal {
  let isNotified = false
  let wake = () => {}
  return {
    notify() {
      isNotified = true
      wake()
    },
    async wait(maxMs) {
      if (!isNotified) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const timer = setTimeout(resolve, maxMs)
        await promise
        clearTimeout(timer)
      }
      isNotified = false
    },
  }
}
