import { randomBytes } from 'node:crypto'
import type { S3Place } from '../../files/s3-place.ts'
import { endpointOf } from '../s3-storage-options.ts'
import { startCachingProxy } from './caching-proxy.ts'
import { openDiskPages } from './disk-pages.ts'
import { createObjectPages, keyOfPage, PAGE_BYTES, type ReadRange } from './object-pages.ts'

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
