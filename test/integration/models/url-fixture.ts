/** Local servers, names resolving to the servers, and a fetcher with access to some. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiError } from '../../../src/errors.ts'
import { createUrlFetcher, type FetchedResource, type UrlFetcherDeps } from '../../../src/url-fetch/url-fetcher.ts'
import type { SelfMadeCertificate } from './self-made-certificate.ts'

/** Generous limits for busy machines; a test of a limit sets a lower limit. */
const PATIENT = { connectMs: 20_000, headersMs: 20_000, idleMs: 20_000, totalMs: 20_000 }
const SILENT = { debug() {}, info() {}, warn() {}, error() {} } as unknown as UrlFetcherDeps['log']

type Fetched = FetchedResource & { content: Buffer }
export type FetcherOptions = Partial<Omit<UrlFetcherDeps, 'timeouts'>> & {
  timeouts?: Partial<UrlFetcherDeps['timeouts']>
}

export type UrlFixture = {
  /** The download target. */
  path: string
  serve(listener: RequestListener): Promise<number>
  serveTls(certificate: SelfMadeCertificate, listener: RequestListener): Promise<number>
  /** A server without HTTP. */
  serveTcp(onSocket: (socket: Socket) => void): Promise<number>
  /** Downloads with the given ports of 127.0.0.1 on the allowlist, and removes the file. */
  fetch(url: string, opened?: readonly number[], options?: FetcherOptions, signal?: AbortSignal): Promise<Fetched>
  /**
   * The failure of a download as `code: message`; throws on success. Asserts that no file is left.
   */
  fail(url: string, opened?: readonly number[], options?: FetcherOptions): Promise<string>
  close(): Promise<void>
}

export async function openUrlFixture(): Promise<UrlFixture> {
  const directory = await mkdtemp(join(tmpdir(), 'recollect-url-'))
  const path = join(directory, 'download')
  const servers: (Server | TcpServer)[] = []
  const sockets = new Set<Socket>()

  async function listen(server: Server | TcpServer): Promise<number> {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      // In most tests the client hangs up.
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }

  const fixture: UrlFixture = {
    path,
    serve: (listener) => listen(createServer(listener)),
    serveTls: (certificate, listener) => listen(createTlsServer(certificate, listener)),
    serveTcp: (onSocket) => listen(createTcpServer(onSocket)),
    async fetch(url, opened = [], options = {}, signal = new AbortController().signal) {
      const fetcher = createUrlFetcher({
        allowPrivate: opened.map((port) => ({ host: '127.0.0.1', port })),
        maxBytes: 1024 * 1024,
        maxRedirects: 5,
        log: SILENT,
        resolve: async () => ['127.0.0.1'],
        ...options,
        timeouts: { ...PATIENT, ...options.timeouts },
      })
      const resource = await fetcher.fetchToFile(url, path, signal)
      const content = await readFile(path)
      await rm(path)
      return { ...resource, content }
    },
    async fail(url, opened, options) {
      const outcome = await fixture.fetch(url, opened, options).then(
        () => 'it was fetched',
        (error: unknown) => (error instanceof ApiError ? `${error.code}: ${error.message}` : `thrown: ${error}`),
      )
      const left = await readdir(directory)
      return left.length === 0 ? outcome : `${outcome}, and left ${left}`
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
      await rm(directory, { recursive: true })
    },
  }
  return fixture
}
