import { withTimeout } from '../concurrency/wait.ts'
import type { Log } from '../observability/log.ts'

/**
 * What takes longer, a store that hangs or ten thousand deletions, goes on by itself: the tasks
 * behind it must not wait for it for ever.
 */
const PATIENCE_MS = 60_000

/** Work that comes round: what crashes and failed clean-ups left, and what has grown old. */
export type Housekeeping = {
  /**
   * Does every task once, now, but for what is still at it; what fails is logged and comes round
   * again.
   */
  run(): Promise<void>
  start(): void
  /** Resolves when what is under way is over. */
  stop(): Promise<void>
}

/**
 * Rounds of `tasks`, `pauseMs` apart: one task after the other, or beside it when that takes more
 * than a minute.
 */
export function createHousekeeping({
  tasks,
  pauseMs,
  log,
}: {
  tasks: Readonly<Record<string, () => Promise<unknown>>>
  pauseMs: number
  log: Log
}): Housekeeping {
  let timer: NodeJS.Timeout | null = null
  let round: Promise<void> = Promise.resolve()
  const running = new Map<string, Promise<void>>()

  async function carryOut(task: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (err) {
      log.warn({ err, task }, 'housekeeping: left for the next round')
    }
    running.delete(task)
  }

  async function runAll(): Promise<void> {
    for (const [task, work] of Object.entries(tasks)) {
      if (running.has(task)) continue
      const done = carryOut(task, work)
      running.set(task, done)
      const isDone = await withTimeout(
        done.then(() => true),
        PATIENCE_MS,
        false,
      )
      if (!isDone) log.warn({ task }, 'housekeeping: this takes long, the rest goes on beside it')
    }
  }

  function run(): Promise<void> {
    round = round.then(runAll)
    return round
  }

  return {
    run,
    start() {
      timer ??= setInterval(() => void run(), pauseMs)
    },
    async stop() {
      if (timer !== null) clearInterval(timer)
      timer = null
      await round
      await Promise.all(running.values())
    },
  }
}
