import type { Chunk } from '../../../engine/chunking/chunk.ts'
import type { ChunkContext } from './chunk-index.ts'

/** What the thread is started with. */
export type ThreadData = {
  /** Of the embedded embedder. */
  directory: string
}

/** Chunks of one document to be indexed. */
export type IndexRequest = { chunks: readonly Chunk[]; context: ChunkContext }

/** What finds each of them; vectors and windows stand one behind the other, so that two buffers change hands. */
export type IndexReply = {
  terms: readonly string[]
  vectors: Float32Array<ArrayBuffer>
  windows: Int8Array<ArrayBuffer>
  /** Of the windows of each. */
  windowBytes: readonly number[]
}
