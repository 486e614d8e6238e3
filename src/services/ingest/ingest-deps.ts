import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { PriorityGate } from '../../concurrency/priority-gate.ts'
import type { Tables } from '../../database/schema.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import type { Embedders } from '../../models/embedders.ts'
import type { Blobs } from '../../objects/blobs.ts'
import type { ZipLimits } from '../../parsers/zip-members.ts'
import type { UrlFetcher } from '../../url-fetch/url-fetcher.ts'
import type { UsageRecorder } from '../account/usage-recorder.ts'
import type { DeletionOutbox } from '../deletion/deletion-outbox.ts'
import type { JobChanges } from '../jobs/job-changes.ts'
import type { JobRuns } from '../jobs/job-runs.ts'
import type { MemoryFiles } from '../memory-files.ts'
import type { DocumentReader } from '../reading/document-reader.ts'
import type { InlineLimits } from '../reading/inline-budget.ts'
import type { DocumentIndexing } from './indexing/index-document.ts'
import type { IndexingThread } from './indexing/indexing-thread.ts'
import type { DetectLanguage } from './indexing/language-detector.ts'

/** Limits for parsing and recognition within a request. */
export type InlineReading = { parse: InlineLimits; recognize: InlineLimits }

/** Dependencies of ingestion. Each step declares the subset that the step uses. */
export type IngestDeps = {
  db: Kysely<Tables>
  blobs: Blobs
  memoryFile: MemoryFiles
  embedders: Embedders
  analyzer: Analyzer
  detectLanguage: DetectLanguage
  /** For large adds; absent on a single core. */
  indexingThread?: IndexingThread | null
  /** Runs small adds before large ones. */
  priorityGate?: PriorityGate
  /** Called between steps of some milliseconds (`concurrency/event-loop-yield.ts`). */
  yieldToEventLoop: () => Promise<void>
  /** Limits for a file within its request; defaults when absent. */
  inlineReading?: InlineReading
  /** Limits of ZIP archives; defaults when absent. */
  zipLimits?: ZipLimits
  reader: Pick<DocumentReader, 'parse' | 'requireReadable' | 'recognize' | 'read'>
  fetcher: UrlFetcher
  removals: DeletionOutbox
  changes: JobChanges
  usage: Pick<UsageRecorder, 'record'>
  runs: JobRuns
  log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
  now: () => Date
  /** Id of this process in the intents. */
  owner: string
  /** For temporary files; emptied at start. */
  temporaryDirectory: string
  /** Documents of failed adds not yet discarded, with their memories (`retryDiscards`). */
  pendingDiscards: Map<string, string>
}

/**
 * Dependencies of a job: with the indexing for the memory's model, and the name of the memory file
 * that `memoryFile` writes to. `settled` resolves when no write is running.
 */
export type JobDeps = IngestDeps & { indexing: DocumentIndexing; file: string; settled: () => Promise<void> }
