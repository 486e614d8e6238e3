import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { mapConcurrent } from '../concurrency/map-concurrent.ts'
import { memoizeSuccess } from '../concurrency/wait.ts'
import { ApiError } from '../errors.ts'
import type { S3Place } from '../files/s3-place.ts'
import { type Blobs, requireKey, requireListedPrefix, requirePrefix } from './blobs.ts'
import { requireDiskRoom } from './disk-space.ts'
import { probeBlobs } from './probe-blobs.ts'
import { createS3Clients, type S3Clients, withIdleTimeout } from './s3-client.ts'
import { isAbsent, isRefusedCondition, toS3Error } from './s3-errors.ts'
import { abortOldUploads, deleteKeys, listObjects } from './s3-listing.ts'
import { encryptionOf, uploadToS3 } from './s3-upload.ts'

/**
 * Object store in an S3 bucket, with keys `<prefix>/objects/<key>`. S3 shows only complete objects,
 * so temporary files are not needed.
 *
 * An object store in a bucket, with operations that only a bucket needs.
 */
export type S3Blobs = Blobs & {
  /**
   * True if the store rejects a conditional write to an existing object. Rejects with the store's
   * errors.
   */
  hasConditionalWrites(): Promise<boolean>
  /** Sends a small request; rejects with `service_unavailable` without an answer within 3 s. */
  ping(): Promise<void>
  /** Objects of the bucket by full key. Errors are mapped as for all operations. */
  files: S3Files
  /**
   * Deletes old multipart uploads, probes and drafts of memory files under the prefix. Returns the
   * number.
   */
  sweepTemporary(olderThanMs: number): Promise<number>
  close(): void
}

/**
 * Load balancers probe every few seconds, on each of ten nodes. Caching avoids six requests per
 * probe.
 */
const PROBE_CACHE_MS = 5000
const PING_TIMEOUT_MS = 3000
/**
 * Concurrent listings per deletion: a store takes about 20 ms per prefix, and most prefixes are
 * empty.
 */
const MAX_CONCURRENT_PREFIXES = 4

/**
 * AWS (RequestTimeTooSkewed) and Ceph reject signatures with a larger clock skew. The SDK corrects
 * the skew, Lance does not.
 */
const MAX_CLOCK_SKEW_MS = 15 * 60_000

/** Prefixes where a crash may leave orphaned objects. */
const TEMPORARY_PREFIXES = ['objects/probe/', 'memories/draft_']

/** `root` is the prefix of all keys: `''`, or ending with a slash. */
type Bucket = S3Place & S3Clients & { root: string; files: S3Files }

/** Dependencies of the store; `directory` is the folder of uploads before they are sent. */
type S3BlobsDeps = { place: S3Place; directory: string; now?: () => Date }

/** Opens the store in a bucket. Sends nothing. */
export function createS3Blobs({ place, directory, now = () => new Date() }: S3BlobsDeps): S3Blobs {
  const root = place.prefix === '' ? '' : `${place.prefix}/`
  const clients = createS3Clients(place)
  const files = createS3Files({ ...place, ...clients })
  const bucket: Bucket = { ...place, ...clients, root, files }
  const withS3Errors = async <Value>(act: () => Promise<Value>): Promise<Value> => {
    try {
      return await act()
    } catch (error) {
      throw toS3Error(error, place.bucket)
    }
  }
  const blobs: S3Blobs = {
    put: (key, content) => withS3Errors(() => put(bucket, requireKey(key), content)),
    putFile: (key, path) => withS3Errors(() => putFile(bucket, requireKey(key), path)),
    get: (key, range) => withS3Errors(() => get(bucket, requireKey(key), range)),
    size: (key) => withS3Errors(() => size(bucket, requireKey(key))),
    list: (prefix) => withS3Errors(() => list(bucket, requirePrefix(prefix))),
    measure: (prefix) => withS3Errors(() => measure(bucket, requireListedPrefix(prefix))),
    purge: (...prefixes) => withS3Errors(() => purge(bucket, prefixes.map(requirePrefix))),
    requireRoom: () => requireDiskRoom(directory, 0),
    isShortOfRoom: async () => false,
    releaseBallast: async () => {},
    probe: memoizeSuccess(() => probe(blobs, bucket), PROBE_CACHE_MS),
    hasConditionalWrites: () => withS3Errors(() => hasConditionalWrites(bucket)),
    ping: () => withS3Errors(() => ping(bucket)),
    files: {
      readRange: (key, start, end) => withS3Errors(() => files.readRange(key, start, end)),
      listKeys: (prefix) => withS3Errors(() => files.listKeys(prefix)),
      putNew: (key, content) => withS3Errors(() => files.putNew(key, content)),
      purge: (prefix) => withS3Errors(() => files.purge(prefix)),
    },
    sweepTemporary: (olderThanMs) =>
      withS3Errors(() => sweepTemporary(bucket, new Date(now().getTime() - olderThanMs))),
    close() {
      bucket.requests.destroy()
      bucket.uploads.destroy()
    },
  }
  return blobs
}

/** Address of an object in the bucket. */
function at({ bucket, root }: Bucket, key: string): { Bucket: string; Key: string } {
  return { Bucket: bucket, Key: `${root}objects/${key}` }
}

async function put(bucket: Bucket, key: string, content: Buffer | Readable): Promise<{ bytes: number }> {
  const target = { client: bucket.uploads, bucket: bucket.bucket, encryption: bucket.encryption }
  return { bytes: await uploadToS3({ ...target, key: at(bucket, key).Key }, content) }
}

async function putFile(bucket: Bucket, key: string, path: string): Promise<{ bytes: number }> {
  const stored = await put(bucket, key, createReadStream(path))
  await rm(path, { force: true })
  return stored
}

async function get(bucket: Bucket, key: string, range?: { start: number; end: number }): Promise<Readable | null> {
  const Range = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }
  try {
    const { Body } = await bucket.requests.send(new GetObjectCommand({ ...at(bucket, key), ...Range }))
    return Body === undefined ? null : withIdleTimeout(Body as Readable)
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

async function size(bucket: Bucket, key: string): Promise<number | null> {
  try {
    const { ContentLength } = await bucket.requests.send(new HeadObjectCommand(at(bucket, key)))
    return ContentLength ?? 0
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

async function list({ files, root }: Bucket, prefix: string): Promise<string[]> {
  const keys = await files.listKeys(`${root}objects/${prefix}`)
  return keys.map((key) => key.slice(`${root}objects/`.length)).sort()
}

async function measure({ requests, bucket, root }: Bucket, prefix: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  const ours = `${root}objects/`
  for await (const page of listObjects(requests, { Bucket: bucket, Prefix: ours + prefix }))
    for (const { key, bytes } of page) sizes.set(key.slice(ours.length), bytes)
  return sizes
}

async function purge({ files, root }: Bucket, prefixes: readonly string[]): Promise<void> {
  await mapConcurrent(prefixes, MAX_CONCURRENT_PREFIXES, (prefix) => files.purge(`${root}objects/${prefix}`))
}

async function probe(blobs: S3Blobs, bucket: Bucket): Promise<void> {
  await probeBlobs(blobs)
  // The SDK learns the store's clock from its responses and signs with the corrected time.
  const offMs = Math.abs(bucket.requests.config.systemClockOffset)
  if (offMs <= MAX_CLOCK_SKEW_MS) return
  throw new ApiError('service_unavailable', {
    message:
      `The clock of this machine differs from the object store's by ${Math.round(offMs / 60_000)} minutes, ` +
      'so the store rejects memory files.',
  })
}

async function hasConditionalWrites(bucket: Bucket): Promise<boolean> {
  const key = `probe/${randomUUID()}`
  await put(bucket, key, Buffer.from(key))
  try {
    return !(await bucket.files.putNew(at(bucket, key).Key, Buffer.from('again')))
  } catch (error) {
    if (isUnknownCondition(error)) return false
    throw error
  } finally {
    await purge(bucket, [key])
  }
}

/** Stores without support report the header as unknown or the request as invalid. */
function isUnknownCondition(error: unknown): boolean {
  return error instanceof Error && /^(NotImplemented|InvalidArgument|InvalidRequest)$/.test(error.name)
}

async function ping(bucket: Bucket): Promise<void> {
  try {
    const command = new HeadObjectCommand(at(bucket, 'probe/ping'))
    await bucket.requests.send(command, { abortSignal: AbortSignal.timeout(PING_TIMEOUT_MS) })
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
}

async function sweepTemporary(bucket: Bucket, before: Date): Promise<number> {
  const Bucket = bucket.bucket
  let swept = await abortOldUploads(bucket.requests, { Bucket, Prefix: bucket.root }, before)
  for (const Prefix of TEMPORARY_PREFIXES.map((path) => bucket.root + path)) {
    for await (const page of listObjects(bucket.requests, { Bucket, Prefix })) {
      const old = page.filter(({ modified }) => modified < before).map(({ key }) => key)
      await deleteKeys({ client: bucket.requests, Bucket }, old)
      swept += old.length
    }
  }
  return swept
}

/** A part of an object with metadata of the whole; `modified` is an HTTP date. */
type S3Range = { content: Buffer; size: number; etag: string; modified: string }

/** Objects of the bucket by full key. Rejects with the store's own errors. */
export type S3Files = {
  /**
   * Returns the bytes from `start` to `end` inclusive, or to the end of the object; `null` if
   * absent.
   */
  readRange(key: string, start: number, end: number): Promise<S3Range | null>
  listKeys(prefix: string): Promise<string[]>
  /** Creates an object; returns false and changes nothing if the object exists. */
  putNew(key: string, content: Buffer): Promise<boolean>
  purge(prefix: string): Promise<void>
}

/** The objects of a bucket. */
export function createS3Files({ bucket: Bucket, encryption, requests, uploads }: S3Place & S3Clients): S3Files {
  return {
    async readRange(key, start, end) {
      try {
        const answer = await requests.send(new GetObjectCommand({ Bucket, Key: key, Range: `bytes=${start}-${end}` }))
        const content = await buffer(withIdleTimeout(answer.Body as Readable))
        const size = Number(answer.ContentRange?.split('/')[1] ?? content.length)
        const { ETag: etag = '', LastModified = new Date() } = answer
        return { content, size, etag, modified: LastModified.toUTCString() }
      } catch (error) {
        if (isAbsent(error)) return null
        throw error
      }
    },
    async listKeys(prefix) {
      const keys: string[] = []
      for await (const page of listObjects(requests, { Bucket, Prefix: prefix }))
        keys.push(...page.map(({ key }) => key))
      return keys
    },
    async putNew(key, content) {
      const object = { Bucket, Key: key, Body: content, ...encryptionOf(encryption) }
      try {
        await uploads.send(new PutObjectCommand({ ...object, IfNoneMatch: '*' }))
        return true
      } catch (error) {
        if (isRefusedCondition(error)) return false
        throw error
      }
    },
    async purge(prefix) {
      for await (const page of listObjects(requests, { Bucket, Prefix: prefix })) {
        await deleteKeys(
          { client: requests, Bucket },
          page.map(({ key }) => key),
        )
      }
    },
  }
}
