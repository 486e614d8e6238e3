import { parentPort, Worker } from 'node:worker_threads'

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
  log: { warn(facts: { err: unknown }, message: string): void }
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

/** What a thread runs. */
export type ThreadStart<Request> = {
  /** The module beside `beside`, without its ending: `./indexing-thread-main`. */
  main: string
  /** `import.meta.url` of the one who starts it. */
  beside: string
  /** Handed over as `workerData`. */
  data?: unknown
  maxHeapMb: number
  /** How many small questions one is worth; 1 where absent. */
  weightOf?: (request: Request) => number
}

/**
 * Small questions of one message: each message costs either side some 20 us, as much as what is asked of a short text. Few enough that the thread is at work
 * on some while others are made; what is worth as much goes alone, and at once.
 */
const ENOUGH_TOGETHER = 8

/** Starts a thread, some 0.1 s, that answers by `answerMessages`, what is asked in one turn of the event loop together. It knows nothing of the environment. */
export function startThread<Request, Reply>({
  main,
  beside,
  data,
  maxHeapMb,
  weightOf = () => 1,
}: ThreadStart<Request>): ThreadProcess<Request, Reply> {
  // Sources run as they are, packed code is JavaScript.
  const ending = beside.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`${main}.${ending}`, beside), {
    workerData: data,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  })
  const waiting: PromiseWithResolvers<Reply>[] = []
  let unsent: Request[] = []
  let unsentWeight = 0
  let death: Error | null = null
  const fail = (error: Error) => {
    death ??= error
    for (const question of waiting.splice(0)) question.reject(death)
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the thread has ended')))
  // Answers come in the order of the questions.
  worker.on('message', (replies: readonly Reply[]) => {
    for (const reply of replies) waiting.shift()?.resolve(reply)
    if (waiting.length === 0) worker.unref()
  })
  const send = () => {
    const requests = unsent
    unsent = []
    unsentWeight = 0
    if (requests.length > 0) worker.postMessage(requests)
  }
  return {
    async ask(request) {
      if (death !== null) throw death
      const question = Promise.withResolvers<Reply>()
      waiting.push(question)
      worker.ref()
      unsent.push(request)
      if (unsent.length === 1) setImmediate(send)
      unsentWeight += weightOf(request)
      if (unsentWeight >= ENOUGH_TOGETHER) send()
      return question.promise
    },
    end: async () => void (await worker.terminate()),
  }
}

/**
 * In a thread that `startThread` started: answers one question after the other, and those that came in one message in one. `buffersOf`: what of an answer
 * changes hands instead of being copied.
 */
export function answerMessages<Request, Reply>(
  answer: (request: Request) => Reply | Promise<Reply>,
  buffersOf: (reply: Reply) => ArrayBuffer[] = () => [],
): void {
  let last: Promise<void> = Promise.resolve()

  async function answerAll(requests: readonly Request[]): Promise<void> {
    const replies: Reply[] = []
    for (const request of requests) replies.push(await answer(request))
    parentPort?.postMessage(replies, replies.flatMap(buffersOf))
  }

  parentPort?.on('message', (requests: readonly Request[]) => {
    last = last.then(() => answerAll(requests))
  })
}
