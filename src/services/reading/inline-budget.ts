import type { TaskMeter } from '../../parsers/child/parser-pool.ts'

/** Limits for reading a file within its request. */
export type InlineLimits = {
  /** CPU time of the child processes. */
  maxWorkMs: number
  /** Time spent waiting for a child process. */
  maxWaitMs: number
}

/** Signals that a job must continue the reading. */
export class InlineBudgetSpent extends Error {
  constructor() {
    super('reading the file took more than a request may give it')
    this.name = 'InlineBudgetSpent'
  }
}

/** Remaining budget of a request for reading its file. */
export type InlineBudget = {
  /** Fires with {@link InlineBudgetSpent}; reading must stop then. */
  signal: AbortSignal
  meter: TaskMeter
}

/** Creates a full budget. */
export function createInlineBudget({ maxWorkMs, maxWaitMs }: InlineLimits): InlineBudget {
  const spent = new AbortController()
  const spend = () => spent.abort(new InlineBudgetSpent())
  let workedMs = 0
  let waitedMs = 0
  let waiting = 0
  let timer: NodeJS.Timeout | undefined
  let sinceMs = 0

  function startWaiting(): () => void {
    if (waiting === 0) {
      sinceMs = performance.now()
      timer = setTimeout(spend, maxWaitMs - waitedMs).unref()
    }
    waiting += 1
    return () => {
      waiting -= 1
      clearTimeout(timer)
      waitedMs += performance.now() - sinceMs
      sinceMs = performance.now()
      if (waiting > 0) timer = setTimeout(spend, maxWaitMs - waitedMs).unref()
    }
  }

  return {
    signal: spent.signal,
    meter: {
      startWaiting,
      addWork(ms) {
        workedMs += ms
        if (workedMs > maxWorkMs) spend()
      },
    },
  }
}
