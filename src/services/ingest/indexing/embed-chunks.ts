import type { Analyzer } from '../../../engine/analysis/analyzer.ts'
import type { Chunk } from '../../../engine/chunking/chunk.ts'
import type { ChunkRow } from '../../../memory-file/memory-file.ts'
import type { Embedder } from '../../../models/embedder.ts'
import { analyzeChunk } from './analyze-chunk.ts'
import type { ChunkContext, ChunkIndex } from './chunk-index.ts'
import { embedPassages } from './embed-passages.ts'
import type { IndexingThread } from './indexing-thread.ts'

/** What turns text into terms and vectors. */
export type Indexing = {
  embedder: Embedder
  analyzer: Analyzer
  /** Does it beside the event loop, where there is one for the embedder. */
  thread?: IndexingThread | null
  /** Called before each step of a large add, which goes on when it resolves. */
  giveWay?: () => Promise<void>
  /** Asked again and again between blocks: a file may have tens of thousands of them in a few pieces. */
  shareLoop?: () => Promise<void>
}

/**
 * Turns chunks into rows: the terms BM25 sees, the chunk's vector, the vectors of its windows as signed bytes. What a thread cannot do is done
 * here.
 */
export async function embedChunks(
  indexing: Indexing,
  chunks: readonly Chunk[],
  context: ChunkContext,
): Promise<ChunkRow[]> {
  const indexed = (await indexing.thread?.index(chunks, context)) ?? (await indexChunks(indexing, chunks, context))
  const { documentId, kind, firstIndex, labels } = context
  return chunks.map((chunk, index) => {
    const { terms = '', vector = new Float32Array(), windows = new Int8Array() } = indexed[index] ?? {}
    return { documentId, chunkIndex: firstIndex + index, kind, ...chunk, terms, vector, windows, labels }
  })
}

/** What finds each of the chunks: their terms, those of heading, section and table header included, and their vectors (`embed-passages.ts`). */
export async function indexChunks(
  { embedder, analyzer }: Indexing,
  chunks: readonly Chunk[],
  context: ChunkContext,
): Promise<ChunkIndex[]> {
  const { kind, heading, firstIndex } = context
  const passages = chunks.map((chunk, index) => ({ ...chunk, kind, heading, chunkIndex: firstIndex + index }))
  const vectors = await embedPassages(embedder, passages)
  return vectors.map((own, index) => {
    const chunk = chunks[index]
    return { ...own, terms: chunk === undefined ? '' : analyzeChunk(analyzer, chunk, context) }
  })
}
