import { createSemaphore, type Semaphore } from '../../../concurrency/semaphore.ts'
import {
  createIdleThread,
  type IdleThreadOptions,
  type RunningThread,
  startThread,
} from '../../../concurrency/worker-thread.ts'
import type { Chunk } from '../../../engine/chunking/chunk.ts'
import type { ChunkContext, ChunkIndex } from './embed-chunks.ts'

/**
 * A thread that indexes chunks with the embedded embedder, so that the event loop stays free while
 * many are added.
 */
export type IndexingThread = {
  /** The embedder that it has. */
  readonly model: string
  /**
   * What `indexChunks` gives; `null` where the thread failed, with the reason in the log: it is to
   * be done without it then.
   */
  index(chunks: readonly Chunk[], context: ChunkContext): Promise<ChunkIndex[] | null>
  /**
   * Does the work of an add of texts that has much to index, or lets it wait for those that came
   * before: side by side all would end with the last. Rejects as the work does, and with the
   * signal's reason when it is aborted before the work has begun.
   */
  attend: Semaphore['run']
  /** Ends it; what it has not answered comes to `null`. */
  close(): Promise<void>
}

/** What the thread is made of. */
export type IndexingThreadOptions = Omit<IdleThreadOptions<IndexRequest, IndexReply>, 'name'> & { model: string }

/**
 * The next add is read and cut into chunks while the thread is at one, and one that is a hundredth
 * of it need not wait for its end.
 */
const ADDS_AT_ONCE = 2

/** A thread that is started when it is first needed, and again after it was ended. */
export function createIndexingThread({ model, ...options }: IndexingThreadOptions): IndexingThread {
  const thread = createIdleThread({ ...options, name: 'indexing' })
  return {
    model,
    attend: createSemaphore(ADDS_AT_ONCE).run,
    async index(chunks, context) {
      const reply = await thread.call({ chunks, context })
      return reply && unpack(reply)
    },
    close: thread.close,
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

/**
 * Enough for what the analysis of a language remembers, and for the texts of a few hundred chunks.
 */
const MAX_HEAP_MB = 256

/** Starts a thread over the folder of the embedded embedder. */
export function startIndexingThread(data: ThreadData): RunningThread<IndexRequest, IndexReply> {
  const weightOf = ({ chunks }: IndexRequest) => chunks.length
  const main = './indexing-thread-main'
  return startThread({ main, baseUrl: import.meta.url, data, maxHeapMb: MAX_HEAP_MB, weightOf })
}

/** What the thread is started with. */
export type ThreadData = {
  /** Of the embedded embedder. */
  directory: string
}

/** Chunks of one document to be indexed. */
export type IndexRequest = { chunks: readonly Chunk[]; context: ChunkContext }

/**
 * What finds each of them; vectors and windows stand one behind the other, so that two buffers
 * change hands.
 */
export type IndexReply = {
  terms: readonly string[]
  vectors: Float32Array<ArrayBuffer>
  windows: Int8Array<ArrayBuffer>
  /** Of the windows of each. */
  windowBytes: readonly number[]
}
