import { createContext, Script } from 'node:vm'

/** How long each page of a PDF may take, which depends on those before it. */
type PageLimits = {
  limitMs(): number
  /** Why no further page is tried; `null` while any is. */
  refusal(): string | null
  succeeded(): void
  failed(): void
  tookTooLong(): void
}

/**
 * A page that takes too long leaves half of its time to each behind it, down to this: ten in a row take some 6 s. Each that is read doubles
 * it again, since one map among pages of text says nothing of them.
 */
const MIN_LIMIT_MS = 250
/** Pages that may break PDFium or take too long, or a part of all where that is more; those behind them are not read. */
const MIN_MAX_FAILURES = 10
const FAILING_PART = 0.1

/** Limits of a document of which no page was tried yet; `fullMs`: for a page that no other speaks against. */
export function createPageLimits({ fullMs, pageCount }: { fullMs: number; pageCount: number }): PageLimits {
  const maxFailures = Math.max(MIN_MAX_FAILURES, Math.floor(pageCount * FAILING_PART))
  let limitMs = fullMs
  let failures = 0
  return {
    limitMs: () => limitMs,
    refusal: () => (failures < maxFailures ? null : `It stands behind ${maxFailures} that could not be read.`),
    succeeded() {
      limitMs = Math.min(fullMs, limitMs * 2)
    },
    failed() {
      failures++
    },
    tookTooLong() {
      limitMs = Math.max(MIN_LIMIT_MS, limitMs / 2)
    },
  }
}

/** Bounds work that has to be done in one go, as PDFium does it. */
export type WorkLimit = {
  /**
   * What `work` returns; `null` where it took more than `limitMs` of this thread's processor time and was stopped. On a machine that is busy it is begun anew with more patience:
   * `renew` is called before, since what was stopped half-way is left in any state.
   */
  run<Value>(
    work: () => Value,
    limits: { limitMs: number; renew: () => Promise<void> },
  ): Promise<{ value: Value } | null>
}

/** Tries, and how much longer than its limit work may take by the clock in the longest. */
const MAX_TRIES = 3
const MAX_PATIENCE = 16
/** The clock's ticks and those of the processor differ. */
const USED_UP = 0.8
/** What is granted beyond what the last try's share of a processor would make necessary. */
const MARGIN = 1.25
const STOPPED = 'ERR_SCRIPT_EXECUTION_TIMEOUT'

/**
 * V8 stops a script that takes too long by the clock wherever it is, in the loops of WebAssembly as well. Nothing that this thread itself does could: it has no turn
 * before the work is done.
 */
export function createWorkLimit(): WorkLimit {
  const held: { work: () => unknown } = { work: () => undefined }
  const context = createContext(held)
  const script = new Script('work()')

  function runFor(work: () => unknown, timeout: number): { value: unknown } | { usedMs: number } {
    const before = process.threadCpuUsage()
    held.work = work
    try {
      return { value: script.runInContext(context, { timeout }) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException | null)?.code !== STOPPED) throw error
      const { user, system } = process.threadCpuUsage(before)
      return { usedMs: (user + system) / 1000 }
    }
  }

  return {
    async run<Value>(work: () => Value, { limitMs, renew }: { limitMs: number; renew: () => Promise<void> }) {
      let patience = 1
      for (let tries = 1; ; tries++) {
        const outcome = runFor(work, Math.ceil(limitMs * patience))
        if ('value' in outcome) return { value: outcome.value as Value }
        if (outcome.usedMs >= limitMs * USED_UP || tries === MAX_TRIES) return null
        patience = Math.min(MAX_PATIENCE, (patience * limitMs * MARGIN) / Math.max(1, outcome.usedMs))
        await renew()
      }
    },
  }
}
