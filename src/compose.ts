import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { openSignIn } from './compose/installation-secret.ts'
import { joinNodes, type Node } from './compose/join-nodes.ts'
import { openBackgroundWork } from './compose/open-background-work.ts'
import { requireLanguageData } from './compose/open-document-reader.ts'
import { openErasures } from './compose/open-erasures.ts'
import { openHealth } from './compose/open-health.ts'
import { openSharedDeps, type SharedDeps } from './compose/open-parts.ts'
import { openSearchModels, warnOfUnavailableModels } from './compose/open-search-models.ts'
import { openSources, type Sources } from './compose/open-sources.ts'
import { openWebhooks, type Webhooks } from './compose/open-webhooks.ts'
import { takeFolder } from './compose/take-folder.ts'
import { awaitStopStep } from './concurrency/wait.ts'
import type { Config, ConfigError } from './config.ts'
import { migrate } from './database/migrations.ts'
import { openStore } from './database/open-store.ts'
import { countRequest } from './database/process-tables.ts'
import type { Store } from './database/store.ts'
import { dataFolder } from './files/data-folder.ts'
import type { Route } from './http/route.ts'
import { HEALTH_ROUTES, METRICS_ROUTES, withPublicMetrics } from './http/routes/health.ts'
import { ROUTES } from './http/routes/routes.ts'
import { createServer, type ServerOptions } from './http/server.ts'
import { CONNECTIONS } from './limits.ts'
import type { Log, WorkContext } from './observability/log.ts'
import { createMeters } from './observability/meters.ts'
import { NO_TRACING, type Tracing } from './observability/tracing/tracing.ts'
import { tracedMeters, tracedModels, tracedRequests, tracedServices } from './observability/tracing/with-spans.ts'
import { createAccountService } from './services/account/account-service.ts'
import { createKeysService } from './services/account/keys-service.ts'
import { bootstrap, createFirstKey, createOrganizationsService } from './services/account/organizations-service.ts'
import { createProjectsService } from './services/account/projects-service.ts'
import { countedRequests, countedServices } from './services/account/usage-recorder.ts'
import { createUsageService } from './services/account/usage-service.ts'
import { createArchiveService } from './services/archive/archive-service.ts'
import { createImportJob } from './services/archive/import-job.ts'
import { createCorrectionChangesService } from './services/corrections/change-correction.ts'
import { createCorrectionsService } from './services/corrections/corrections-service.ts'
import { createVerifyService } from './services/doctor/verify-service.ts'
import { createDocumentChangesService } from './services/documents/change-document.ts'
import { createChunksService } from './services/documents/chunks-service.ts'
import { createDocumentsService } from './services/documents/documents-service.ts'
import { createPagePicturesService, type PagePicturesCache } from './services/documents/page-pictures-service.ts'
import { createDocumentFilters } from './services/filters/document-filters.ts'
import { DamageWatch } from './services/health/damage-watch.ts'
import type { DrainingHealthService } from './services/health/health-service.ts'
import { createMetricsService } from './services/health/metrics-service.ts'
import { createIngestService } from './services/ingest/ingest-service.ts'
import { createIngestionJob } from './services/ingest/job/ingestion-job.ts'
import { IMPORT_JOB, INGESTION_JOB, type JobHandlers, REEMBEDDING_JOB } from './services/jobs/job-handler.ts'
import { createJobsService } from './services/jobs/jobs-service.ts'
import { createMemoriesService } from './services/memories/memories-service.ts'
import { createReembedService } from './services/memories/reembed-service.ts'
import { createReembeddingJob } from './services/memories/reembedding-job.ts'
import { createEvaluateService } from './services/search/evaluate-service.ts'
import type { SearchService } from './services/search/search.ts'
import { createSearchService } from './services/search/search-service.ts'
import { warmUpSearch } from './services/search/warm-up-search.ts'
import type { Services } from './services/services.ts'
import { openConsoleFiles } from './web/console-files.ts'
import { openDocsFiles } from './web/docs-files.ts'

/**
 * Delay of the first parser process after a start, whose processor time it would increase by half.
 */
const WARM_AFTER_MS = 3_000

/**
 * Maximum time that a start waits for the database check, which then continues in the background.
 */
const FIRST_LOOK_MS = 300

/** The console: its source in a checkout, built in the package. */
const CONSOLE_FOLDER = join(import.meta.dirname, 'console')

/** Root of the documentation pages, in a checkout and in the package. */
const ROOT_FOLDER = join(import.meta.dirname, '..')

/** The composed service, not listening yet. */
export type Recollect = {
  server: FastifyInstance
  /**
   * Starts jobs and housekeeping. Returns the first key if this start created it, to be shown once.
   */
  start(): Promise<string | null>
  /** Stops all work, returns unfinished jobs to the queue, and closes every store. */
  stop(): Promise<void>
}

/** Environment of the service; without `tracing` no spans are created. */
export type ComposeDeps = {
  log: Log
  version: string
  context: WorkContext
  tracing?: Tracing
}

/**
 * Composes the service over a data folder and the configured stores and models. Rejects if the
 * folder is unusable or in use, or a store is unreachable. Rejects with {@link ConfigError} for a
 * setting that this installation cannot apply.
 */
export async function compose(
  config: Config,
  { log, version, context, tracing = NO_TRACING }: ComposeDeps,
): Promise<Recollect> {
  requireLanguageData(config.recognition.languages)
  const meters = tracedMeters(tracing, createMeters(version))
  const models = tracedModels(tracing, await openSearchModels(config, { log, meters }))
  const unlock = await takeFolder(config)
  const { store, damage, looked } = await openMetadata(config, log)
  const node = await joinNodes(store, { hasPeers: config.hasPeers, log })
  const local = await bootstrap({ db: store.db, now: node.now, ...config.organization })
  const parts = await openSharedDeps(config, { store, node, models, meters, tracing, log })
  await warnOfUnavailableModels({ db: store.db, log }, models.embedders)
  if (config.role !== 'worker') warmUpSearch(parts.analyzer)
  const { services, ...serving } = createServices(config, { parts, node })
  const { worker, housekeeping } = openBackgroundWork(config, { ...serving, parts, node, context })
  const health = openHealth(config, { parts, store, worker, damage })
  const erasures = openErasures(config, { ...parts, node, store, pagePictures: services.pagePictures })
  const draining = new AbortController()
  const requestHooks: RequestHooks = countedRequests(parts.usage, tracedRequests(tracing, { context, meters }))
  const server = createServer({
    services: tracedServices(tracing, countedServices(parts.usage, { ...services, health })),
    log,
    version,
    now: node.now,
    console: openConsoleFiles(CONSOLE_FOLDER),
    docs: openDocsFiles(ROOT_FOLDER),
    operator: { caller: local, adminKey: config.organization.adminKey },
    signIn: await openSignIn(config, { local, log, now: node.now }),
    anonymous: config.http.auth === 'off' ? local : null,
    temporaryDirectory: dataFolder(config.dataDir).temporary,
    ...parts.largeBodies,
    ...parts.openFiles.ofServer,
    rateLimitPerMinute: config.http.rateLimitPerMinute,
    corsOrigins: config.http.corsOrigins,
    draining: draining.signal,
    ...requestHooks,
    routes: listRoutes(config),
    ...(config.hasPeers ? { countRequest: createRequestCounter(store, node) } : {}),
  })
  await looked
  const work = { worker, housekeeping, erasures }
  return {
    server,
    async start() {
      startWork(config, { ...work, reader: parts.reader })
      return createFirstKey({ db: store.db, now: node.now }, local.organizationId)
    },
    stop: () => stopService(config, { ...work, log, parts, node, store, damage, server, health, draining, unlock }),
  }
}

type RequestHooks = Required<Pick<ServerOptions, 'runInContext' | 'onRequestEnd'>>

/** Counts a caller's requests over all processes of the installation. */
function createRequestCounter(
  { db }: Store,
  { now }: Node,
): (name: string, windowMs: number) => ReturnType<typeof countRequest> {
  return (name, windowMs) => countRequest(db, { name, now: now(), windowMs })
}

type StoppableWork = ReturnType<typeof openBackgroundWork> & { erasures: ReturnType<typeof openErasures> }

function startWork(
  config: Config,
  { worker, housekeeping, erasures, reader }: StoppableWork & Pick<SharedDeps, 'reader'>,
): void {
  if (config.role !== 'api') worker.start()
  for (const rounds of [housekeeping, erasures]) {
    rounds.start()
    void rounds.run()
  }
  setTimeout(reader.warm, WARM_AFTER_MS).unref()
}

type RunningParts = StoppableWork & {
  log: Log
  parts: SharedDeps
  node: Node
  store: Store
  damage: DamageWatch
  server: FastifyInstance
  health: DrainingHealthService
  draining: AbortController
  unlock: () => void
}

/** Stops accepting requests, then ends the work, then closes the stores. */
async function stopService(config: Config, running: RunningParts): Promise<void> {
  const { log, parts, server, worker, housekeeping, erasures } = running
  const workerStopped = worker.stop()
  parts.maintenance.end()
  running.health.drain()
  running.draining.abort()
  await pause(config.role === 'worker' ? 0 : config.drainMs)
  // Cancels requests that still read documents or wait for a model.
  const patience = setTimeout(() => {
    void parts.reader.close()
    parts.chat?.stop()
  }, CONNECTIONS.stopMs)
  await awaitStopStep(log, 'requests and jobs', Promise.all([server.close(), workerStopped]))
  clearTimeout(patience)
  await awaitStopStep(log, 'threads', closeThreads(parts))
  await awaitStopStep(log, 'housekeeping', housekeeping.stop())
  await awaitStopStep(log, 'deletions and rankings', Promise.all([erasures.stop(), parts.outranking.stop()]))
  await awaitStopStep(log, 'the counts of usage', parts.usage.stop())
  await closeStores({ ...parts, ...running })
  running.unlock()
}

type Stores = Pick<SharedDeps, 'maintenance' | 'storage'> & { log: Log; node: Node; store: Store; damage: DamageWatch }

async function closeStores({ log, maintenance, storage, node, store, damage }: Stores): Promise<void> {
  await damage.stop()
  const closeFiles = async () => {
    await maintenance.close()
    await storage.memoryFile.close()
  }
  await awaitStopStep(log, 'the upkeep of memory files', closeFiles())
  await awaitStopStep(log, 'the list of nodes', node.leave())
  storage.close()
  await awaitStopStep(log, 'the database', store.close())
}

/** Closes child processes and threads. */
async function closeThreads({ reader, indexingThread, languageDetector, largeBodies }: SharedDeps): Promise<void> {
  const closing = [reader.close(), indexingThread?.close(), languageDetector.close(), largeBodies.jsonParser?.close()]
  await Promise.all(closing)
}

/** Worker processes serve health and metrics only. */
function listRoutes({ role, http }: Config): readonly Route[] {
  const routes = role === 'worker' ? [...HEALTH_ROUTES, ...METRICS_ROUTES] : ROUTES
  return http.areMetricsPublic ? withPublicMetrics(routes) : routes
}

type ServiceParts = {
  services: Omit<Services, 'health'> & { pagePictures: PagePicturesCache }
  handlers: JobHandlers
  webhooks: Webhooks
  sources: Sources
}

function createServices(config: Config, { parts, node }: { parts: SharedDeps; node: Node }): ServiceParts {
  const { db, blobs, log, now, changes, removals, meters } = parts
  const handlers = {
    [INGESTION_JOB]: createIngestionJob(parts),
    [IMPORT_JOB]: createImportJob(parts),
    [REEMBEDDING_JOB]: createReembeddingJob(parts),
  }
  const filters = createDocumentFilters(db)
  const search = createSearchService({
    ...parts,
    filters,
    step: parts.tracing.inSpan,
    rerank: config.search.reranker !== 'off',
  })
  const documents = createDocumentsService({ ...parts, filters })
  const webhooks = openWebhooks(config, parts)
  const ingest = createIngestService(parts)
  const sources = openSources(config, { ...parts, ingest, filters })
  const services = {
    account: createAccountService({ db, now }),
    archive: createArchiveService(parts),
    ...openAnswering({ ...parts, search }),
    chunks: createChunksService(parts),
    correctionChanges: createCorrectionChangesService(parts),
    corrections: createCorrectionsService({ ...parts, search }),
    documents,
    documentChanges: createDocumentChangesService({ ...parts, filters }),
    evaluate: createEvaluateService({ db, search }),
    idempotency: node.idempotency,
    ingest,
    jobs: createJobsService({ db, blobs, handlers, changes, now }),
    keys: createKeysService({ db, blobs, now, log }),
    pagePictures: createPagePicturesService({ ...parts, documents, pictureAsked: meters.pictureAsked }),
    metrics: createMetricsService({ db, now, print: meters.print }),
    organizations: createOrganizationsService({ db, now, plan: config.organization.plan }),
    memories: createMemoriesService({ db, removals, changes, now }),
    projects: createProjectsService({ db, blobs, now }),
    usage: createUsageService(parts),
    verify: createVerifyService(parts),
    reembed: createReembedService(parts),
    search,
    sources: sources.service,
    webhooks: webhooks.service,
  }
  return { services, handlers, webhooks, sources }
}

/** Services that answer questions and fill schemas. */
type Answering = Pick<Services, 'ask' | 'extract'>

/**
 * Opens the services that answer, with the configured language model, or by rules. Their code is
 * loaded with the first question: its patterns would take a sixth of a start.
 */
function openAnswering(deps: SharedDeps & { search: SearchService }): Answering {
  let loading: Promise<Answering> | null = null
  function load(): Promise<Answering> {
    loading ??= loadAnswering(deps)
    return loading
  }
  return {
    ask: {
      ask: async (...given) => (await load()).ask.ask(...given),
      streamAsk: async (...given) => (await load()).ask.streamAsk(...given),
      askOnce: async (...given) => (await load()).ask.askOnce(...given),
      streamAskOnce: async (...given) => (await load()).ask.streamAskOnce(...given),
    },
    extract: { extract: async (...given) => (await load()).extract.extract(...given) },
  }
}

async function loadAnswering(deps: SharedDeps & { search: SearchService }): Promise<Answering> {
  const { chat } = deps
  const { createAskService } = await import('./services/ask/ask-service.ts')
  const { createExtractiveGenerator } = await import('./services/ask/extractive-generator.ts')
  const { createModelGenerator } = await import('./services/ask/model-generator.ts')
  const { createExtractService } = await import('./services/extract/extract-service.ts')
  const { createRuleReader } = await import('./services/extract/field-reader.ts')
  const { createModelReader } = await import('./services/extract/model-reader.ts')
  const writer = chat === null ? createExtractiveGenerator(deps) : createModelGenerator({ ...deps, chat })
  const rules = createRuleReader()
  const reader = chat === null ? rules : createModelReader({ model: chat, rules })
  return { ask: createAskService({ ...deps, writer }), extract: createExtractService({ ...deps, reader }) }
}

type OpenedStore = {
  store: Store
  damage: DamageWatch
  /** Resolves when the first check of the database is done, or takes long. */
  looked: Promise<void>
}

/**
 * Opens SQLite in the data folder or the configured database, migrates it, and watches it for
 * damage.
 */
async function openMetadata({ database, dataDir }: Config, log: Log): Promise<OpenedStore> {
  const { maxConnections } = database ?? { maxConnections: 1 }
  const store = await openStore({ place: database?.url ?? dataFolder(dataDir).database, maxConnections, log })
  const damage = new DamageWatch({ check: store.check, log })
  store.onDamage((error) => damage.record(error))
  const looked = damage.runFirstCheck(FIRST_LOOK_MS)
  await migrate(store)
  return { store, damage, looked }
}
