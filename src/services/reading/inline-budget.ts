import type { TaskMeter } from '../../parsers/child/parser-pool.ts'

/** What reading a file may take of its request. */
export type InlineLimits = {
  /** Processor time of the children that read it. */
  maxWorkMs: number
  /** Time in which a part of it waited for a child. */
  maxWaitMs: number
}

/** The reading goes on as a job. */
export class InlineBudgetSpent extends Error {
  constructor() {
    super('reading the file took more than a request may give it')
    this.name = 'InlineBudgetSpent'
  }
}

/** What a request still gives to the reading of its file. */
export type InlineBudget = {
  /** Fires with {@link InlineBudgetSpent}; whoever reads has to stop then. */
  signal: AbortSignal
  meter: TaskMeter
}

/** A budget of which nothing is spent. */
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
