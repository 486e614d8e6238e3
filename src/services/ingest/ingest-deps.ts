import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { PriorityGate } from '../../concurrency/priority-gate.ts'
import type { Tables } from '../../database/schema.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import type { Embedders } from '../../models/embedders.ts'
import type { Blobs } from '../../objects/blobs.ts'
import type { UrlFetcher } from '../../url-fetch/url-fetcher.ts'
import type { DeletionOutbox } from '../deletion/deletion-outbox.ts'
import type { JobChanges } from '../jobs/job-changes.ts'
import type { JobRuns } from '../jobs/job-runs.ts'
import type { MemoryFiles } from '../memory-files.ts'
import type { DocumentReader } from '../reading/document-reader.ts'
import type { InlineLimits } from '../reading/inline-budget.ts'
import type { DocumentIndexing } from './indexing/index-document.ts'
import type { IndexingThread } from './indexing/indexing-thread.ts'
import type { DetectLanguage } from './indexing/language-detector.ts'

/** What parsing a file, and recognising its pages, may take of a request. */
export type InlineReading = { parse: InlineLimits; recognize: InlineLimits }

/** What ingestion is built of; handed down whole, since nearly every step needs most of it. */
export type IngestDeps = {
  db: Kysely<Tables>
  blobs: Blobs
  memoryFile: MemoryFiles
  embedders: Embedders
  analyzer: Analyzer
  detectLanguage: DetectLanguage
  /** For large adds; none where the process has one core only. */
  indexingThread?: IndexingThread | null
  /** Small adds go before large ones. */
  priorityGate?: PriorityGate
  /**
   * Asked before each of many steps of some milliseconds together
   * (`concurrency/event-loop-yield.ts`).
   */
  shareLoop: () => Promise<void>
  /** What a file may take within its request; the usual where absent. */
  inlineReading?: InlineReading
  reader: Pick<DocumentReader, 'parse' | 'requireReadable' | 'recognize' | 'read'>
  fetcher: UrlFetcher
  removals: DeletionOutbox
  changes: JobChanges
  runs: JobRuns
  log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
  now: () => Date
  /** Names this process in the intents it opens. */
  owner: string
  /** For files on their way; emptied at start. */
  temporaryDirectory: string
  /**
   * Documents of failed adds that could not be cleared, and their memories, until they can
   * (`retryDiscards`).
   */
  uncleared: Map<string, string>
}

/**
 * What the work of a job is built of: the same, what turns the texts of its memory into terms and
 * vectors, and the name of the memory file they go to, which `memoryFile` is then.
 */
export type JobDeps = IngestDeps & { indexing: DocumentIndexing; file: string }
