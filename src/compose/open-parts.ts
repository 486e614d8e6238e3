import type { Config, ConfigError } from '../config.ts'
import { dataFolder } from '../data-folder.ts'
import { createAnalyzer } from '../engine/analysis/analyzer.ts'
import { MAX_URL_DOWNLOAD_BYTES } from '../limits.ts'
import type { Log } from '../log.ts'
import { meteredChatModel } from '../metrics/metered-models.ts'
import type { Meters } from '../metrics/meters.ts'
import { createLoopShare } from '../pacing/loop-share.ts'
import { openChatModel } from '../providers/open-models.ts'
import { createStoppableChatModel, type StoppableChatModel } from '../providers/stoppable-chat-model.ts'
import { createUrlFetcher, FETCH_TIMEOUTS, type UrlFetcher } from '../providers/url/url-fetcher.ts'
import { createOutrankingNotes, type OutrankingNotes } from '../service/corrections/outranking-notes.ts'
import { createRemovals } from '../service/deletion/removals.ts'
import type { IngestParts } from '../service/ingest/ingest-parts.ts'
import { createJobRuns } from '../service/jobs/job-runs.ts'
import type { LanguageDetector } from '../service/language/language-detector.ts'
import { type MaintainedMemoryFile, maintained } from '../service/maintained-memory-file.ts'
import { createMemoryFiles } from '../service/memory-files.ts'
import { bindObjects } from '../service/nodes/bind-objects.ts'
import type { DocumentReader } from '../service/reading/document-reader.ts'
import { createRightOfWay, type RightOfWay } from '../service/scheduling/right-of-way.ts'
import type { Store } from '../store/store.ts'
import { tracedSeam } from '../tracing/traced-seam.ts'
import { tracedStorage } from '../tracing/traced-storage.ts'
import type { Tracing } from '../tracing/tracing.ts'
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
export type Parts = IngestParts &
  SearchModels & {
    storage: Storage
    /** The memory files by their names. */
    files: MaintainedMemoryFile
    reader: DocumentReader
    meters: Meters
    rightOfWay: RightOfWay
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
  const storage = tracedStorage(tracing, await openStorage(config, { log, now, openFiles }))
  const { blobs } = storage
  if (config.database !== null) await bindObjects(db, blobs)
  const { chat, access } = config.models
  const files = maintained(storage.memoryFile, log, node.tasks)
  const memoryFile = createMemoryFiles({ db, files })
  const languageDetector = openLanguageDetector(log)
  return {
    db,
    blobs,
    storage,
    files,
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
    rightOfWay: createRightOfWay(),
    shareLoop: createLoopShare(SLICE_MS),
    outranking: createOutrankingNotes({ db, now, log }),
    reader: await openDocumentReader(config, { temporaryDirectory: folder.temporary, log, meters }),
    fetcher: createFetcher(config, log),
    removals: createRemovals({ db, blobs, memoryFile, log, now }),
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
