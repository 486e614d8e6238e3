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
import type { S3Place } from '../../files/s3-place.ts'
import { openDiskPages } from './disk-pages.ts'
import { createObjectPages, keyOfPage, PAGE_BYTES, type ReadRange } from './object-pages.ts'
import { endpointOf } from './s3-storage-options.ts'

/**
 * A proxy on loopback between Lance and an S3 store, which keeps on the disk what Lance reads: Lance itself keeps indexes and metadata
 * in memory, and fetches vectors and texts anew with every search. Files of a dataset are written once under names of their own, so what was read
 * stays true; manifests, which say what belongs to it, and everything that is written go through as they are, signed by Lance.
 */
/** A running proxy. */
export type CachingProxy = {
  /** With the password without which it answers nobody: everybody on this machine reaches loopback. */
  url: string
  close(): Promise<void>
}

/** What a proxy needs. */
export type CachingProxyOptions = {
  /** The store as it really answers: what Lance asks at `http:`, goes there. */
  endpoint: URL
  /** Where the keys begin in the path of a request: after the bucket, unless that stands in the host's name. */
  pathPrefix: string
  /** Reads a file of a dataset by its key, from the disk where it can. */
  readRange: ReadRange
  password: string
}

/** Data, indexes and deletions; not manifests and transactions. */
const NEVER_CHANGES = /\.lance\/(?:data|_indices|_deletions)\//
const RANGE = /^bytes=(\d+)-(\d+)$/
/** Of a connection, not of a request. */
const OF_CONNECTION = ['proxy-authorization', 'proxy-connection', 'connection', 'keep-alive', 'transfer-encoding']

/** Starts the proxy. */
export async function startCachingProxy(options: CachingProxyOptions): Promise<CachingProxy> {
  const { endpoint, pathPrefix, readRange, password } = options
  const expected = `Basic ${Buffer.from(`lance:${password}`).toString('base64')}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '')
    if (request.headers['proxy-authorization'] !== expected) return void response.writeHead(407).end()
    if (url?.host !== endpoint.host) return void response.writeHead(403).end()
    const [, start, end] = RANGE.exec(request.headers.range ?? '') ?? []
    const isKept = request.method === 'GET' && end !== undefined && NEVER_CHANGES.test(url.pathname)
    if (!isKept || !url.pathname.startsWith(pathPrefix)) return passOn(endpoint, url, request, response)
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
    // Lance takes it for what it is, a store that does not answer, and tries again.
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

async function passOn(endpoint: URL, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = endpoint.protocol === 'https:' ? tlsRequest : plainRequest
  const upstream = send(new URL(url.pathname + url.search, endpoint), {
    method: request.method,
    headers: ownHeaders(request.headers),
  })
  const answered = once(upstream, 'response') as Promise<[IncomingMessage]>
  response.once('close', () => upstream.destroy())
  const [[incoming]] = await Promise.all([answered, pipeline(request, upstream)])
  response.writeHead(incoming.statusCode ?? 502, ownHeaders(incoming.headers))
  await pipeline(incoming, response)
}

function ownHeaders(headers: IncomingMessage['headers']): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name)))
}

/** What is kept of a bucket on this machine. */
export type PageCacheOptions = {
  /** A folder of its own, emptied at the start. */
  directory: string
  maxBytes: number
  readRange: ReadRange
  listKeys(prefix: string): Promise<string[]>
}

/** A cache that works. */
export type PageCache = {
  proxyUrl: string
  /** Overwrites what is kept of objects with such keys that are not in the bucket any more. */
  forgetGone(prefix: string): Promise<void>
  close(): Promise<void>
}

/** What nobody reads any more makes room within so long. */
const UNUSED_MS = 24 * 60 * 60_000
const SWEEP_PAUSE_MS = 60 * 60_000

/** Opens a cache for the datasets in a bucket, and the proxy by which Lance uses it. */
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
  // What a disk refuses, or the end cuts short, is no reason to end the process: the next sweep or start takes it away.
  const sweep = setInterval(() => void pages.dropUnused(UNUSED_MS).catch(() => undefined), SWEEP_PAUSE_MS).unref()
  return {
    proxyUrl: proxy.url,
    async forgetGone(prefix) {
      const there = new Set(await listKeys(prefix))
      await pages.dropNamed((name) => name.startsWith(prefix) && !there.has(keyOfPage(name)))
    },
    async close() {
      clearInterval(sweep)
      await proxy.close()
      await pages.close()
    },
  }
}
