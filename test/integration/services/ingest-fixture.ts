import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { DOCUMENT_DEFAULTS, type TextDocument } from '../../../src/api/ingest.ts'
import { createEventLoopYielder } from '../../../src/concurrency/event-loop-yield.ts'
import { recordHeartbeat } from '../../../src/database/process-tables.ts'
import { createAnalyzer } from '../../../src/engine/analysis/analyzer.ts'
import { ApiError } from '../../../src/errors.ts'
import type { PlanId } from '../../../src/limits.ts'
import { createLanceMemoryFile } from '../../../src/memory-file/lance-memory-file.ts'
import type { MemoryFile } from '../../../src/memory-file/memory-file.ts'
import type { Embedder } from '../../../src/models/embedder.ts'
import { createEmbedders } from '../../../src/models/embedders.ts'
import { createStaticEmbedder } from '../../../src/models/local/static-model.ts'
import { createDiskBlobs } from '../../../src/objects/disk-blobs.ts'
import { createParserPool, type ParserPoolOptions } from '../../../src/parsers/child/parser-pool.ts'
import { NO_SANDBOX } from '../../../src/parsers/sandbox/sandbox-monitor.ts'
import { createDeletionOutbox } from '../../../src/services/deletion/deletion-outbox.ts'
import { detectHere } from '../../../src/services/ingest/indexing/language-detector.ts'
import type { IngestOptions } from '../../../src/services/ingest/ingest.ts'
import type { IngestDeps } from '../../../src/services/ingest/ingest-deps.ts'
import { createIngestService } from '../../../src/services/ingest/ingest-service.ts'
import { createJobChanges } from '../../../src/services/jobs/job-changes.ts'
import { createJobRuns } from '../../../src/services/jobs/job-runs.ts'
import { createMemoriesService } from '../../../src/services/memories/memories-service.ts'
import { createMemoryFiles, type MemoryFiles } from '../../../src/services/memory-files.ts'
import { createDocumentReader } from '../../../src/services/reading/document-reader.ts'
import type { FindRequest } from '../../../src/services/search/search.ts'
import { createSearchService } from '../../../src/services/search/search-service.ts'
import { openFixture, silent } from './fixtures.ts'

export const OPTIONS: IngestOptions = {
  async: false,
  deduplicate: false,
  enableOcr: true,
  ocrMaxPages: 50,
  storeSource: false,
  embeddingModel: null,
}

/** No downloads here; other tests cover URLs. */
const NO_FETCHER: IngestDeps['fetcher'] = {
  requireUrl: (text) => new URL(text),
  fetchToFile: () => Promise.reject(new ApiError('url_fetch_failed')),
}

export function textDocument(text: string, facts: Partial<TextDocument> = {}): TextDocument {
  return { ...DOCUMENT_DEFAULTS, title: 'a document', text, ...facts }
}

/** The memory files with some methods replaced. */
export function withOwn(memoryFile: MemoryFiles, own: Partial<MemoryFile>): MemoryFiles {
  return {
    ...memoryFile,
    ...own,
    byName: { ...memoryFile.byName, ...own },
    named: (name) => ({ ...memoryFile.named(name), ...own }),
  }
}

/**
 * A real database, objects, memory files and embedder in a temporary folder, with one empty memory.
 */
export async function openIngestFixture(
  t: TestContext,
  plan: PlanId = 'unlimited',
  tasksModule = new URL('../../../src/compose/child-tasks.ts', import.meta.url),
  pool: Partial<ParserPoolOptions> = {},
) {
  const fixture = await openFixture(t, plan)
  const folder = await mkdtemp(join(tmpdir(), 'recollect-ingest-'))
  const { db, now, caller } = fixture
  await recordHeartbeat(db, { id: 'test', now: now() })
  const embedder = await createStaticEmbedder({ directory: join(import.meta.dirname, '../../../embedder') })
  const blobs = await createDiskBlobs({ directory: join(folder, 'objects') })
  const files = await createLanceMemoryFile({ directory: folder, log: silent })
  const memoryFile = createMemoryFiles({ db, files })
  const changes = createJobChanges()
  const removals = createDeletionOutbox({ db, blobs, memoryFile, log: silent, now })
  const analyzer = createAnalyzer()
  // The children of some tests record their work on disk.
  const openPool = () =>
    createParserPool({
      size: 2,
      tasksModule: tasksModule.href,
      temporaryDirectory: folder,
      log: silent,
      sandbox: NO_SANDBOX,
      ...pool,
    })
  const pools = { parsing: openPool(), recognition: openPool(), drawing: openPool() }
  const reader = createDocumentReader({ ...pools, pagesAtOnce: 2, languages: ['eng'], vision: null })
  t.after(async () => {
    await reader.close()
    await files.close()
    // A removal after an answer may still run.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  })
  const parts: IngestDeps & { embedder: Embedder } = {
    db,
    blobs,
    memoryFile,
    embedder,
    embedders: createEmbedders(embedder),
    analyzer,
    detectLanguage: detectHere,
    reader,
    fetcher: NO_FETCHER,
    removals,
    changes,
    runs: createJobRuns({ db, owner: 'test' }),
    usage: { record() {} },
    log: silent,
    now,
    owner: 'test',
    temporaryDirectory: folder,
    pendingDiscards: new Map(),
    yieldToEventLoop: createEventLoopYielder(8),
  }
  const memories = createMemoriesService({ db, removals, changes, now })
  const memory = await memories.create(caller, { name: 'm', description: null, projectId: null, projectName: null })
  const search = createSearchService({ ...parts, rerank: true })
  const ingest = createIngestService(parts)
  const add = (
    given: Partial<IngestDeps>,
    documents: readonly TextDocument[],
    options: Partial<IngestOptions> = {},
  ) => {
    const { signal } = new AbortController()
    // One shared service, as in one process, unless dependencies are replaced.
    const service = Object.keys(given).length === 0 ? ingest : createIngestService({ ...parts, ...given })
    return service.addTexts(caller, memory.id, { documents, options: { ...OPTIONS, ...options }, work: { signal } })
  }
  const find = async (query: string, facts: Partial<FindRequest> = {}) => {
    return search.find(await search.open(caller, memory.id), {
      query,
      limit: 10,
      mode: 'auto',
      highlight: false,
      ...facts,
    })
  }
  return { ...fixture, parts, files, reader, memories, memory, add, find }
}
