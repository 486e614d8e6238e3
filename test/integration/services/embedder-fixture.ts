import { after, beforeEach, type TestContext } from 'node:test'
import { createWorker } from '../../../src/jobs/worker.ts'
import { createEmbedders } from '../../../src/models/embedders.ts'
import { createEndpointEmbedder } from '../../../src/models/endpoints/endpoint-embedder.ts'
import { createCorrectionsService } from '../../../src/services/corrections/corrections-service.ts'
import type { IngestOptions } from '../../../src/services/ingest/ingest.ts'
import type { IngestDeps } from '../../../src/services/ingest/ingest-deps.ts'
import { createIngestService } from '../../../src/services/ingest/ingest-service.ts'
import { createIngestionJob } from '../../../src/services/ingest/job/ingestion-job.ts'
import { INGESTION_JOB, REEMBEDDING_JOB } from '../../../src/services/jobs/job-handler.ts'
import { createJobsService } from '../../../src/services/jobs/jobs-service.ts'
import { createReembedService } from '../../../src/services/memories/reembed-service.ts'
import { createReembeddingJob } from '../../../src/services/memories/reembedding-job.ts'
import type { FindRequest } from '../../../src/services/search/search.ts'
import { createSearchService } from '../../../src/services/search/search-service.ts'
import { startModelServer } from '../../support/model-server/model-server.ts'
import { OPTIONS, openIngestFixture, textDocument } from './ingest-fixture.ts'

/** Nothing answers there: the port is reserved for discarding. */
const DEAD_URL = 'http://127.0.0.1:9/v1'

/** An endpoint of models for the tests of a file, as new before each. */
export async function useModelServer() {
  const server = await startModelServer()
  after(() => server.close())
  beforeEach(() => {
    server.requests.length = 0
    server.script()
    server.setDimensions(16)
  })
  return server
}

/** A fixture for several embedders, as after starts with different settings. */
export async function openEmbedderFixture(t: TestContext) {
  const fixture = await openIngestFixture(t)
  const { parts, caller, memories } = fixture
  const { signal } = new AbortController()

  /**
   * The embedders of a start: the embedded one, and `model` at an endpoint as the default; `null`
   * for the embedded one alone.
   */
  function embeddersOf(model: string | null, baseUrl = DEAD_URL) {
    if (model === null) return createEmbedders(parts.embedder)
    const endpoint = { baseUrl, apiKey: null }
    const embedder = createEndpointEmbedder({ model, endpoint, log: parts.log, pauseMs: 1 })
    return createEmbedders(parts.embedder, { setting: `openai:${model}`, embedder })
  }

  /** The services of such a start. */
  function start(embedders: IngestDeps['embedders'], given: Partial<IngestDeps> = {}) {
    const own = { ...parts, ...given, embedders }
    const ingest = createIngestService(own)
    const search = createSearchService({ ...own, rerank: true })
    const corrections = createCorrectionsService(own)
    const { db, changes, log, now } = own
    const handlers = { [INGESTION_JOB]: createIngestionJob(own), [REEMBEDDING_JOB]: createReembeddingJob(own) }
    const reembed = createReembedService(own)
    const jobs = createJobsService({ ...own, handlers, pollMs: 5 })
    return {
      add(memoryId: string, texts: readonly string[], options: Partial<IngestOptions> = {}) {
        const documents = texts.map((text) => textDocument(text))
        return ingest.addTexts(caller, memoryId, { documents, options: { ...OPTIONS, ...options }, work: { signal } })
      },
      correct: (memoryId: string, statement: string) =>
        corrections.add(caller, memoryId, { corrections: [{ statement, topics: [], boost: 2 }], signal }),
      find: async (memoryId: string, query: string, mode: FindRequest['mode'] = 'hybrid') =>
        search.find(await search.open(caller, memoryId), {
          query,
          limit: 10,
          mode,
          highlight: false,
        }),
      reembed: (memoryId: string, model: string) => reembed.begin(caller, memoryId, { embeddingModel: model }),
      endOf: (jobId: string) => jobs.wait(caller, jobId, { waitMs: 60_000, signal }),
      jobs,
      worker: () => createWorker({ db, handlers, changes, log, now, isOnly: true, pollMs: 5, pauseMs: () => 0 }),
    }
  }

  async function makeMemory() {
    const { id } = await memories.create(caller, { name: 'm', description: null, projectId: null, projectName: null })
    return id
  }
  const modelOf = async (memoryId: string) => (await memories.get(caller, memoryId)).embeddingModel
  return { ...fixture, embeddersOf, start, makeMemory, modelOf }
}
