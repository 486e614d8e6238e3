import { mkdir, rm } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { joinNodes, type Node } from './compose/join-nodes.ts'
import { listModelChecks } from './compose/list-model-checks.ts'
import { openDocumentReader, requireLanguageData } from './compose/open-document-reader.ts'
import { openErasures } from './compose/open-erasures.ts'
import { openIndexingThread } from './compose/open-indexing-thread.ts'
import { openSearchModels, type SearchModels } from './compose/open-search-models.ts'
import { openStorage, type Storage } from './compose/open-storage.ts'
import { openWebhooks, type Webhooks } from './compose/open-webhooks.ts'
import type { Config, ConfigError } from './config.ts'
import { dataFolder } from './data-folder.ts'
import { createAnalyzer } from './engine/analysis/analyzer.ts'
import type { Route } from './http/route.ts'
import { HEALTH_ROUTES } from './http/routes/health.ts'
import { METRICS_ROUTES, withOpenMetrics } from './http/routes/metrics.ts'
import { ROUTES } from './http/routes/routes.ts'
import { createServer } from './http/server.ts'
import { LONGEST_PAUSE_MS } from './jobs/back-off.ts'
import { chooseConcurrency } from './jobs/choose-concurrency.ts'
import { createWorker, type Worker } from './jobs/worker.ts'
import { MAX_URL_DOWNLOAD_BYTES } from './limits.ts'
import type { Log } from './log.ts'
import { meteredChatModel } from './metrics/metered-models.ts'
import { createMeters, type Meters } from './metrics/meters.ts'
import { openChatModel } from './providers/open-models.ts'
import { createStoppableChatModel, type StoppableChatModel } from './providers/stoppable-chat-model.ts'
import { createUrlFetcher, FETCH_TIMEOUTS, type UrlFetcher } from './providers/url/url-fetcher.ts'
import { createAccountService } from './service/account-service.ts'
import { createArchiveService } from './service/archive/archive-service.ts'
import { createImportJob } from './service/archive/import-job.ts'
import { IMPORT_JOB } from './service/archive/import-payload.ts'
import { createExtractiveWriter } from './service/ask/extractive-writer.ts'
import { createModelWriter } from './service/ask/model-writer.ts'
import { createAskService } from './service/ask-service.ts'
import { bindObjects } from './service/bind-objects.ts'
import { bootstrap } from './service/bootstrap.ts'
import { createCorrectionsService } from './service/corrections-service.ts'
import { createDocumentsService } from './service/documents-service.ts'
import { createEvaluateService } from './service/evaluate-service.ts'
import { LEASE_MS } from './service/exclusive-tasks.ts'
import { createModelReader } from './service/extract/model-reader.ts'
import { createRuleReader } from './service/extract/rule-reader.ts'
import { createExtractService } from './service/extract-service.ts'
import { createHealthService, type DrainingHealthService } from './service/health-service.ts'
import { createHousekeeping, type Housekeeping } from './service/housekeeping.ts'
import { retryDiscards, sweepIntents } from './service/ingest/discard-documents.ts'
import type { IngestParts } from './service/ingest/ingest-parts.ts'
import { createIngestionJob } from './service/ingest/ingestion-job.ts'
import { INGESTION_JOB } from './service/ingest/ingestion-payload.ts'
import { createIngestService } from './service/ingest-service.ts'
import { createJobsService } from './service/jobs-service.ts'
import { createKeysService } from './service/keys-service.ts'
import { type MaintainedMemoryFile, maintained } from './service/maintained-memory-file.ts'
import { createMemoriesService } from './service/memories-service.ts'
import { createMemoryFiles } from './service/memory-files.ts'
import { createMetricsService } from './service/metrics-service.ts'
import { createOutrankingNotes, type OutrankingNotes } from './service/outranking-notes.ts'
import { createPagePicturesService, type PicturesKeeper } from './service/page-pictures-service.ts'
import { createProjectsService } from './service/projects-service.ts'
import type { DocumentReader } from './service/reading/document-reader.ts'
import { createReembeddingJob } from './service/reembed/reembedding-job.ts'
import { REEMBEDDING_JOB } from './service/reembed/reembedding-payload.ts'
import { createReembedService } from './service/reembed-service.ts'
import { createRemovals } from './service/removals.ts'
import { createRightOfWay, type RightOfWay } from './service/right-of-way.ts'
import { createSearchService } from './service/search-service.ts'
import type { Services } from './service/services.ts'
import { sweepCorrections } from './service/sweep-corrections.ts'
import { createVerifyService } from './service/verify-service.ts'
import { lockData } from './store/data-lock.ts'
import { migrate } from './store/migrations.ts'
import { openStore } from './store/open-store.ts'
import { countRequest, purgeRateWindows } from './store/rate-windows.ts'
import { bringForward } from './store/set-clock.ts'
import { getJobState } from './store/stock.ts'
import type { Store } from './store/store.ts'
import { tracedMeters } from './tracing/traced-meters.ts'
import { tracedModels } from './tracing/traced-models.ts'
import { tracedRequests } from './tracing/traced-requests.ts'
import { tracedSeam } from './tracing/traced-seam.ts'
import { tracedHandlers, tracedServices } from './tracing/traced-services.ts'
import { tracedStorage } from './tracing/traced-storage.ts'
import { NO_TRACING, type Tracing } from './tracing/tracing.ts'
import { openConsoleFiles } from './web/console-files.ts'
import { openDocsFiles } from './web/docs/docs-files.ts'
import type { WorkContext } from './work-context.ts'

const HOUSEKEEPING_PAUSE_MS = 60_000
/** An add is over by then, whatever became of it: requests end after 10 minutes at the latest. One that is not finds itself refused at its commit. */
const INTENT_OVER_MS = 15 * 60_000

/** How long a stop waits for the requests that are reading documents or waiting for a model; then they are told that the service stops. */
const READING_GRACE_MS = 8_000
/** Our choice: an honest resource needs two or three, browsers give up after 20. */
const MAX_URL_REDIRECTS = 5

/** The console: its source in a checkout, built in the package. */
const CONSOLE_FOLDER = join(import.meta.dirname, 'console')

/** Where the pages of the documentation stand, in a checkout and in the package. */
const ROOT_FOLDER = join(import.meta.dirname, '..')

/** The service, put together and not yet listening. */
export type Recollect = {
  server: FastifyInstance
  /** The first key, made at this start; `null` when there was one already or the operator supplied it. */
  firstKey: string | null
  /** Takes up waiting jobs and housekeeping. */
  start(): Promise<void>
  /** Ends what runs, gives unfinished jobs back to the queue and closes every store. */
  stop(): Promise<void>
}

/** What the service is put into; nothing is traced where `tracing` is absent. */
export type Surroundings = { log: Log; version: string; context: WorkContext; tracing?: Tracing }

/**
 * Puts the service together over a data folder, and what else the settings name. Rejects when the folder cannot be used or is in use, when a
 * store cannot be reached, and with {@link ConfigError} for a setting that this installation cannot follow.
 */
export async function compose(
  config: Config,
  { log, version, context, tracing = NO_TRACING }: Surroundings,
): Promise<Recollect> {
  requireLanguageData(config.recognition.languages)
  const meters = tracedMeters(tracing, createMeters(version))
  const models = tracedModels(tracing, await openSearchModels(config, { log, meters }))
  const folder = dataFolder(config.dataDir)
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const unlock = lockData(folder.lock)
  await rm(folder.temporary, { recursive: true, force: true })
  await mkdir(folder.temporary, { recursive: true, mode: 0o700 })
  const store = await openMetadata(config, log)
  await migrate(store.db)
  const node = await joinNodes(store, { hasPeers: config.hasPeers, log })
  const first = await bootstrap({ db: store.db, now: node.now, ...config.organization })
  const parts = await createParts(config, { store, node, models, meters, tracing, log })
  const { services, worker, housekeeping } = createServices(config, { parts, node, store, context })
  const erasures = openErasures(config, { ...parts, node, store, pagePictures: services.pagePictures })
  const draining = new AbortController()
  const server = createServer({
    services: tracedServices(tracing, services),
    log,
    version,
    now: node.now,
    console: openConsoleFiles(CONSOLE_FOLDER),
    docs: openDocsFiles(ROOT_FOLDER),
    anonymous: config.http.auth === 'off' ? first.caller : null,
    temporaryDirectory: folder.temporary,
    rateLimitPerMinute: config.http.rateLimitPerMinute,
    draining: draining.signal,
    ...tracedRequests(tracing, { context, meters }),
    routes: listRoutes(config),
    ...(config.hasPeers
      ? { countRequest: (name, windowMs) => countRequest(store.db, { name, now: node.now(), windowMs }) }
      : {}),
  })
  return {
    server,
    firstKey: config.organization.bootstrapKey === null ? first.key : null,
    async start() {
      if (config.role !== 'api') worker.start()
      for (const rounds of [housekeeping, erasures]) {
        rounds.start()
        void rounds.run()
      }
      parts.reader.warm()
    },
    async stop() {
      const workerStopped = worker.stop()
      services.health.drain()
      draining.abort()
      await setTimeout(config.role === 'worker' ? 0 : config.drainMs)
      const patience = globalThis.setTimeout(() => {
        void parts.reader.close()
        parts.chat?.stop()
      }, READING_GRACE_MS)
      await Promise.all([server.close(), workerStopped])
      clearTimeout(patience)
      await parts.reader.close()
      await parts.indexingThread?.close()
      await housekeeping.stop()
      await Promise.all([erasures.stop(), parts.outranking.stop()])
      await parts.files.close()
      await node.leave()
      parts.storage.close()
      await store.close()
      unlock()
    },
  }
}

/** A worker answers nobody but those who look after it. */
function listRoutes({ role, http }: Config): readonly Route[] {
  const routes = role === 'worker' ? [...HEALTH_ROUTES, ...METRICS_ROUTES] : ROUTES
  return http.areMetricsPublic ? withOpenMetrics(routes) : routes
}

type Parts = IngestParts &
  SearchModels & {
    storage: Storage
    /** The memory files by their names. */
    files: MaintainedMemoryFile
    reader: DocumentReader
    meters: Meters
    rightOfWay: RightOfWay
    outranking: OutrankingNotes
    tracing: Tracing
    /** `null` where no language model is configured. */
    chat: StoppableChatModel | null
  }

type Opened = { store: Store; node: Node; models: SearchModels; meters: Meters; tracing: Tracing; log: Log }

async function createParts(config: Config, { store, node, models, meters, tracing, log }: Opened): Promise<Parts> {
  const folder = dataFolder(config.dataDir)
  const { db } = store
  const { owner, now, changes } = node
  const storage = tracedStorage(tracing, await openStorage(config, { log, now }))
  const { blobs } = storage
  if (config.database !== null) await bindObjects(db, blobs)
  const { chat, access } = config.models
  const files = maintained(storage.memoryFile, log, node.tasks)
  const memoryFile = createMemoryFiles({ db, files })
  return {
    db,
    blobs,
    storage,
    files,
    memoryFile,
    ...models,
    meters,
    tracing,
    chat:
      chat === null
        ? null
        : createStoppableChatModel(meteredChatModel(await openChatModel(chat, { access, log }), meters)),
    analyzer: tracedSeam(tracing, createAnalyzer(), { queryTerms: 'analysis' }),
    indexingThread: openIndexingThread(models.embedder.model, log),
    rightOfWay: createRightOfWay(),
    outranking: createOutrankingNotes({ db, now, log }),
    reader: await openDocumentReader(config, { temporaryDirectory: folder.temporary, log, meters }),
    fetcher: createFetcher(config, log),
    removals: createRemovals({ db, blobs, memoryFile, log, now }),
    changes,
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

type Composed = {
  services: Services & { health: DrainingHealthService; pagePictures: PicturesKeeper }
  worker: Worker
  housekeeping: Housekeeping
}

function createServices(
  config: Config,
  { parts, node, store, context }: { parts: Parts; node: Node; store: Store; context: WorkContext },
): Composed {
  const { db, blobs, log, now, changes, removals, chat, meters } = parts
  const handlers = {
    [INGESTION_JOB]: createIngestionJob(parts),
    [IMPORT_JOB]: createImportJob(parts),
    [REEMBEDDING_JOB]: createReembeddingJob(parts),
  }
  const search = createSearchService({ ...parts, step: parts.tracing.within, rerank: config.search.reranker !== 'off' })
  const find: typeof search.find = (...asked) => parts.rightOfWay.goFirst(() => search.find(...asked))
  const rules = createRuleReader()
  const documents = createDocumentsService(parts)
  const webhooks = openWebhooks(config, parts)
  const services = {
    account: createAccountService({ db, now }),
    archive: createArchiveService(parts),
    ask: createAskService({
      ...parts,
      search,
      writer: chat === null ? createExtractiveWriter(parts) : createModelWriter({ ...parts, chat }),
    }),
    corrections: createCorrectionsService({ ...parts, search }),
    documents,
    evaluate: createEvaluateService({ db, search }),
    extract: createExtractService({
      db,
      search,
      reader: chat === null ? rules : createModelReader({ model: chat, rules }),
    }),
    health: createHealthService({
      database: store.probe,
      objectStore: blobs.probe,
      optional: listModelChecks(config, parts),
      log,
    }),
    idempotency: node.idempotency,
    ingest: createIngestService(parts),
    jobs: createJobsService({ db, handlers, changes, now }),
    keys: createKeysService({ db, now, log }),
    pagePictures: createPagePicturesService({ ...parts, documents, pictureAsked: meters.pictureAsked }),
    metrics: createMetricsService({ db, now, print: meters.print }),
    memories: createMemoriesService({ db, removals, changes, now }),
    projects: createProjectsService({ db, now }),
    verify: createVerifyService(parts),
    reembed: createReembedService(parts),
    search: { ...search, find },
    webhooks: webhooks.service,
  }
  const ended = async ({ id, job_type: type }: { id: string; job_type: string }, seconds: number) =>
    meters.jobEnded({ type, outcome: (await getJobState(db, id)) ?? 'deleted', seconds })
  const worker = createWorker({
    db,
    handlers: tracedHandlers(parts.tracing, handlers),
    changes,
    log,
    now,
    ended,
    within: context.within,
    isOnly: !config.hasPeers,
    concurrency: countJobsAtOnce(config),
  })
  const housekeeping = createHousekeeping({
    tasks: listTasks(config, parts, { node, webhooks }),
    pauseMs: HOUSEKEEPING_PAUSE_MS,
    log,
  })
  return { services, worker: together(worker, webhooks.sender), housekeeping }
}

/** What works through the queue, and what sends word of it. */
function together(...workers: readonly Worker[]): Worker {
  return {
    start() {
      for (const worker of workers) worker.start()
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}

function countJobsAtOnce({ role }: Config): number {
  const total = totalmem()
  // 0, or more than there is, where no container sets a bound.
  const memoryBytes = Math.min(process.constrainedMemory() || total, total)
  return chooseConcurrency({ cores: availableParallelism(), memoryBytes, servesRequests: role !== 'worker' })
}

/** What comes round in every process, and what one of them does for all. */
function listTasks({ role }: Config, parts: Parts, { node, webhooks }: { node: Node; webhooks: Webhooks }) {
  const { tasks, idempotency, seenSince } = node
  const { db, storage, files, removals, now } = parts
  const own = { memoryFiles: async () => files.lookAgain(), failedAdds: () => retryDiscards(parts) }
  if (role === 'api') return own
  const begunBefore = () => new Date(now().getTime() - INTENT_OVER_MS)
  const shared = {
    removals: removals.sweep,
    intents: () => sweepIntents(parts, { seenSince: seenSince(), begunBefore: begunBefore() }),
    idempotency: idempotency.purge,
    corrections: () => sweepCorrections(parts),
    uploads: storage.sweep,
    rateWindows: () => purgeRateWindows(db, now()),
    webhooks: webhooks.tend,
    clock: () => bringForward(db, { now: now(), turnMs: LONGEST_PAUSE_MS, leaseMs: LEASE_MS }),
  }
  const exclusive = Object.entries(shared).map(([name, task]) => [name, () => tasks.run(name, task)])
  return { ...Object.fromEntries(exclusive), ...own } as Record<string, () => Promise<unknown>>
}

/** SQLite in the data folder, or the database that is named. */
function openMetadata({ database, dataDir }: Config, log: Log): Promise<Store> {
  const { maxConnections } = database ?? { maxConnections: 1 }
  return openStore({ place: database?.url ?? dataFolder(dataDir).database, maxConnections, log })
}
