import { withTimeout } from '../concurrency/wait.ts'
import type { Log } from '../observability/log.ts'

/**
 * Wait for a slow task before the next tasks start beside it: a hanging store or ten thousand
 * deletions must not block them.
 */
const TASK_TIMEOUT_MS = 60_000

/** Periodic tasks: cleanup after crashes and failed cleanups, and expiry of old data. */
export type Housekeeping = {
  /**
   * Runs every task once, except those still running. Failures are logged and retried in the next
   * round.
   */
  run(): Promise<void>
  start(): void
  /** Resolves when all running tasks have ended. */
  stop(): Promise<void>
}

/**
 * Runs `tasks` every `pauseMs`, sequentially; a task of more than a minute no longer blocks the
 * next.
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

  async function runTask(task: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (err) {
      log.warn({ err, task }, 'housekeeping: task failed, retrying in the next round')
    }
    running.delete(task)
  }

  async function runAll(): Promise<void> {
    for (const [task, work] of Object.entries(tasks)) {
      if (running.has(task)) continue
      const done = runTask(task, work)
      running.set(task, done)
      const isDone = await withTimeout(
        done.then(() => true),
        TASK_TIMEOUT_MS,
        false,
      )
      if (!isDone) log.warn({ task }, 'housekeeping: slow task, starting the next ones beside it')
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
