import { Worker } from 'node:worker_threads'
import type { Chunk } from '../../engine/chunking/chunk.ts'
import type { Log } from '../../log.ts'
import { type AtMost, createAtMost } from '../../pacing/at-most.ts'
import type { ChunkContext, ChunkIndex } from './chunk-index.ts'
import type { IndexReply, IndexRequest, ThreadData } from './indexing-thread-messages.ts'

/** A thread that indexes chunks with the embedded embedder, so that the event loop stays free while many are added. */
export type IndexingThread = {
  /** The embedder that it has. */
  readonly model: string
  /** What `indexChunks` gives; `null` where the thread failed, with the reason in the log: it is to be done without it then. */
  index(chunks: readonly Chunk[], context: ChunkContext): Promise<ChunkIndex[] | null>
  /**
   * Does the work of an add that has much to index, or lets it wait for those that came before: side by side all would end with the last. Rejects as the work
   * does, and with the signal's reason when it is aborted before the work has begun.
   */
  attend: AtMost['run']
  /** Ends it; what it has not answered comes to `null`. */
  close(): Promise<void>
}

/** What the thread is made of. */
export type ThreadOptions = {
  model: string
  start: () => ThreadProcess
  log: Pick<Log, 'warn'>
  /** A thread that had nothing to do for so long is ended, and its memory given back. */
  idleMs: number
  /** One that failed is not started again before. */
  retryMs: number
}

/** A thread as its owner sees it. */
export type ThreadProcess = {
  /** Rejects when the thread fails, or is ended. */
  ask(request: IndexRequest): Promise<IndexReply>
  end(): Promise<void>
}

/** The next add is read and cut into chunks while the thread is at one, and one that is a hundredth of it need not wait for its end. */
const ADDS_AT_ONCE = 2

/** A thread that is started when it is first needed, and again after it was ended. */
export function createIndexingThread({ model, start, log, idleMs, retryMs }: ThreadOptions): IndexingThread {
  let thread: ThreadProcess | null = null
  let asked = 0
  let brokenMs: number | null = null
  let idle: NodeJS.Timeout | undefined

  async function ask(chunks: readonly Chunk[], context: ChunkContext): Promise<ChunkIndex[] | null> {
    thread ??= start()
    const used = thread
    try {
      return unpack(await used.ask({ chunks, context }))
    } catch (err) {
      // Of all that waited for it, the first to hear says so.
      if (thread === used) {
        log.warn({ err }, 'the indexing thread failed; its work is done without it')
        thread = null
        brokenMs = performance.now()
        await used.end()
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
    model,
    attend: createAtMost(ADDS_AT_ONCE).run,
    async index(chunks, context) {
      if (brokenMs !== null && performance.now() - brokenMs < retryMs) return null
      clearTimeout(idle)
      asked += 1
      try {
        return await ask(chunks, context)
      } finally {
        asked -= 1
        if (asked === 0) idle = setTimeout(() => void end(), idleMs).unref()
      }
    },
    close: end,
  }
}

function unpack({ terms, vectors, windows, windowBytes }: IndexReply): ChunkIndex[] {
  const dimensions = vectors.length / Math.max(1, terms.length)
  let end = 0
  return terms.map((own, index) => {
    const start = end
    end += windowBytes[index] ?? 0
    return {
      terms: own,
      vector: vectors.subarray(index * dimensions, (index + 1) * dimensions),
      windows: windows.subarray(start, end),
    }
  })
}

/** Enough for what the analysis of a language remembers, and for the texts of a few hundred chunks. */
const MAX_HEAP_MB = 256

/** Starts a thread over the folder of the embedded embedder, some 0.1 s. It knows nothing of the environment. */
export function startIndexingThread(data: ThreadData): ThreadProcess {
  // Sources run as they are, packed code is JavaScript.
  const main = import.meta.url.endsWith('.ts') ? './indexing-thread-main.ts' : './indexing-thread-main.js'
  const worker = new Worker(new URL(main, import.meta.url), {
    workerData: data,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  const waiting: PromiseWithResolvers<IndexReply>[] = []
  let death: Error | null = null
  const fail = (error: Error) => {
    death ??= error
    for (const question of waiting.splice(0)) question.reject(death)
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the indexing thread has ended')))
  // Answers come in the order of the questions.
  worker.on('message', (reply: IndexReply) => {
    waiting.shift()?.resolve(reply)
    if (waiting.length === 0) worker.unref()
  })
  return {
    async ask(request) {
      if (death !== null) throw death
      const question = Promise.withResolvers<IndexReply>()
      waiting.push(question)
      worker.ref()
      worker.postMessage(request)
      return question.promise
    },
    end: async () => void (await worker.terminate()),
  }
}
