import { availableParallelism } from 'node:os'
import type { Log } from '../log.ts'
import {
  createIndexingThread,
  type IndexingThread,
  startIndexingThread,
} from '../service/ingest/indexing/indexing-thread.ts'
import {
  createLanguageDetector,
  type LanguageDetector,
  startLanguageThread,
} from '../service/language/language-detector.ts'
import { EMBEDDER_FOLDER } from './open-search-models.ts'

const INDEXING_IDLE_MS = 30_000
/** It takes 0.25 s to start, which the next text that is not plain English waits. */
const LANGUAGE_IDLE_MS = 10 * 60_000
const RETRY_MS = 60_000

/** The thread for large adds to memories of the embedded embedder `model`; `null` on one core, on which it would only take turns with the event loop. */
export function openIndexingThread(model: string, log: Log): IndexingThread | null {
  if (availableParallelism() < 2) return null
  const start = () => startIndexingThread({ directory: EMBEDDER_FOLDER })
  return createIndexingThread({ model, start, log, idleMs: INDEXING_IDLE_MS, retryMs: RETRY_MS })
}

/** What tells languages, with its thread. */
export function openLanguageDetector(log: Log): LanguageDetector {
  return createLanguageDetector({ start: startLanguageThread, log, idleMs: LANGUAGE_IDLE_MS, retryMs: RETRY_MS })
}
