/** Main module of the thread of `indexing-thread.ts`: handles each `IndexRequest` in order. */
import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'
import { workerData } from 'node:worker_threads'
import { answerMessages } from '../../../concurrency/worker-thread.ts'
import { createAnalyzer } from '../../../engine/analysis/analyzer.ts'
import { shareStaticEmbedder } from '../../../models/local/static-model.ts'
import type { ChunkIndex } from './embed-chunks.ts'
import { indexChunks } from './embed-chunks.ts'
import type { IndexReply, IndexRequest, ThreadData } from './indexing-thread.ts'

goBehind()
const { table } = workerData as ThreadData
const indexing = { embedder: shareStaticEmbedder(table), analyzer: createAnalyzer() }
answerMessages(
  async ({ chunks, context }: IndexRequest) => pack(await indexChunks(indexing, chunks, context)),
  ({ vectors, windows }) => [vectors.buffer, windows.buffer],
)

/**
 * Lowers the thread's priority below the event loop and Lance, on Linux, where threads have
 * priorities. A small document beside a bulk add was found in 114 to 306 ms instead of 278 to 366.
 * The machine was busy, and the throughput stayed the same.
 */
function goBehind(): void {
  if (process.platform !== 'linux') return
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')))
    // Never raises the priority of a process that is already niced: that needs a privilege.
    setPriority(thread, Math.max(getPriority(thread), constants.priority.PRIORITY_BELOW_NORMAL))
  } catch {
    // Without /proc, or in a container that forbids the change, the priority stays.
  }
}

function pack(indexes: readonly ChunkIndex[]): IndexReply {
  const dimensions = indexes[0]?.vector.length ?? 0
  const vectors = new Float32Array(indexes.length * dimensions)
  const windows = new Uint8Array(indexes.reduce((total, own) => total + own.windows.length, 0))
  let end = 0
  for (const [index, own] of indexes.entries()) {
    vectors.set(own.vector, index * dimensions)
    windows.set(own.windows, end)
    end += own.windows.length
  }
  const windowBytes = indexes.map((own) => own.windows.length)
  return { terms: indexes.map(({ terms }) => terms), vectors, windows, windowBytes }
}
