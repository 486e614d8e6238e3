import { createEventLoopYielder } from '../concurrency/event-loop-yield.ts'
import { createPriorityGate, type PriorityGate } from '../concurrency/priority-gate.ts'
import type { Config, ConfigError } from '../config.ts'
import type { Store } from '../database/store.ts'
import { createAnalyzer } from '../engine/analysis/analyzer.ts'
import { dataFolder } from '../files/data-folder.ts'
import { MAX_URL_DOWNLOAD_BYTES } from '../limits.ts'
import type { MemoryFile } from '../memory-file/memory-file.ts'
import { createStoppableChatModel, type StoppableChatModel } from '../models/chat-model.ts'
import { openChatModel } from '../models/open-models.ts'
import type { Log } from '../observability/log.ts'
import { meteredChatModel } from '../observability/metered.ts'
import type { Meters } from '../observability/meters.ts'
import type { Tracing } from '../observability/tracing/tracing.ts'
import { tracedMemoryFile, tracedSeam } from '../observability/tracing/with-spans.ts'
import { createOutrankingNotes, type OutrankingNotes } from '../services/corrections/outranking-notes.ts'
import { createDeletionOutbox } from '../services/deletion/deletion-outbox.ts'
import type { LanguageDetector } from '../services/ingest/indexing/language-detector.ts'
import type { IngestDeps } from '../services/ingest/ingest-deps.ts'
import { createJobRuns } from '../services/jobs/job-runs.ts'
import { type AutoMaintenance, createAutoMaintenance } from '../services/maintained-memory-file.ts'
import { createMemoryFiles, withLayers } from '../services/memory-files.ts'
import { bindObjects } from '../services/nodes/bind-objects.ts'
import type { DocumentReader } from '../services/reading/document-reader.ts'
import { createUrlFetcher, FETCH_TIMEOUTS, type UrlFetcher } from '../url-fetch/url-fetcher.ts'
import type { Node } from './join-nodes.ts'
import { openDocumentReader } from './open-document-reader.ts'
import { type OpenFiles, planOpenFiles, readOpenFilesLimit } from './open-files.ts'
import type { SearchModels } from './open-search-models.ts'
import { openStorage, type Storage } from './open-storage.ts'
import { type LargeBodies, openIndexingThread, openLanguageDetector, openLargeBodies } from './open-threads.ts'

/** Our choice: an honest resource needs two or three, browsers give up after 20. */
const MAX_URL_REDIRECTS = 5
/** Steps of large adds hold the event loop for so long at a time. */
const SLICE_MS = 8

/** What services, jobs and housekeeping are made of. */
export type Parts = IngestDeps &
  SearchModels & {
    storage: Storage
    /** The memory files by their names. */
    files: MemoryFile
    maintenance: AutoMaintenance
    reader: DocumentReader
    meters: Meters
    priorityGate: PriorityGate
    /** What `detectLanguage` is of. */
    languageDetector: LanguageDetector
    largeBodies: LargeBodies
    openFiles: OpenFiles
    outranking: OutrankingNotes
    tracing: Tracing
    checkDatabase: Store['check']
    /** `null` where no language model is configured. */
    chat: StoppableChatModel | null
  }

/** What was opened before: the database, this process among others, and what watches. */
export type Opened = { store: Store; node: Node; models: SearchModels; meters: Meters; tracing: Tracing; log: Log }

/** Opens what all work rests on: stores, models, the readers' children. Rejects when a store cannot be used, and with {@link ConfigError}. */
export async function openParts(config: Config, { store, node, models, meters, tracing, log }: Opened): Promise<Parts> {
  const folder = dataFolder(config.dataDir)
  const { db } = store
  const { owner, now, changes } = node
  const openFiles = planOpenFiles(readOpenFilesLimit(), log)
  const storage = await openStorage(config, { log, now, openFiles })
  const { blobs } = storage
  if (config.database !== null) await bindObjects(db, blobs)
  const { chat, access } = config.models
  const maintenance = createAutoMaintenance({ storage: storage.memoryFile, log, tasks: node.tasks })
  // What is put around the storage of chunks. That searches go before background work is the search service's own.
  const files = withLayers(storage.memoryFile, [(inner) => tracedMemoryFile(tracing, inner), maintenance.layer])
  const memoryFile = createMemoryFiles({ db, files })
  const languageDetector = openLanguageDetector(log)
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
      chat === null
        ? null
        : createStoppableChatModel(meteredChatModel(await openChatModel(chat, { access, log }), meters)),
    analyzer: tracedSeam(tracing, createAnalyzer(), { queryTerms: 'analysis' }),
    indexingThread: openIndexingThread(models.embedder.model, log),
    languageDetector,
    largeBodies: openLargeBodies(log),
    openFiles,
    detectLanguage: languageDetector.detect,
    priorityGate: createPriorityGate(),
    shareLoop: createEventLoopYielder(SLICE_MS),
    outranking: createOutrankingNotes({ db, now, log }),
    reader: await openDocumentReader(config, { temporaryDirectory: folder.temporary, log, meters }),
    fetcher: createFetcher(config, log),
    removals: createDeletionOutbox({ db, blobs, memoryFile, log, now }),
    changes,
    runs: createJobRuns({ db, owner }),
    log,
    now,
    owner,
    temporaryDirectory: folder.temporary,
    uncleared: new Map(),
  }
}

/** Downloads what callers name by URL, and only from where the settings let it. */
function createFetcher({ urls: { allowPrivate } }: Config, log: Log): UrlFetcher {
  const limits = { maxBytes: MAX_URL_DOWNLOAD_BYTES, timeouts: FETCH_TIMEOUTS, maxRedirects: MAX_URL_REDIRECTS }
  return createUrlFetcher({ allowPrivate, ...limits, log })
}
