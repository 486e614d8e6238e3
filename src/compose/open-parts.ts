import { availableParallelism } from 'node:os'
import { createEventLoopYielder } from '../concurrency/event-loop-yield.ts'
import { createPriorityGate, type PriorityGate } from '../concurrency/priority-gate.ts'
import type { Config, ConfigError } from '../config.ts'
import { getFilesOfMemory } from '../database/memories/memories-table.ts'
import type { Store } from '../database/store.ts'
import { createAnalyzer } from '../engine/analysis/analyzer.ts'
import { dataFolder } from '../files/data-folder.ts'
import { type BodyBudgetSizes, sizeBodyBudget } from '../http/body/budgets.ts'
import { createJsonParser, type JsonParser, startJsonThread } from '../http/body/json-parser.ts'
import { sizeQueryBudget } from '../http/request-budgets.ts'
import { MAX_URL_DOWNLOAD_BYTES } from '../limits.ts'
import type { MemoryFile } from '../memory-file/memory-file.ts'
import { createStoppableChatModel, type StoppableChatModel } from '../models/chat-model.ts'
import type { StaticEmbedder } from '../models/local/static-model.ts'
import { limitAnswers, openChatModel } from '../models/open-models.ts'
import type { Log } from '../observability/log.ts'
import { meteredChatModel } from '../observability/metered.ts'
import type { Meters } from '../observability/meters.ts'
import type { Tracing } from '../observability/tracing/tracing.ts'
import { tracedMemoryFile, withSpans } from '../observability/tracing/with-spans.ts'
import { createUsageRecorder, type UsageRecorder } from '../services/account/usage-recorder.ts'
import { createOutrankingRecorder, type OutrankingRecorder } from '../services/corrections/outranking-recorder.ts'
import { createDeletionOutbox } from '../services/deletion/deletion-outbox.ts'
import { type RebuildDeps, rebuildChunks } from '../services/doctor/rebuild-chunks.ts'
import { type ChunkRefresh, createChunkRefresh } from '../services/documents/chunk-refresh.ts'
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
import type { IngestDeps } from '../services/ingest/ingest-deps.ts'
import { createJobRuns } from '../services/jobs/job-runs.ts'
import { type AutoMaintenance, createAutoMaintenance } from '../services/maintained-memory-file.ts'
import { createMemoryFiles, withLayers } from '../services/memory-files.ts'
import { bindObjectStore } from '../services/nodes/bind-object-store.ts'
import type { DocumentReader } from '../services/reading/document-reader.ts'
import { createUrlFetcher, FETCH_TIMEOUTS, type PageFetcher } from '../url-fetch/url-fetcher.ts'
import type { Node } from './join-nodes.ts'
import { openDocumentReader } from './open-document-reader.ts'
import { type OpenFiles, planOpenFiles, readMemoryBytes, readOpenFilesLimit } from './open-files.ts'
import type { SearchModels } from './open-search-models.ts'
import { openStorage, type Storage } from './open-storage.ts'

/** Our choice: real resources need two or three; browsers stop after 20. */
const MAX_URL_REDIRECTS = 5
/** Time that steps of large adds may block the event loop. */
const SLICE_MS = 8

/** Dependencies of services, jobs and housekeeping. */
export type SharedDeps = IngestDeps &
  SearchModels & {
    storage: Storage
    /** The memory files by file name. */
    files: MemoryFile
    maintenance: AutoMaintenance
    reader: DocumentReader
    meters: Meters
    priorityGate: PriorityGate
    /** Provides `detectLanguage`. */
    languageDetector: LanguageDetector
    largeBodies: LargeBodies
    openFiles: OpenFiles
    outranking: OutrankingRecorder
    usage: UsageRecorder
    /** Downloads of sources. */
    pages: PageFetcher
    chunkRefresh: ChunkRefresh
    tracing: Tracing
    checkDatabase: Store['check']
    /** `null` without a configured language model. */
    chat: StoppableChatModel | null
  }

/** Parts opened before: database, membership among processes, models and observability. */
type OpenPartsDeps = { store: Store; node: Node; models: SearchModels; meters: Meters; tracing: Tracing; log: Log }

/**
 * Opens the shared parts: stores, models, children for parsing. Rejects if a store is unusable, and
 * with {@link ConfigError}.
 */
export async function openSharedDeps(
  config: Config,
  { store, node, models, meters, tracing, log }: OpenPartsDeps,
): Promise<SharedDeps> {
  const folder = dataFolder(config.dataDir)
  const { db } = store
  const { owner, now, changes } = node
  const openFiles = planOpenFiles(readOpenFilesLimit(), log)
  const storage = await openStorage(config, { log, now, openFiles })
  const { blobs } = storage
  if (config.database !== null) await bindObjectStore(db, blobs)
  const { chat, access, answerTimeoutMs } = config.models
  const chatMeans = { access, log, timeouts: limitAnswers(answerTimeoutMs) }
  const maintenance = createAutoMaintenance({ storage: storage.memoryFile, log, tasks: node.tasks })
  // Layers around the chunk storage. The search service itself gives searches priority over
  // background work.
  const files = withLayers(storage.memoryFile, [(inner) => tracedMemoryFile(tracing, inner), maintenance.layer])
  const memoryFile = createMemoryFiles({ db, files })
  const languageDetector = openLanguageDetector(log)
  const fetcher = createFetcher(config, log)
  const deletion = { db, blobs, memoryFile, log, now }
  const removals = createDeletionOutbox(deletion)
  const languageDetection = { detectLanguage: languageDetector.detect }
  const analyzer = withSpans(tracing, createAnalyzer(), { queryTerms: 'analysis' })
  return {
    db,
    blobs,
    storage,
    files,
    maintenance,
    memoryFile,
    ...models,
    meters,
    tracing,
    checkDatabase: store.check,
    chat:
      chat === null ? null : createStoppableChatModel(meteredChatModel(await openChatModel(chat, chatMeans), meters)),
    analyzer,
    indexingThread: openIndexingThread(models.embedder, log),
    languageDetector,
    largeBodies: openLargeBodies(log),
    openFiles,
    ...languageDetection,
    priorityGate: createPriorityGate(),
    yieldToEventLoop: createEventLoopYielder(SLICE_MS),
    outranking: createOutrankingRecorder({ db, now, log }),
    usage: createUsageRecorder({ db, now, log }),
    reader: await openDocumentReader(config, { temporaryDirectory: folder.temporary, log, meters }),
    fetcher,
    pages: fetcher,
    removals,
    chunkRefresh: openChunkRefresh({ ...models, ...deletion, ...languageDetection, analyzer, removals }),
    changes,
    runs: createJobRuns({ db, owner }),
    log,
    now,
    owner,
    temporaryDirectory: folder.temporary,
    zipLimits: config.zip,
    pendingDiscards: new Map(),
  }
}

type ChunkRefreshDeps = Omit<RebuildDeps, 'openEmbedder'> & Omit<Parameters<typeof createChunkRefresh>[0], 'rebuild'>

/** Rebuilds corrections with the embedder of the memory, which may have changed meanwhile. */
function openChunkRefresh(deps: ChunkRefreshDeps): ChunkRefresh {
  return createChunkRefresh({
    ...deps,
    async rebuild(memoryId, documentId) {
      const model = (await getFilesOfMemory(deps.db, memoryId))?.embedding_model ?? null
      const openEmbedder = async () => (model === null ? null : deps.embedders.get(model))
      return rebuildChunks({ ...deps, openEmbedder }, memoryId, documentId)
    },
  })
}

/** Downloads documents by URL, only from hosts that the settings allow. */
function createFetcher({ urls: { allowPrivate } }: Config, log: Log): ReturnType<typeof createUrlFetcher> {
  const limits = { maxBytes: MAX_URL_DOWNLOAD_BYTES, timeouts: FETCH_TIMEOUTS, maxRedirects: MAX_URL_REDIRECTS }
  return createUrlFetcher({ allowPrivate, ...limits, log })
}

const INDEXING_IDLE_MS = 30_000
/** Starting takes 0.25 s, which the next text that is not plain English waits for. */
const LANGUAGE_IDLE_MS = 10 * 60_000
/** The thread may have used hundreds of MB. */
const JSON_IDLE_MS = 10_000
/** A body of 150 MB takes up to 1.1 GB with the thread, and 0.7 GB without. */
const JSON_MIN_MEMORY_BYTES = 4 * 1024 ** 3
const RETRY_MS = 60_000

/**
 * The thread for large adds with the embedded embedder `model`. `null` on one core, where it would
 * only compete with the event loop.
 */
function openIndexingThread({ model, openTable }: StaticEmbedder, log: Log): IndexingThread | null {
  if (availableParallelism() < 2) return null
  const thread = { model, openTable, start: startIndexingThread }
  return createIndexingThread({ ...thread, log, idleMs: INDEXING_IDLE_MS, retryMs: RETRY_MS })
}

/** The language detector with its thread. */
function openLanguageDetector(log: Log): LanguageDetector {
  return createLanguageDetector({ start: startLanguageThread, log, idleMs: LANGUAGE_IDLE_MS, retryMs: RETRY_MS })
}

/** Limits and parser of large JSON bodies. */
type LargeBodies = {
  /**
   * Parses in a thread; `null` with little memory, since the thread needs a body and its value
   * twice.
   */
  jsonParser: JsonParser | null
  /** Memory that all bodies together may take. */
  bodyBudget: BodyBudgetSizes
  /** Bytes that all queries and their answers together may take. */
  queryBudgetBytes: number
}

/** Sizes the limits by the available memory. */
function openLargeBodies(log: Log): LargeBodies {
  const memoryBytes = readMemoryBytes()
  const threads = { start: startJsonThread, log, idleMs: JSON_IDLE_MS, retryMs: RETRY_MS }
  const jsonParser = memoryBytes < JSON_MIN_MEMORY_BYTES ? null : createJsonParser(threads)
  return { jsonParser, bodyBudget: sizeBodyBudget(memoryBytes), queryBudgetBytes: sizeQueryBudget(memoryBytes) }
}
