/** Something to wait for. A ring while nobody waits is kept for the next who does; there is one waiter at a time. */
export type Bell = {
  ring(): void
  /** Resolves at the next ring, or after `maxMs`. */
  wait(maxMs: number): Promise<void>
}

/** Makes a bell that has not rung. */
export function createBell(): Bell {
  let hasRung = false
  let wake = () => {}
  return {
    ring() {
      hasRung = true
      wake()
    },
    async wait(maxMs) {
      if (!hasRung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const timer = setTimeout(resolve, maxMs)
        await promise
        clearTimeout(timer)
      }
      hasRung = false
    },
  }
}
