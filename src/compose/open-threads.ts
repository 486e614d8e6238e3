import { availableParallelism } from 'node:os'
import { type BodyBudgetSizes, sizeBodyBudget } from '../http/body/budgets.ts'
import { createJsonParser, type JsonParser, startJsonThread } from '../http/body/json-parser.ts'
import { sizeQueryBudget } from '../http/request-budgets.ts'
import type { Log } from '../observability/log.ts'
import {
  createIndexingThread,
  type IndexingThread,
  startIndexingThread,
} from '../services/ingest/indexing/indexing-thread.ts'
import {
  createLanguageDetector,
  type LanguageDetector,
  startLanguageThread,
} from '../services/ingest/indexing/language-detector.ts'
import { EMBEDDER_FOLDER } from './open-search-models.ts'
import { readMemoryBytes } from './read-memory-bytes.ts'

const INDEXING_IDLE_MS = 30_000
/** It takes 0.25 s to start, which the next text that is not plain English waits. */
const LANGUAGE_IDLE_MS = 10 * 60_000
/** It may have had hundreds of MB. */
const JSON_IDLE_MS = 10_000
/** A body of 150 MB takes up to 1.1 GB with it and 0.7 GB without it. */
const JSON_LEAST_MEMORY_BYTES = 4 * 1024 ** 3
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

/** What large bodies of JSON meet. */
export type LargeBodies = {
  /** Parses them in its thread; `null` where the process may take little memory, in which a body and its value stand twice. */
  jsonParser: JsonParser | null
  /** The memory that bodies may take together. */
  bodyBudget: BodyBudgetSizes
  /** How many bytes queries and their answers may hold together. */
  queryBudgetBytes: number
}

/** What large bodies meet in as much memory as the process may take. */
export function openLargeBodies(log: Log): LargeBodies {
  const memoryBytes = readMemoryBytes()
  const threads = { start: startJsonThread, log, idleMs: JSON_IDLE_MS, retryMs: RETRY_MS }
  const jsonParser = memoryBytes < JSON_LEAST_MEMORY_BYTES ? null : createJsonParser(threads)
  return { jsonParser, bodyBudget: sizeBodyBudget(memoryBytes), queryBudgetBytes: sizeQueryBudget(memoryBytes) }
}
