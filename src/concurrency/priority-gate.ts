import { setTimeout as pause } from 'node:timers/promises'

/**
 * Gives foreground work priority over background work on the event loop. A small add or a search
 * takes dozens of turns of the loop. Without the gate, each turn waited for the steps of every
 * large add.
 */
export type PriorityGate = {
  /** Runs foreground work, to which background work yields. */
  foreground<Result>(work: () => Promise<Result>): Promise<Result>
  /**
   * For background work, before each step. Resolves when no foreground work is running, and after
   * `maxMs` at the latest.
   */
  yieldToForeground(): Promise<void>
}

/**
 * Guarantees progress of background work: about a thousand chunks a second for eight documents in
 * parallel.
 */
const MAX_WAIT_MS = 100

/** Creates a gate without waiters. */
export function createPriorityGate(maxMs = MAX_WAIT_MS): PriorityGate {
  const waiting: (() => void)[] = []
  let underWay = 0
  let isWaking = false

  /**
   * Wakes one waiter per turn: foreground work often comes in series, and would otherwise wait for
   * all waiters again.
   */
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
      await Promise.race([woken.promise, pause(maxMs, undefined, { signal: patience.signal }).catch(() => undefined)])
      patience.abort()
      const place = waiting.indexOf(woken.resolve)
      if (place >= 0) waiting.splice(place, 1)
    },
  }
}
