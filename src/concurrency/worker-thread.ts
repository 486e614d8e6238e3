import { parentPort, Worker } from 'node:worker_threads'

/** A thread that exists while there is work for it. */
export type IdleThread<Request, Reply> = {
  /**
   * The thread's reply; `null` if the thread failed, with the reason in the log. The caller then
   * does the work without the thread.
   */
  call(request: Request): Promise<Reply | null>
  /** Terminates the thread; pending requests resolve to `null`. */
  close(): Promise<void>
}

/** Options of {@link createIdleThread}. */
export type IdleThreadOptions<Request, Reply> = {
  /** Name in the log: `indexing`. */
  name: string
  start: () => RunningThread<Request, Reply>
  log: { warn(facts: { err: unknown }, message: string): void }
  /** Terminates a thread that was idle for this time, to free its memory. */
  idleMs: number
  /** Pause before a failed thread is started again. */
  retryMs: number
}

/** A running thread as its owner sees it. */
export type RunningThread<Request, Reply> = {
  /** Rejects when the thread fails or is terminated. */
  call(request: Request): Promise<Reply>
  terminate(): Promise<void>
}

/** Creates a thread that starts on first use, and again after it ended. */
export function createIdleThread<Request, Reply>(
  options: IdleThreadOptions<Request, Reply>,
): IdleThread<Request, Reply> {
  const { name, start, log, idleMs, retryMs } = options
  let thread: RunningThread<Request, Reply> | null = null
  let asked = 0
  let brokenMs: number | null = null
  let idle: NodeJS.Timeout | undefined

  async function callThread(request: Request): Promise<Reply | null> {
    let used: RunningThread<Request, Reply> | null = null
    try {
      thread ??= start()
      used = thread
      return await used.call(request)
    } catch (err) {
      // The first of several waiting callers logs the failure.
      if (thread === used) {
        log.warn({ err }, `the ${name} thread failed; its work is done without it`)
        thread = null
        brokenMs = performance.now()
        await used?.terminate()
      }
      return null
    }
  }

  async function end(): Promise<void> {
    const ended = thread
    thread = null
    clearTimeout(idle)
    await ended?.terminate()
  }

  return {
    async call(request) {
      if (brokenMs !== null && performance.now() - brokenMs < retryMs) return null
      clearTimeout(idle)
      asked += 1
      try {
        return await callThread(request)
      } finally {
        asked -= 1
        if (asked === 0) idle = setTimeout(() => void end(), idleMs).unref()
      }
    },
    close: end,
  }
}

/** Start options of a thread. */
export type ThreadStartOptions<Request> = {
  /** Module relative to `baseUrl`, without extension: `./indexing-thread-main`. */
  main: string
  /** `import.meta.url` of the caller. */
  baseUrl: string
  /** Passed as `workerData`. */
  data?: unknown
  maxHeapMb: number
  /** Weight of a request, in small requests. Default: 1. */
  weightOf?: (request: Request) => number
  /** Buffers of a request that are transferred instead of copied; the caller loses them. */
  buffersOf?: (request: Request) => ArrayBuffer[]
}

/**
 * Largest batch, in weight. A message costs about 20 µs per side, as much as the work for a short
 * text. A larger batch would leave the thread idle. A request of this weight is sent alone.
 */
const MAX_BATCH_WEIGHT = 8

/**
 * Starts a thread, in about 0.1 s, that answers with `answerMessages`. Requests of one turn of the
 * event loop share a message. The thread gets no environment variables.
 */
export function startThread<Request, Reply>({
  main,
  baseUrl,
  data,
  maxHeapMb,
  weightOf = () => 1,
  buffersOf = () => [],
}: ThreadStartOptions<Request>): RunningThread<Request, Reply> {
  // Sources run directly; the package contains JavaScript.
  const ending = baseUrl.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`${main}.${ending}`, baseUrl), {
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
  // Replies arrive in the order of the requests.
  worker.on('message', (replies: readonly Reply[]) => {
    for (const reply of replies) waiting.shift()?.resolve(reply)
    if (waiting.length === 0) worker.unref()
  })
  const send = () => {
    const requests = unsent
    unsent = []
    unsentWeight = 0
    if (requests.length > 0) worker.postMessage(requests, requests.flatMap(buffersOf))
  }
  return {
    async call(request) {
      if (death !== null) throw death
      const question = Promise.withResolvers<Reply>()
      waiting.push(question)
      worker.ref()
      unsent.push(request)
      if (unsent.length === 1) setImmediate(send)
      unsentWeight += weightOf(request)
      if (unsentWeight >= MAX_BATCH_WEIGHT) send()
      return question.promise
    },
    terminate: async () => void (await worker.terminate()),
  }
}

/**
 * Runs in a thread started by `startThread`: answers requests one after another, and those of one
 * message in one message. `buffersOf` returns the buffers of a reply that are transferred instead
 * of copied.
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
