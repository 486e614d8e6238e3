import { access, constants, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { joinNodes, type Node } from './compose/join-nodes.ts'
import { listModelChecks } from './compose/list-model-checks.ts'
import { openBackgroundWork } from './compose/open-background-work.ts'
import { requireLanguageData } from './compose/open-document-reader.ts'
import { openErasures } from './compose/open-erasures.ts'
import { openParts, type Parts } from './compose/open-parts.ts'
import { openSearchModels } from './compose/open-search-models.ts'
import { openWebhooks, type Webhooks } from './compose/open-webhooks.ts'
import { requireDatabase } from './compose/require-database.ts'
import { takeLock } from './compose/take-lock.ts'
import { waitToEnd } from './compose/wait-to-end.ts'
import type { Config, ConfigError } from './config.ts'
import { migrate } from './database/migrations.ts'
import { openStore } from './database/open-store.ts'
import { countRequest } from './database/process-tables.ts'
import type { Store } from './database/store.ts'
import { dataFolder } from './files/data-folder.ts'
import { makeFolder } from './files/make-folder.ts'
import type { Route } from './http/route.ts'
import { HEALTH_ROUTES, METRICS_ROUTES, withOpenMetrics } from './http/routes/health.ts'
import { ROUTES } from './http/routes/routes.ts'
import { createServer } from './http/server.ts'
import type { CheckedWorker } from './jobs/worker.ts'
import { CONNECTIONS } from './limits.ts'
import type { Log, WorkContext } from './observability/log.ts'
import { createMeters } from './observability/meters.ts'
import { NO_TRACING, type Tracing } from './observability/tracing/tracing.ts'
import { tracedMeters, tracedModels, tracedRequests, tracedServices } from './observability/tracing/with-spans.ts'
import { createAccountService } from './services/account/account-service.ts'
import { createKeysService } from './services/account/keys-service.ts'
import { bootstrap, createOrganizationsService } from './services/account/organizations-service.ts'
import { createProjectsService } from './services/account/projects-service.ts'
import { createArchiveService } from './services/archive/archive-service.ts'
import { createImportJob } from './services/archive/import-job.ts'
import { createAskService } from './services/ask/ask-service.ts'
import { createExtractiveWriter } from './services/ask/extractive-writer.ts'
import { createModelWriter } from './services/ask/model-writer.ts'
import { createCorrectionsService } from './services/corrections/corrections-service.ts'
import { createVerifyService } from './services/doctor/verify-service.ts'
import { createDocumentsService } from './services/documents/documents-service.ts'
import { createPagePicturesService, type PicturesKeeper } from './services/documents/page-pictures-service.ts'
import { createExtractService } from './services/extract/extract-service.ts'
import { createRuleReader } from './services/extract/field-reader.ts'
import { createModelReader } from './services/extract/model-reader.ts'
import { DamageWatch } from './services/health/damage-watch.ts'
import { createFilesWatch } from './services/health/files-watch.ts'
import { createHealthService, type DrainingHealthService } from './services/health/health-service.ts'
import { createMetricsService } from './services/health/metrics-service.ts'
import { createIngestService } from './services/ingest/ingest-service.ts'
import { createIngestionJob } from './services/ingest/job/ingestion-job.ts'
import { IMPORT_JOB, INGESTION_JOB, type JobHandlers, REEMBEDDING_JOB } from './services/jobs/job-handler.ts'
import { createJobsService } from './services/jobs/jobs-service.ts'
import { createMemoriesService } from './services/memories/memories-service.ts'
import { createReembedService } from './services/memories/reembed-service.ts'
import { createReembeddingJob } from './services/memories/reembedding-job.ts'
import { createEvaluateService } from './services/search/evaluate-service.ts'
import { createSearchService } from './services/search/search-service.ts'
import { warmUpSearch } from './services/search/warm-up-search.ts'
import type { Services } from './services/services.ts'
import { openConsoleFiles } from './web/console-files.ts'
import { openDocsFiles } from './web/docs-files.ts'

/** How long the first parser process waits after a start, of whose processor time it would take as much again as half. */
const WARM_AFTER_MS = 3_000

/** A start waits no longer to know whether the database is whole; a check that takes longer goes on beside it. */
const FIRST_LOOK_MS = 300

/** The console: its source in a checkout, built in the package. */
const CONSOLE_FOLDER = join(import.meta.dirname, 'console')

/** Where the pages of the documentation stand, in a checkout and in the package. */
const ROOT_FOLDER = join(import.meta.dirname, '..')

/** The service, put together and not yet listening. */
export type Recollect = {
  server: FastifyInstance
  /** Takes up waiting jobs and housekeeping. */
  start(): Promise<void>
  /** Ends what runs, gives unfinished jobs back to the queue and closes every store. */
  stop(): Promise<void>
}

/** What the service is put into; nothing is traced where `tracing` is absent. */
export type Surroundings = {
  log: Log
  version: string
  context: WorkContext
  tracing?: Tracing
  /** Is given the first key when this start has made it, which is the only time that it is known; also of a start that fails afterwards. */
  takeFirstKey: (key: string) => void
}

/**
 * Puts the service together over a data folder, and what else the settings name. Rejects when the folder cannot be used or is in use, when a
 * store cannot be reached, and with {@link ConfigError} for a setting that this installation cannot follow.
 */
export async function compose(
  config: Config,
  { log, version, context, tracing = NO_TRACING, takeFirstKey }: Surroundings,
): Promise<Recollect> {
  requireLanguageData(config.recognition.languages)
  const meters = tracedMeters(tracing, createMeters(version))
  const models = tracedModels(tracing, await openSearchModels(config, { log, meters }))
  const folder = dataFolder(config.dataDir)
  const unlock = await takeFolder(config)
  const { store, damage, looked } = await openMetadata(config, log)
  const node = await joinNodes(store, { hasPeers: config.hasPeers, log })
  const first = await bootstrap({ db: store.db, now: node.now, ...config.organization })
  if (first.key !== null && config.organization.bootstrapKey === null) takeFirstKey(first.key)
  const parts = await openParts(config, { store, node, models, meters, tracing, log })
  if (config.role !== 'worker') warmUpSearch(parts.analyzer)
  const { services, ...serving } = createServices(config, { parts, node })
  const { worker, housekeeping } = openBackgroundWork(config, { ...serving, parts, node, context })
  const health = openHealth(config, { parts, store, worker, damage })
  const erasures = openErasures(config, { ...parts, node, store, pagePictures: services.pagePictures })
  const draining = new AbortController()
  const server = createServer({
    services: tracedServices(tracing, { ...services, health }),
    log,
    version,
    now: node.now,
    console: openConsoleFiles(CONSOLE_FOLDER),
    docs: openDocsFiles(ROOT_FOLDER),
    operator: { caller: first.caller, adminKey: config.organization.adminKey },
    anonymous: config.http.auth === 'off' ? first.caller : null,
    temporaryDirectory: folder.temporary,
    ...parts.largeBodies,
    ...parts.openFiles.ofServer,
    rateLimitPerMinute: config.http.rateLimitPerMinute,
    draining: draining.signal,
    ...tracedRequests(tracing, { context, meters }),
    routes: listRoutes(config),
    ...(config.hasPeers
      ? { countRequest: (name, windowMs) => countRequest(store.db, { name, now: node.now(), windowMs }) }
      : {}),
  })
  await looked
  return {
    server,
    async start() {
      if (config.role !== 'api') worker.start()
      for (const rounds of [housekeeping, erasures]) {
        rounds.start()
        void rounds.run()
      }
      globalThis.setTimeout(parts.reader.warm, WARM_AFTER_MS).unref()
    },
    async stop() {
      const workerStopped = worker.stop()
      parts.maintenance.end()
      health.drain()
      draining.abort()
      await setTimeout(config.role === 'worker' ? 0 : config.drainMs)
      // Requests that are reading documents or waiting for a model are then told that the service stops.
      const patience = globalThis.setTimeout(() => {
        void parts.reader.close()
        parts.chat?.stop()
      }, CONNECTIONS.stopMs)
      await waitToEnd(log, 'requests and jobs', Promise.all([server.close(), workerStopped]))
      clearTimeout(patience)
      await waitToEnd(log, 'threads', closeThreads(parts))
      await waitToEnd(log, 'housekeeping', housekeeping.stop())
      await waitToEnd(log, 'deletions and rankings', Promise.all([erasures.stop(), parts.outranking.stop()]))
      await closeStores({ ...parts, log, node, store, damage })
      unlock()
    },
  }
}

type Stores = Pick<Parts, 'maintenance' | 'storage'> & { log: Log; node: Node; store: Store; damage: DamageWatch }

async function closeStores({ log, maintenance, storage, node, store, damage }: Stores): Promise<void> {
  await damage.stop()
  const closeFiles = async () => {
    await maintenance.close()
    await storage.memoryFile.close()
  }
  await waitToEnd(log, 'the upkeep of memory files', closeFiles())
  await waitToEnd(log, 'the list of nodes', node.leave())
  storage.close()
  await waitToEnd(log, 'the database', store.close())
}

/** Ends what reads and thinks beside this thread. */
async function closeThreads({ reader, indexingThread, languageDetector, largeBodies }: Parts): Promise<void> {
  const closing = [reader.close(), indexingThread?.close(), languageDetector.close(), largeBodies.jsonParser?.close()]
  await Promise.all(closing)
}

/** Makes the data folder this process's own until what it gives is called; what an earlier one left of temporary files is gone. */
async function takeFolder(config: Config): Promise<() => void> {
  await requireDatabase(config)
  const { dataDir } = config
  const { temporary } = dataFolder(dataDir)
  await makeFolder(dataDir)
  // What is mounted to be read only takes no lock, which would say less.
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  const unlock = await takeLock(dataFolder(dataDir))
  await rm(temporary, { recursive: true, force: true })
  await makeFolder(temporary)
  return unlock
}

/** A worker answers nobody but those who look after it. */
function listRoutes({ role, http }: Config): readonly Route[] {
  const routes = role === 'worker' ? [...HEALTH_ROUTES, ...METRICS_ROUTES] : ROUTES
  return http.areMetricsPublic ? withOpenMetrics(routes) : routes
}

type Serving = {
  services: Omit<Services, 'health'> & { pagePictures: PicturesKeeper }
  handlers: JobHandlers
  webhooks: Webhooks
}

function createServices(config: Config, { parts, node }: { parts: Parts; node: Node }): Serving {
  const { db, blobs, log, now, changes, removals, chat, meters } = parts
  const handlers = {
    [INGESTION_JOB]: createIngestionJob(parts),
    [IMPORT_JOB]: createImportJob(parts),
    [REEMBEDDING_JOB]: createReembeddingJob(parts),
  }
  const search = createSearchService({ ...parts, step: parts.tracing.within, rerank: config.search.reranker !== 'off' })
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
    idempotency: node.idempotency,
    ingest: createIngestService(parts),
    jobs: createJobsService({ db, blobs, handlers, changes, now }),
    keys: createKeysService({ db, blobs, now, log }),
    pagePictures: createPagePicturesService({ ...parts, documents, pictureAsked: meters.pictureAsked }),
    metrics: createMetricsService({ db, now, print: meters.print }),
    organizations: createOrganizationsService({ db, now, plan: config.organization.plan }),
    memories: createMemoriesService({ db, removals, changes, now }),
    projects: createProjectsService({ db, blobs, now }),
    verify: createVerifyService(parts),
    reembed: createReembedService(parts),
    search,
    webhooks: webhooks.service,
  }
  return { services, handlers, webhooks }
}

/** What a process stands on; and, as optional, its models and, where it works through jobs, its worker. */
function openHealth(
  config: Config,
  { parts, store, worker, damage }: { parts: Parts; store: Store; worker: CheckedWorker; damage: DamageWatch },
): DrainingHealthService {
  const models = listModelChecks(config, parts)
  const { db, blobs, storage } = parts
  const requireFiles = createFilesWatch({ db, listFiles: storage.memoryFile.list })
  return createHealthService({
    database: async () => {
      await store.probe()
      await damage.requireWhole()
    },
    objectStore: async (signal) => {
      await blobs.probe()
      await requireFiles(signal)
    },
    conditions: { openFiles: parts.openFiles.check },
    optional: config.role === 'api' ? models : { ...models, worker: worker.check },
    log: parts.log,
  })
}

type Metadata = {
  store: Store
  damage: DamageWatch
  /** Until the first look at whether it is whole is done, or takes long. */
  looked: Promise<void>
}

/** SQLite in the data folder, or the database that is named, with the tables of this version, and watched for damage. */
async function openMetadata({ database, dataDir }: Config, log: Log): Promise<Metadata> {
  const { maxConnections } = database ?? { maxConnections: 1 }
  const store = await openStore({ place: database?.url ?? dataFolder(dataDir).database, maxConnections, log })
  const damage = new DamageWatch({ check: store.check, log })
  store.onDamage((error) => damage.note(error))
  const looked = damage.lookFirst(FIRST_LOOK_MS)
  await migrate(store)
  return { store, damage, looked }
}
