import type { Log } from '../../log.ts'

/** Work that comes round: what crashes and failed clean-ups left, and what has grown old. */
export type Housekeeping = {
  /** Does every task once, now; what fails is logged and comes round again. */
  run(): Promise<void>
  start(): void
  /** Resolves when the round under way is over. */
  stop(): Promise<void>
}

/** Rounds of `tasks`, one task after the other, `pauseMs` apart. */
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

  async function runAll(): Promise<void> {
    for (const [task, work] of Object.entries(tasks)) {
      try {
        await work()
      } catch (err) {
        log.warn({ err, task }, 'housekeeping: left for the next round')
      }
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
    },
  }
}
