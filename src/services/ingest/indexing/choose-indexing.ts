import type { Embedder } from '../../../models/embedder.ts'
import type { IngestDeps } from '../ingest-deps.ts'
import type { IndexingTools } from './embed-chunks.ts'
import type { DocumentIndexing } from './index-document.ts'

/**
 * Minimum size for indexing in the thread: about 100 chunks or 25 ms. Smaller adds stay on the
 * event loop and do not wait behind large adds in the thread.
 */
const LARGE_BYTES = 64 * 1024

/**
 * Concurrent texts of one add with a thread, and their usual size: the next texts are read and
 * chunked while the thread indexes. Concurrent texts are read in one turn of the event loop, about
 * 6 ms.
 */
const WITH_THREAD = { leastTexts: 2, mostTexts: 24, bytes: 24 * 1024 } as const

/** True for an add that is large enough to yield to others. */
export function isLarge(bytes: number): boolean {
  return bytes >= LARGE_BYTES
}

/** Dependencies of {@link chooseIndexing}. */
export type IndexingDeps = Pick<
  IngestDeps,
  'analyzer' | 'detectLanguage' | 'indexingThread' | 'priorityGate' | 'yieldToEventLoop'
>

/**
 * Chooses where an add is indexed: large adds in the thread, if one exists for the embedder. Large
 * adds yield to small ones.
 */
export function chooseIndexing(
  { analyzer, detectLanguage, indexingThread = null, priorityGate, yieldToEventLoop }: IndexingDeps,
  embedder: Embedder,
  { bytes, chunkSizes = null }: { bytes: number } & Pick<DocumentIndexing, 'chunkSizes'>,
): DocumentIndexing {
  const here = { analyzer, detectLanguage, embedder, chunkSizes, yieldToEventLoop }
  if (!isLarge(bytes)) return here
  const thread = indexingThread?.model === embedder.model ? indexingThread : null
  return {
    ...here,
    thread,
    ...(priorityGate === undefined ? {} : { yieldToForeground: priorityGate.yieldToForeground }),
  }
}

/**
 * Number of texts to index concurrently. A remote embedder batches small texts only when
 * concurrent. Without a thread, a local embedder shares the event loop, so concurrency has no
 * benefit.
 */
export function maxConcurrentTexts({ embedder, thread = null }: IndexingTools, sizesBytes: readonly number[]): number {
  if (embedder.windowCharacters === null) return embedder.chunksAtOnce
  if (thread === null) return 1
  const bytes = sizesBytes.reduce((total, size) => total + size, 0)
  const { leastTexts, mostTexts, bytes: together } = WITH_THREAD
  return Math.min(mostTexts, Math.max(leastTexts, Math.floor((together * sizesBytes.length) / Math.max(1, bytes))))
}
