import type { Embedder } from '../../../models/embedder.ts'
import type { IngestDeps } from '../ingest-deps.ts'
import type { Indexing } from './embed-chunks.ts'
import type { DocumentIndexing } from './index-document.ts'

/**
 * Text from which it is indexed in the thread, some 100 chunks or 25 ms of work. Smaller adds keep
 * to the event loop: there they do not wait behind the large ones that the thread has.
 */
const LARGE_BYTES = 64 * 1024

/**
 * Texts of one add that are under way beside threads, and the bytes of that many as a rule: the
 * next are read and cut into chunks while the threads are at others. What is under way together is
 * read in one turn of the event loop, some 6 ms.
 */
const BESIDE_THREADS = { leastTexts: 2, mostTexts: 24, bytes: 24 * 1024 } as const

/** True for an add of so many bytes that others are not to wait for it. */
export function isLarge(bytes: number): boolean {
  return bytes >= LARGE_BYTES
}

/** What is needed to choose who indexes an add. */
export type IndexingDeps = Pick<
  IngestDeps,
  'analyzer' | 'detectLanguage' | 'indexingThread' | 'priorityGate' | 'shareLoop'
>

/**
 * Who indexes an add of so many bytes with an embedder: the thread what is large, where there is
 * one and it has the embedder. What is large gives way to what is not.
 */
export function chooseIndexing(
  { analyzer, detectLanguage, indexingThread = null, priorityGate, shareLoop }: IndexingDeps,
  embedder: Embedder,
  bytes: number,
): DocumentIndexing {
  const here = { analyzer, detectLanguage, embedder, shareLoop }
  if (!isLarge(bytes)) return here
  const thread = indexingThread?.model === embedder.model ? indexingThread : null
  return { ...here, thread, ...(priorityGate === undefined ? {} : { giveWay: priorityGate.yieldToForeground }) }
}

/**
 * How many of these texts, by their sizes, are to be indexed side by side: small ones are embedded
 * together by an embedder far away only then. One where the embedder is of this event loop, in
 * which they would only be in each other's way.
 */
export function textsAtOnce({ embedder, thread = null }: Indexing, sizesBytes: readonly number[]): number {
  if (embedder.windowCharacters === null) return embedder.chunksAtOnce
  if (thread === null) return 1
  const bytes = sizesBytes.reduce((total, size) => total + size, 0)
  const { leastTexts, mostTexts, bytes: together } = BESIDE_THREADS
  return Math.min(mostTexts, Math.max(leastTexts, Math.floor((together * sizesBytes.length) / Math.max(1, bytes))))
}
