import { randomUUID } from 'node:crypto'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Connection, ConnectionOptions, Table } from '@lancedb/lancedb'
import type { Schema } from 'apache-arrow'
import { withLivenessProbe } from '../concurrency/wait.ts'
import { readFreeBytes } from '../files/read-free-bytes.ts'
import type { S3Place } from '../files/s3-place.ts'
import type { PageCache, PageCacheOptions } from './bucket/caching-proxy.ts'
import type { ReadRange } from './bucket/object-pages.ts'
import { s3StorageOptions } from './bucket/s3-storage-options.ts'
import { openVersionFolder, openVersionObjects, type VersionFiles } from './version-files.ts'

/** Memory files in a bucket. */
export type BucketOptions = {
  bucket: S3Place
  /** Rejects when the store does not answer. */
  ping: () => Promise<void>
  files: BucketFiles
  /** Where and how much of what was read is kept on this machine's disk; nothing where absent. */
  cache?: { directory: string; maxBytes: number }
}

/** Where memory files lie, and what follows from it. */
export type DatasetPlace = {
  /** What LanceDB connects to. */
  uri: string
  connection: Pick<Partial<ConnectionOptions>, 'storageOptions' | 'readConsistencyInterval'>
  /** The folder of the datasets on this machine's disk; `null` where they lie in a bucket. */
  folder: string | null
  versions: VersionFiles
  /** Whether there is a memory file of this name; in a bucket one that was there counts as there. */
  isThere(name: string): Promise<boolean>
  /** What may still be written there; without end in a bucket. */
  freeBytes(): Promise<number>
  /** Of Lance's own caches, in bytes. */
  caches: { index: bigint; metadata: bigint }
  /** Makes an empty table; in a bucket opens the one there is, where another process was quicker. A folder is held by one process, whose writes go one after the other. */
  createEmpty(connection: Connection, name: string, schema: Schema): Promise<Table>
  /** Waits for a piece of work, and gives it up where the store it works on is gone. */
  guard<Value>(work: Promise<Value>): Promise<Value>
  /** Takes away what is kept on this machine of a memory's files that are gone from there. */
  forgetGone(memoryId: string): Promise<void>
  close(): Promise<void>
}

const MEGABYTE = 1024n * 1024n
/**
 * Lance's own caches default to 6 GB and 1 GB; an idle service on a disk is to stay under 300 MB, and they take only what searches have read. The indexes of a
 * million chunks are 280 MB: where they do not fit, a search takes three times the processor time.
 */
const DISK_CACHES = { index: 384n * MEGABYTE, metadata: 32n * MEGABYTE }
/** What is not found in them is fetched over the network. */
const BUCKET_CACHES = { index: 512n * MEGABYTE, metadata: 128n * MEGABYTE }

/** The datasets under a data folder, which is made. */
export async function openDiskPlace(directory: string): Promise<DatasetPlace> {
  const folder = join(directory, 'memories')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return {
    uri: folder,
    // One process holds the folder, and its handles know what was written (`open-tables.ts`). To look for the newest version lists all that stand, thousands
    // behind as many single adds: of 3,000 each add took 28 ms for 19, and each search as many listings.
    connection: {},
    folder,
    versions: openVersionFolder(folder),
    isThere: (name) => stat(join(folder, `${name}.lance`)).then(() => true, isAbsent),
    freeBytes: () => readFreeBytes(folder),
    caches: DISK_CACHES,
    createEmpty: (connection, name, schema) => connection.createEmptyTable(name, schema),
    guard: (work) => work,
    forgetGone: async () => undefined,
    close: async () => undefined,
  }
}

/** The datasets in a bucket, under `memories/` of its prefix. */
export async function openBucketPlace({ bucket, ping, files, cache }: BucketOptions): Promise<DatasetPlace> {
  const opened = cache === undefined ? null : await openCache(bucket, { ...cache, ...files })
  const root = bucket.prefix === '' ? 'memories' : `${bucket.prefix}/memories`
  const versions = openVersionObjects(files, root)
  return {
    uri: `s3://${bucket.bucket}/${root}`,
    // An interval of 0 reads the newest version at each use: without it another node misses acknowledged chunks.
    connection: { storageOptions: s3StorageOptions(bucket, opened?.proxyUrl), readConsistencyInterval: 0 },
    folder: null,
    versions,
    isThere: createExistence(versions),
    freeBytes: async () => Infinity,
    caches: BUCKET_CACHES,
    createEmpty: (connection, name, schema) => createAtomically({ connection, files, root }, name, schema),
    guard: (work) => withLivenessProbe(work, ping),
    forgetGone: async (memoryId) => opened?.forgetGone(`${root}/${memoryId}`),
    close: async () => opened?.close(),
  }
}

/** Loaded where there is one: it takes `node:http` and `node:https`, which as modules load all that Node has for `fetch`. */
async function openCache(bucket: S3Place, options: PageCacheOptions): Promise<PageCache> {
  const { openPageCache } = await import('./bucket/caching-proxy.ts')
  return openPageCache(bucket, options)
}

/** Anything else than its absence is trouble of the disk. */
function isAbsent(error: NodeJS.ErrnoException): false {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false
  throw error
}

/** Each look is a request. */
function createExistence(versions: VersionFiles): DatasetPlace['isThere'] {
  const seen = new Set<string>()
  return async (name) => {
    if (!seen.has(name) && (await versions.list(name)).length > 0) seen.add(name)
    return seen.has(name)
  }
}

/** The objects of the bucket, by their whole keys. */
export type BucketFiles = {
  readRange: ReadRange
  listKeys(prefix: string): Promise<string[]>
  /** False, with nothing changed, where there is one already. */
  putNew(key: string, content: Buffer): Promise<boolean>
  removeAll(prefix: string): Promise<void>
}

const DRAFT_MANIFEST = /\/_versions\/\d+\.manifest$/
/** An empty table is two small files. */
const MAX_DRAFT_BYTES = 1024 * 1024

/**
 * Makes an empty table in a bucket, or opens the one that another node made meanwhile. Where two nodes let Lance make one table at once, the
 * later one overwrites the first, with what was added to it by then: of 60 memories begun by two nodes, 3 lost acknowledged documents. So a
 * draft is made under a name of its own, and its manifest, which is the table, put where it belongs if there is none.
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
    await files.removeAll(from)
  }
  return connection.openTable(name)
}

async function copyNew({ readRange, putNew }: BucketFiles, from: string, to: string): Promise<void> {
  const file = await readRange(from, 0, MAX_DRAFT_BYTES - 1)
  if (file !== null) await putNew(to, file.content)
}
