import { randomUUID } from 'node:crypto'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Connection, ConnectionOptions, Table } from '@lancedb/lancedb'
import type { Schema } from 'apache-arrow'
import { withLivenessProbe } from '../concurrency/wait.ts'
import { readFreeBytes } from '../files/read-free-bytes.ts'
import type { S3Place } from '../files/s3-place.ts'
import type { PageCache, PageCacheOptions, ReadRange } from './caching-proxy.ts'
import { s3StorageOptions } from './lance-settings.ts'
import { openVersionFolder, openVersionObjects, type VersionFiles } from './version-files.ts'

/** Memory files in a bucket. */
export type BucketOptions = {
  bucket: S3Place
  /** Rejects when the store does not answer. */
  ping: () => Promise<void>
  files: BucketFiles
  /** Directory and size of the page cache on this machine's disk; no cache if absent. */
  cache?: { directory: string; maxBytes: number }
}

/** Location of memory files, and the behaviour that depends on the location. */
export type DatasetPlace = {
  /** The URI that LanceDB connects to. */
  uri: string
  connection: Pick<Partial<ConnectionOptions>, 'storageOptions' | 'readConsistencyInterval'>
  /** Directory of the datasets on this machine's disk; `null` for a bucket. */
  folder: string | null
  versions: VersionFiles
  /**
   * True if there is a memory file of this name. In a bucket, true also for a file that existed
   * earlier.
   */
  exists(name: string): Promise<boolean>
  /** Bytes that can still be written; infinite in a bucket. */
  freeBytes(): Promise<number>
  /** Sizes of Lance's caches, in bytes. */
  caches: { index: bigint; metadata: bigint }
  /**
   * Creates an empty table. In a bucket, opens the table if another process created it first. On
   * disk, one process owns the directory and serialises its writes.
   */
  createEmpty(connection: Connection, name: string, schema: Schema): Promise<Table>
  /** Awaits `work`; rejects early when the store has become unreachable. */
  guard<Value>(work: Promise<Value>): Promise<Value>
  /** Evicts cached pages of a memory's files that have left the bucket. */
  evictDeleted(memoryId: string): Promise<void>
  close(): Promise<void>
}

const MEGABYTE = 1024n * 1024n
/**
 * Lance's defaults are 6 GB and 1 GB, but an idle service on disk must stay below 300 MB. The
 * caches only fill by searches. The indexes of a million chunks take 280 MB: with less, a search
 * takes three times the processor time.
 */
const DISK_CACHES = { index: 384n * MEGABYTE, metadata: 32n * MEGABYTE }
/** A cache miss is a network request. */
const BUCKET_CACHES = { index: 512n * MEGABYTE, metadata: 128n * MEGABYTE }

/** Datasets below a data folder. Creates the folder. */
export async function openDiskPlace(directory: string): Promise<DatasetPlace> {
  const folder = join(directory, 'memories')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return {
    uri: folder,
    // One process owns the folder, and its handles know all writes (`open-tables.ts`). Looking up
    // the newest version lists all versions, thousands after as many single adds. With 3,000
    // versions an add took 28 ms instead of 19.
    connection: {},
    folder,
    versions: openVersionFolder(folder),
    exists: (name) => stat(join(folder, `${name}.lance`)).then(() => true, falseIfMissing),
    freeBytes: () => readFreeBytes(folder),
    caches: DISK_CACHES,
    createEmpty: (connection, name, schema) => connection.createEmptyTable(name, schema),
    guard: (work) => work,
    evictDeleted: async () => undefined,
    close: async () => undefined,
  }
}

/** Datasets in a bucket, below `memories/` of its prefix. */
export async function openBucketPlace({ bucket, ping, files, cache }: BucketOptions): Promise<DatasetPlace> {
  const opened = cache === undefined ? null : await openCache(bucket, { ...cache, ...files })
  const root = bucket.prefix === '' ? 'memories' : `${bucket.prefix}/memories`
  const versions = openVersionObjects(files, root)
  return {
    uri: `s3://${bucket.bucket}/${root}`,
    // Interval 0 reads the newest version at each use. Without it, another node misses acknowledged
    // chunks.
    connection: { storageOptions: s3StorageOptions(bucket, opened?.proxyUrl), readConsistencyInterval: 0 },
    folder: null,
    versions,
    exists: createExistenceCheck(versions),
    freeBytes: async () => Infinity,
    caches: BUCKET_CACHES,
    createEmpty: (connection, name, schema) => createAtomically({ connection, files, root }, name, schema),
    guard: (work) => withLivenessProbe(work, ping),
    evictDeleted: async (memoryId) => opened?.evictDeleted(`${root}/${memoryId}`),
    close: async () => opened?.close(),
  }
}

/**
 * Loads the cache only when configured: `node:http` and `node:https` load all modules of Node's
 * `fetch`.
 */
async function openCache(bucket: S3Place, options: PageCacheOptions): Promise<PageCache> {
  const { openPageCache } = await import('./caching-proxy.ts')
  return openPageCache(bucket, options)
}

/** Only a missing file is an answer; any other error is a disk failure. */
function falseIfMissing(error: NodeJS.ErrnoException): false {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false
  throw error
}

/** Caches existence, since each lookup is a request. */
function createExistenceCheck(versions: VersionFiles): DatasetPlace['exists'] {
  const seen = new Set<string>()
  return async (name) => {
    if (!seen.has(name) && (await versions.list(name)).length > 0) seen.add(name)
    return seen.has(name)
  }
}

/** Access to the objects of the bucket by full key. */
export type BucketFiles = {
  readRange: ReadRange
  listKeys(prefix: string): Promise<string[]>
  /** Returns false, and changes nothing, if the object exists. */
  putNew(key: string, content: Buffer): Promise<boolean>
  purge(prefix: string): Promise<void>
}

const DRAFT_MANIFEST = /\/_versions\/\d+\.manifest$/
/** An empty table consists of two small files. */
const MAX_DRAFT_BYTES = 1024 * 1024

/**
 * Creates an empty table in a bucket, or opens the table that another node created first.
 *
 * When two nodes let Lance create one table at the same time, the later one overwrites the earlier
 * one with all its rows. Of 60 memories started by two nodes, 3 lost acknowledged documents. So
 * this function creates a draft under a unique name, then copies the draft's manifest to the real
 * name if no manifest exists there.
 */
async function createAtomically(
  { connection, files, root }: { connection: Connection; files: BucketFiles; root: string },
  name: string,
  schema: Schema,
): Promise<Table> {
  const draft = `draft_${randomUUID()}`
  const from = `${root}/${draft}.lance/`
  try {
    const made = await connection.createEmptyTable(draft, schema)
    made.close()
    const keys = await files.listKeys(from)
    const manifestLast = keys.sort((a, b) => Number(DRAFT_MANIFEST.test(a)) - Number(DRAFT_MANIFEST.test(b)))
    for (const key of manifestLast) await copyNew(files, key, `${root}/${name}.lance/${key.slice(from.length)}`)
  } finally {
    await files.purge(from)
  }
  return connection.openTable(name)
}

async function copyNew({ readRange, putNew }: BucketFiles, from: string, to: string): Promise<void> {
  const file = await readRange(from, 0, MAX_DRAFT_BYTES - 1)
  if (file !== null) await putNew(to, file.content)
}
