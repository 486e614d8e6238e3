import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as plainRequest,
  type ServerResponse,
} from 'node:http'
import { request as tlsRequest } from 'node:https'
import { pipeline } from 'node:stream/promises'
import type { S3Place } from '../files/s3-place.ts'
import { type DiskPages, openDiskPages } from './disk-pages.ts'
import { endpointOf } from './lance-settings.ts'

/**
 * A proxy on loopback between Lance and an S3 store that caches on disk what Lance reads. Lance
 * caches indexes and metadata in memory, but fetches vectors and texts again for every search.
 *
 * Dataset files are written once under unique names, so a cached page never becomes stale.
 * Manifests, which list the files of a version, and all writes pass through unchanged, signed by
 * Lance.
 */
/** A running proxy. */
export type CachingProxy = {
  /**
   * Includes the password that every request needs: any process on this machine can reach loopback.
   */
  url: string
  close(): Promise<void>
}

/** Options of {@link startCachingProxy}. */
export type CachingProxyOptions = {
  /** The real endpoint of the store, which receives the requests that Lance sends to `http:`. */
  endpoint: URL
  /**
   * Path prefix before the object key: the bucket, or `/` when the host name contains the bucket.
   */
  pathPrefix: string
  /** Reads an object of a dataset by its key, from disk if possible. */
  readRange: ReadRange
  password: string
}

/** Data, indexes and deletions; not manifests and transactions. */
const IMMUTABLE_FILE = /\.lance\/(?:data|_indices|_deletions)\//
const RANGE = /^bytes=(\d+)-(\d+)$/
/** Headers of the connection, never forwarded. */
const HOP_BY_HOP_HEADERS = ['proxy-authorization', 'proxy-connection', 'connection', 'keep-alive', 'transfer-encoding']

/** Starts the proxy. */
export async function startCachingProxy(options: CachingProxyOptions): Promise<CachingProxy> {
  const { endpoint, pathPrefix, readRange, password } = options
  const expected = `Basic ${Buffer.from(`lance:${password}`).toString('base64')}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '')
    if (request.headers['proxy-authorization'] !== expected) return void response.writeHead(407).end()
    if (url?.host !== endpoint.host) return void response.writeHead(403).end()
    const [, start, end] = RANGE.exec(request.headers.range ?? '') ?? []
    const isKept = request.method === 'GET' && end !== undefined && IMMUTABLE_FILE.test(url.pathname)
    if (!isKept || !url.pathname.startsWith(pathPrefix)) {
      return forward(request, response, new URL(url.pathname + url.search, endpoint))
    }
    const key = decodeURIComponent(url.pathname.slice(pathPrefix.length))
    const range = await readRange(key, Number(start), Number(end))
    if (range === null) return void response.writeHead(404).end()
    const { content, size, etag, modified } = range
    response.writeHead(206, {
      'content-length': content.length,
      'content-range': `bytes ${start}-${Number(start) + content.length - 1}/${size}`,
      'last-modified': modified,
      etag,
    })
    response.end(content)
  }

  const server = createServer((request, response) => {
    // To Lance this is a store that does not answer: Lance retries.
    answer(request, response).catch(() => (response.headersSent ? response.destroy() : response.writeHead(503).end()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://lance:${password}@127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function forward(request: IncomingMessage, response: ServerResponse, to: URL): Promise<void> {
  const send = to.protocol === 'https:' ? tlsRequest : plainRequest
  const upstream = send(to, {
    method: request.method,
    headers: endToEndHeaders(request.headers),
  })
  const answered = once(upstream, 'response') as Promise<[IncomingMessage]>
  response.once('close', () => upstream.destroy())
  const [[incoming]] = await Promise.all([answered, pipeline(request, upstream)])
  response.writeHead(incoming.statusCode ?? 502, endToEndHeaders(incoming.headers))
  await pipeline(incoming, response)
}

function endToEndHeaders(headers: IncomingMessage['headers']): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP_HEADERS.includes(name)))
}

/** Options of the page cache for one bucket. */
export type PageCacheOptions = {
  /** A directory that only the cache uses, emptied at the start. */
  directory: string
  maxBytes: number
  readRange: ReadRange
  listKeys(prefix: string): Promise<string[]>
}

/** A running page cache. */
export type PageCache = {
  proxyUrl: string
  /** Overwrites cached pages of objects with this prefix that have left the bucket. */
  evictDeleted(prefix: string): Promise<void>
  close(): Promise<void>
}

/** Pages not read for this time are evicted. */
const MAX_UNUSED_MS = 24 * 60 * 60_000
const SWEEP_PAUSE_MS = 60 * 60_000

/**
 * Opens a page cache for the datasets of a bucket, and the proxy through which Lance uses the
 * cache.
 */
export async function openPageCache(
  bucket: S3Place,
  { directory, maxBytes, readRange, listKeys }: PageCacheOptions,
): Promise<PageCache> {
  const pages = await openDiskPages({ directory, maxBytes, pageBytes: PAGE_BYTES })
  const proxy = await startCachingProxy({
    endpoint: endpointOf(bucket),
    pathPrefix: bucket.pathStyle ? `/${bucket.bucket}/` : '/',
    readRange: createObjectPages({ pages, readRange }),
    password: randomBytes(24).toString('hex'),
  })
  // A full or closing disk must not end the process: the next sweep or start evicts the pages.
  const sweep = setInterval(() => void pages.evictUnused(MAX_UNUSED_MS).catch(() => undefined), SWEEP_PAUSE_MS).unref()
  return {
    proxyUrl: proxy.url,
    async evictDeleted(prefix) {
      const there = new Set(await listKeys(prefix))
      await pages.evictMatching((name) => name.startsWith(prefix) && !there.has(keyOfPage(name)))
    },
    async close() {
      clearInterval(sweep)
      await proxy.close()
      await pages.close()
    },
  }
}

/** Facts about a whole object. `modified` is an HTTP date. */
type ObjectFacts = { size: number; etag: string; modified: string }

/**
 * Reads an object from `start` to `end` inclusive, or to its end if that comes first. `null` if the
 * object is missing. Rejects as the store does.
 */
export type ReadRange = (key: string, start: number, end: number) => Promise<(ObjectFacts & { content: Buffer }) | null>

/**
 * Size of the unit that is fetched and cached. Lance reads pieces of 4 kB to about 100 kB that lie
 * close together. With pages of 64 kB, the first search of 10,000 chunks read 20 MB instead of 28.
 * But the search sent 197 requests instead of 120, and the next twenty sent 20 each instead of 6.
 */
export const PAGE_BYTES = 256 * 1024
/**
 * Objects whose facts are cached, about 200 bytes each. Pages of any other object are fetched
 * again.
 */
const MAX_OBJECTS = 100_000

/** Reads immutable objects through the page cache on disk. */
export function createObjectPages({ pages, readRange }: { pages: DiskPages; readRange: ReadRange }): ReadRange {
  const facts = new Map<string, ObjectFacts>()
  const fetching = new Map<string, Promise<readonly Buffer[] | null>>()

  function note(key: string, { size, etag, modified }: ObjectFacts): void {
    facts.set(key, { size, etag, modified })
    const [oldest] = facts.keys()
    if (facts.size > MAX_OBJECTS && oldest !== undefined) facts.delete(oldest)
  }

  async function fetchRun(key: string, { first, last }: Run): Promise<readonly Buffer[] | null> {
    const range = await readRange(key, first * PAGE_BYTES, (last + 1) * PAGE_BYTES - 1)
    if (range === null) {
      facts.delete(key)
      return null
    }
    note(key, range)
    const fetched = split(range.content)
    await Promise.all(fetched.map((page, i) => pages.write(pageName(key, first + i), page)))
    return fetched
  }

  /** Concurrent requests for the same run share one fetch. */
  function fetchOnce(key: string, run: Run): Promise<readonly Buffer[] | null> {
    const name = `${pageName(key, run.first)}-${run.last}`
    const running = fetching.get(name) ?? fetchRun(key, run).finally(() => fetching.delete(name))
    fetching.set(name, running)
    return running
  }

  return async (key, start, end) => {
    const known = facts.get(key)
    const last = known === undefined ? end : Math.min(end, known.size - 1)
    const parts = splitByPage(start, last)
    const found = await Promise.all(
      parts.map(({ number, from, to }) => (known === undefined ? null : pages.read(pageName(key, number), from, to))),
    )
    const first = parts[0]?.number ?? 0
    for (const run of findMissingRuns(found)) {
      const fetched = await fetchOnce(key, { first: first + run.first, last: first + run.last })
      if (fetched === null) return null
      for (const [i, page] of fetched.entries()) {
        const { from, to } = parts[run.first + i] ?? { from: 0, to: 0 }
        found[run.first + i] = page.subarray(from, to)
      }
    }
    const now = facts.get(key)
    return now === undefined ? null : { ...now, content: Buffer.concat(found.filter((part) => part !== null)) }
  }
}

/** Parts of pages between two byte offsets of an object, `last` included. */
function splitByPage(start: number, last: number): { number: number; from: number; to: number }[] {
  const first = Math.floor(start / PAGE_BYTES)
  const count = Math.floor(last / PAGE_BYTES) - first + 1
  return Array.from({ length: Math.max(0, count) }, (_, i) => {
    const begin = (first + i) * PAGE_BYTES
    return { number: first + i, from: Math.max(0, start - begin), to: Math.min(PAGE_BYTES, last + 1 - begin) }
  })
}

type Run = { first: number; last: number }

/** Runs of missing pages, as positions in `found`. */
function findMissingRuns(found: readonly (Buffer | null)[]): Run[] {
  const runs: Run[] = []
  for (const [position, page] of found.entries()) {
    if (page !== null) continue
    const before = runs.at(-1)
    if (before?.last === position - 1) before.last = position
    else runs.push({ first: position, last: position })
  }
  return runs
}

function split(content: Buffer): Buffer[] {
  const pages: Buffer[] = []
  for (let start = 0; start < content.length; start += PAGE_BYTES)
    pages.push(content.subarray(start, start + PAGE_BYTES))
  return pages
}

function pageName(key: string, number: number): string {
  return `${key}#${number}`
}

/** The object key in the name of a page. */
function keyOfPage(name: string): string {
  return name.slice(0, name.lastIndexOf('#'))
}
