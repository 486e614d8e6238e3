import { setTimeout as pause } from 'node:timers/promises'

/**
 * Lets short work go before long work, which shares the event loop with it: a small add or a search takes some dozen turns of the loop, and in each of
 * them waited for the steps of every large add.
 */
export type PriorityGate = {
  /** Does short work, for which long work makes way. */
  foreground<Result>(work: () => Promise<Result>): Promise<Result>
  /** For long work, before each of its steps: resolves when no short work is under way, after `mostMs` in any case. */
  yieldToForeground(): Promise<void>
}

/** Long work goes on at least so often, however much short work there is: some thousand chunks a second of eight documents read side by side. */
const MOST_MS = 100

/** Nobody is waiting. */
export function createPriorityGate(mostMs = MOST_MS): PriorityGate {
  const waiting: (() => void)[] = []
  let underWay = 0
  let isWaking = false

  /** One in a turn of the loop, for short work often comes in a row: what is asked next would stand behind all of them again. */
  function wakeNext(): void {
    isWaking = false
    if (underWay > 0) return
    waiting.shift()?.()
    if (waiting.length > 0) wakeSoon()
  }

  function wakeSoon(): void {
    if (isWaking) return
    isWaking = true
    setImmediate(wakeNext)
  }

  return {
    async foreground(work) {
      underWay += 1
      try {
        return await work()
      } finally {
        underWay -= 1
        wakeSoon()
      }
    },
    async yieldToForeground() {
      if (underWay === 0) return
      const woken = Promise.withResolvers<void>()
      waiting.push(woken.resolve)
      const patience = new AbortController()
      await Promise.race([woken.promise, pause(mostMs, undefined, { signal: patience.signal }).catch(() => undefined)])
      patience.abort()
      const place = waiting.indexOf(woken.resolve)
      if (place >= 0) waiting.splice(place, 1)
    },
  }
}
