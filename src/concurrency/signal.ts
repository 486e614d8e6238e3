/** Something to wait for. A notice while nobody waits is kept for the next who does; there is one waiter at a time. */
export type Signal = {
  notify(): void
  /** Resolves at the next notice, or after `maxMs`. */
  wait(maxMs: number): Promise<void>
}

/** A signal of which nothing was noticed yet. */
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
