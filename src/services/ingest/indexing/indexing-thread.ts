import { createSemaphore, type Semaphore } from '../../../concurrency/semaphore.ts'
import {
  createIdleThread,
  type IdleThreadOptions,
  type RunningThread,
  startThread,
} from '../../../concurrency/worker-thread.ts'
import type { Chunk } from '../../../engine/chunking/chunk.ts'
import type { StaticTable } from '../../../models/local/static-table.ts'
import type { ChunkContext, ChunkIndex } from './embed-chunks.ts'

/**
 * Thread that indexes chunks with the embedded model and keeps the event loop free during bulk
 * adds.
 */
export type IndexingThread = {
  /** Model of the thread's embedder. */
  readonly model: string
  /**
   * Result of `indexChunks`; `null` when the thread failed (logged). The caller then indexes in its
   * own thread.
   */
  index(chunks: readonly Chunk[], context: ChunkContext): Promise<ChunkIndex[] | null>
  /**
   * Runs an add of texts within the concurrency limit, first come, first served: fully concurrent
   * adds would all end with the last. Rejects as the work does, and with the signal's reason when
   * aborted before the start.
   */
  runLimited: Semaphore['run']
  /** Ends the thread; pending requests resolve to `null`. */
  close(): Promise<void>
}

/** Options of the thread, the name of the model, and the shared table. */
export type IndexingThreadOptions = Omit<IdleThreadOptions<IndexRequest, IndexReply>, 'name' | 'start'> & {
  model: string
  openTable: () => Promise<StaticTable>
  start: (data: ThreadData) => RunningThread<IndexRequest, IndexReply>
}

/**
 * The next add is read and chunked while the thread works, and a small add need not wait for a
 * hundredfold larger one.
 */
const MAX_CONCURRENT_ADDS = 2

/** Starts the thread on first use, and again after its end. */
export function createIndexingThread({ model, openTable, start, ...options }: IndexingThreadOptions): IndexingThread {
  let table: StaticTable | null = null
  const startWithTable = () => {
    if (table === null) throw new Error('the table of the embedder is not open')
    return start({ table })
  }
  const thread = createIdleThread({ ...options, start: startWithTable, name: 'indexing' })
  return {
    model,
    runLimited: createSemaphore(MAX_CONCURRENT_ADDS).run,
    async index(chunks, context) {
      table ??= await openTable()
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

/** Enough for the analyser's caches and the texts of some hundred chunks. */
const MAX_HEAP_MB = 256

/** Starts a thread with the embedded model over a shared table. */
export function startIndexingThread(data: ThreadData): RunningThread<IndexRequest, IndexReply> {
  const weightOf = ({ chunks }: IndexRequest) => chunks.length
  const main = './indexing-thread-main'
  return startThread({ main, baseUrl: import.meta.url, data, maxHeapMb: MAX_HEAP_MB, weightOf })
}

/** Start data of the thread. */
export type ThreadData = {
  /** Table of the embedded model, in shared memory. */
  table: StaticTable
}

/** Chunks of one document. */
export type IndexRequest = { chunks: readonly Chunk[]; context: ChunkContext }

/**
 * Index data of each chunk. Vectors and windows are concatenated, so that only two buffers are
 * transferred.
 */
export type IndexReply = {
  terms: readonly string[]
  vectors: Float32Array<ArrayBuffer>
  windows: Uint8Array<ArrayBuffer>
  /** Bytes of each chunk's windows. */
  windowBytes: readonly number[]
}
