import type { Log } from '../../observability/log.ts'

/** A thread that is there while there is work for it. */
export type IdleThread<Request, Reply> = {
  /** What the thread answers; `null` where it failed, with the reason in the log: it is to be done without it then. */
  ask(request: Request): Promise<Reply | null>
  /** Ends it; what it has not answered comes to `null`. */
  close(): Promise<void>
}

/** What the thread is made of. */
export type IdleThreadOptions<Request, Reply> = {
  /** What the log calls it: `indexing`. */
  name: string
  start: () => ThreadProcess<Request, Reply>
  log: Pick<Log, 'warn'>
  /** A thread that had nothing to do for so long is ended, and its memory given back. */
  idleMs: number
  /** One that failed is not started again before. */
  retryMs: number
}

/** A thread as its owner sees it. */
export type ThreadProcess<Request, Reply> = {
  /** Rejects when the thread fails, or is ended. */
  ask(request: Request): Promise<Reply>
  end(): Promise<void>
}

/** A thread that is started when it is first needed, and again after it was ended. */
export function createIdleThread<Request, Reply>(
  options: IdleThreadOptions<Request, Reply>,
): IdleThread<Request, Reply> {
  const { name, start, log, idleMs, retryMs } = options
  let thread: ThreadProcess<Request, Reply> | null = null
  let asked = 0
  let brokenMs: number | null = null
  let idle: NodeJS.Timeout | undefined

  async function askThread(request: Request): Promise<Reply | null> {
    let used: ThreadProcess<Request, Reply> | null = null
    try {
      thread ??= start()
      used = thread
      return await used.ask(request)
    } catch (err) {
      // Of all that waited for it, the first to hear says so.
      if (thread === used) {
        log.warn({ err }, `the ${name} thread failed; its work is done without it`)
        thread = null
        brokenMs = performance.now()
        await used?.end()
      }
      return null
    }
  }

  async function end(): Promise<void> {
    const ended = thread
    thread = null
    clearTimeout(idle)
    await ended?.end()
  }

  return {
    async ask(request) {
      if (brokenMs !== null && performance.now() - brokenMs < retryMs) return null
      clearTimeout(idle)
      asked += 1
      try {
        return await askThread(request)
      } finally {
        asked -= 1
        if (asked === 0) idle = setTimeout(() => void end(), idleMs).unref()
      }
    },
    close: end,
  }
}
