/** Runs in the thread of `indexing-thread.ts`: answers an `IndexRequest` after the other. */
import { parentPort, workerData } from 'node:worker_threads'
import { createAnalyzer } from '../../engine/analysis/analyzer.ts'
import { createStaticEmbedder } from '../../providers/static-embedder.ts'
import type { ChunkIndex } from './chunk-index.ts'
import { indexChunks } from './embed-chunks.ts'
import type { IndexReply, IndexRequest, ThreadData } from './indexing-thread-messages.ts'

const { directory } = workerData as ThreadData
const indexing = { embedder: await createStaticEmbedder({ directory }), analyzer: createAnalyzer() }
let last: Promise<void> = Promise.resolve()

parentPort?.on('message', (request: IndexRequest) => {
  last = last.then(() => answer(request))
})

async function answer({ chunks, context }: IndexRequest): Promise<void> {
  const reply = pack(await indexChunks(indexing, chunks, context))
  parentPort?.postMessage(reply, [reply.vectors.buffer, reply.windows.buffer])
}

function pack(indexes: readonly ChunkIndex[]): IndexReply {
  const dimensions = indexes[0]?.vector.length ?? 0
  const vectors = new Float32Array(indexes.length * dimensions)
  const windows = new Int8Array(indexes.reduce((total, own) => total + own.windows.length, 0))
  let end = 0
  for (const [index, own] of indexes.entries()) {
    vectors.set(own.vector, index * dimensions)
    windows.set(own.windows, end)
    end += own.windows.length
  }
  const windowBytes = indexes.map((own) => own.windows.length)
  return { terms: indexes.map(({ terms }) => terms), vectors, windows, windowBytes }
}
