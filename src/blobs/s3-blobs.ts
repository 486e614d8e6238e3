/**
 * The object store in an S3 bucket. An object's key there is `<prefix>/objects/<key>`. S3 shows an object when it is whole, and at once to
 * everybody, so that nothing has to be written aside and moved.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { DeleteObjectsCommand, GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { requireKey, requirePrefix } from './blob-key.ts'
import type { Blobs } from './blobs.ts'
import { requireDiskRoom } from './disk-room.ts'
import { probeBlobs } from './probe-blobs.ts'
import { readThrough } from './read-through.ts'
import { createS3Clients, type S3Clients, type S3Place } from './s3-client.ts'
import { isAbsent, isRefusedCondition, toS3Error } from './s3-errors.ts'
import { abortOldUploads, type ListedObject, listObjects } from './s3-listing.ts'
import { uploadToS3 } from './s3-upload.ts'
import { standing } from './standing.ts'

/** A store in a bucket, with what only a bucket needs. */
export type S3Blobs = Blobs & {
  /** True where a write that is to make an object, and only to make it, is refused when it is there. Rejects as the store fails. */
  hasConditionalWrites(): Promise<boolean>
  /** One small question to the store; rejects with `service_unavailable` when it does not answer within 3 s. */
  ping(): Promise<void>
  /**
   * Bytes of any object of the bucket, by its whole key, from `start` to `end` inclusive or to its end; `null` when it is not there. `modified` is as HTTP
   * writes dates.
   */
  readRange(key: string, start: number, end: number): Promise<S3Range | null>
  /** Gives up uploads under the whole prefix, and what probes left, that are older than this. Returns how many. */
  sweepTemporary(olderThanMs: number): Promise<number>
  close(): void
}

/** A part of an object, and what the store says of the whole. */
export type S3Range = { content: Buffer; size: number; etag: string; modified: string }

/** The most that one request removes. */
const KEYS_A_REMOVAL = 1000
/** Balancers ask every few seconds, and each of ten nodes is asked: six requests a time are not to become a load. */
const PROBE_STANDS_MS = 5000
const PING_TIMEOUT_MS = 3000

/** `root` is the key's beginning of all that is ours, `''` or with a slash at its end. */
type Bucket = S3Place & S3Clients & { root: string }

/** Opens the store in a bucket; `directory` is where uploads lie before they come. Sends nothing. */
export function createS3Blobs({ place, directory }: { place: S3Place; directory: string }): S3Blobs {
  const root = place.prefix === '' ? '' : `${place.prefix}/`
  const bucket: Bucket = { ...place, ...createS3Clients(place), root }
  const translated = async <Value>(act: () => Promise<Value>): Promise<Value> => {
    try {
      return await act()
    } catch (error) {
      throw toS3Error(error, place.bucket)
    }
  }
  const blobs: S3Blobs = {
    put: (key, content) => translated(() => put(bucket, requireKey(key), content)),
    putFile: (key, path) => translated(() => putFile(bucket, requireKey(key), path)),
    get: (key, range) => translated(() => get(bucket, requireKey(key), range)),
    size: (key) => translated(() => size(bucket, requireKey(key))),
    list: (prefix) => translated(() => list(bucket, requirePrefix(prefix))),
    removeAll: (prefix) => translated(() => removeAll(bucket, requirePrefix(prefix))),
    requireRoom: () => requireDiskRoom(directory, 0),
    probe: standing(() => probeBlobs(blobs), PROBE_STANDS_MS),
    hasConditionalWrites: () => translated(() => hasConditionalWrites(bucket)),
    ping: () => translated(() => ping(bucket)),
    readRange: (key, start, end) => translated(() => readRange(bucket, key, `bytes=${start}-${end}`)),
    sweepTemporary: (olderThanMs) => translated(() => sweepTemporary(bucket, new Date(Date.now() - olderThanMs))),
    close() {
      bucket.requests.destroy()
      bucket.uploads.destroy()
    },
  }
  return blobs
}

/** Where an object stands in the bucket. */
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
    return Body === undefined ? null : readThrough(Body as Readable)
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

async function readRange({ requests, bucket }: Bucket, key: string, range: string): Promise<S3Range | null> {
  try {
    const answer = await requests.send(new GetObjectCommand({ Bucket: bucket, Key: key, Range: range }))
    const content = await buffer(readThrough(answer.Body as Readable))
    const size = Number(answer.ContentRange?.split('/')[1] ?? content.length)
    const { ETag: etag = '', LastModified = new Date() } = answer
    return { content, size, etag, modified: LastModified.toUTCString() }
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

async function list(bucket: Bucket, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const page of pages(bucket, prefix)) keys.push(...page.map(({ key }) => key))
  const ours = at(bucket, '').Key.length
  return keys.map((key) => key.slice(ours)).sort()
}

function pages(bucket: Bucket, prefix: string): AsyncIterable<readonly ListedObject[]> {
  const { Bucket, Key } = at(bucket, prefix)
  return listObjects(bucket.requests, { Bucket, Prefix: Key })
}

async function removeAll(bucket: Bucket, prefix: string): Promise<void> {
  for await (const page of pages(bucket, prefix)) {
    await removeKeys(
      bucket,
      page.map(({ key }) => key),
    )
  }
}

async function removeKeys({ requests, bucket }: Bucket, keys: readonly string[]): Promise<void> {
  for (let start = 0; start < keys.length; start += KEYS_A_REMOVAL) {
    const Objects = keys.slice(start, start + KEYS_A_REMOVAL).map((Key) => ({ Key }))
    const { Errors = [] } = await requests.send(
      new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
    )
    const [refused] = Errors
    if (refused !== undefined) throw Object.assign(new Error(refused.Message), { name: refused.Code, $metadata: {} })
  }
}

async function hasConditionalWrites(bucket: Bucket): Promise<boolean> {
  const key = `probe/${randomUUID()}`
  await put(bucket, key, Buffer.from(key))
  try {
    await bucket.requests.send(new PutObjectCommand({ ...at(bucket, key), Body: 'again', IfNoneMatch: '*' }))
    return false
  } catch (error) {
    if (isRefusedCondition(error)) return true
    if (isUnknownCondition(error)) return false
    throw error
  } finally {
    await removeAll(bucket, key)
  }
}

/** A store that does not know the header says so, or takes it for a fault of the request. */
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
  for await (const page of pages(bucket, 'probe/')) {
    const old = page.filter(({ modified }) => modified < before).map(({ key }) => key)
    if (old.length > 0) await removeKeys(bucket, old)
    swept += old.length
  }
  return swept
}
