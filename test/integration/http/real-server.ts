import { readdir } from 'node:fs/promises'
import type { TestContext } from 'node:test'
import type { ServerOptions } from '../../../src/http/server.ts'
import { createDocumentsService } from '../../../src/services/documents/documents-service.ts'
import { createIngestService } from '../../../src/services/ingest/ingest-service.ts'
import { createSearchService } from '../../../src/services/search/search-service.ts'
import { createUrlFetcher, type UrlFetcherDeps } from '../../../src/url-fetch/url-fetcher.ts'
import { openIngestFixture } from '../services/ingest-fixture.ts'
import { startServer } from './running-server.ts'

/** Generous limits for busy machines; tests of a limit lower that limit. */
const PATIENT = { connectMs: 20_000, headersMs: 20_000, idleMs: 20_000, totalMs: 20_000 }

export type RealServerOptions = {
  /**
   * Changes to the fetcher, which otherwise may reach nothing here, and for which every name
   * resolves to 127.0.0.1.
   */
  fetcher?: Partial<Omit<UrlFetcherDeps, 'timeouts'>> & { timeouts?: Partial<UrlFetcherDeps['timeouts']> }
  server?: Partial<ServerOptions>
}

/**
 * A server that really adds, reads, lists and finds documents in one memory, without keys and
 * worker.
 */
export async function startRealServer(
  t: TestContext,
  { fetcher = {}, server: overrides = {} }: RealServerOptions = {},
) {
  const { parts, caller, memory, memories } = await openIngestFixture(t)
  const real = createUrlFetcher({
    allowPrivate: [],
    maxBytes: 1024 * 1024,
    maxRedirects: 5,
    log: parts.log,
    resolve: async () => ['127.0.0.1'],
    ...fetcher,
    timeouts: { ...PATIENT, ...fetcher.timeouts },
  })
  const server = await startServer(t, { anonymous: caller, ...overrides })
  Object.assign(server.services, {
    memories,
    ingest: createIngestService({ ...parts, fetcher: real }),
    documents: createDocumentsService(parts),
    search: createSearchService({ ...parts, rerank: true }),
  })
  const path = `/v1/memories/${memory.id}`
  return {
    ...server,
    /** The chunk storage below the services. */
    chunks: parts.memoryFile.byName,
    /** The path of the memory. */
    path,
    /** Responses of the server as JSON. */
    async read(below: string): Promise<Record<string, unknown>> {
      return (await (await server.send('GET', `${path}${below}`)).json()) as Record<string, unknown>
    },
    /** Temporary files of the server and of the service. */
    async temporaryFiles(): Promise<string[]> {
      const names = [...(await readdir(parts.temporaryDirectory)), ...(await server.uploads())]
      return names.filter((name) => /^(download|upload)-/.test(name))
    },
  }
}
