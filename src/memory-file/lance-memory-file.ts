// Must precede the import of Lance, which reads its settings once.
import './lance-settings.ts'
import { availableParallelism } from 'node:os'
import { type Connection, connect, Session } from '@lancedb/lancedb'
import type { Log } from '../observability/log.ts'
import { requireFileName } from './chunk-predicate.ts'
import { createChunkReader, ROWS_PER_PARTITION } from './chunk-reader.ts'
import { createChunkWriter } from './chunk-writer.ts'
import { type BucketOptions, type DatasetPlace, openBucketPlace, openDiskPlace } from './dataset-place.ts'
import { createFileGate } from './file-gate.ts'
import { createInMemoryIndexes } from './in-memory/in-memory-indexes.ts'
import { startIndexThread } from './in-memory/index-thread.ts'
import { sizeCache, sizeIndexBuffer } from './lance-settings.ts'
import { createCompaction } from './maintenance/compaction.ts'
import type { MemoryFile, PendingMaintenance } from './memory-file.ts'
import { createOpenTables } from './open-tables.ts'
import { createRecordCache } from './record-cache.ts'
import { throwStoreError } from './store-errors.ts'

/** Tables kept open in addition to those in use. */
const MAX_OPEN_TABLES = 200
/**
 * Records of about 55,000 chunks: all of a small memory, and the frequently found passages of a
 * large one.
 */
const RECORD_CACHE_BYTES = 64 * 1024 * 1024
/**
 * Below this size vectors are compared exactly, one by one.
 *
 * A hybrid find over 10,000 chunks took 23.8 ms of processor time without the index and 15.9 with
 * it. Over 4,000 chunks it took 15.7 and 11.9, and over 1,000 the same. In a bucket, 5,000 chunks
 * mean fetching 5 MB without the index and 17 kB with it.
 */
const VECTOR_INDEX_ROWS = ROWS_PER_PARTITION
/**
 * With one compute thread, the default on two cores, Lance 0.30 never finished indexing 100,000
 * chunks (docs/decisions/0016-memory-file-measured.md).
 */
const MIN_CPU_THREADS = 4

/** Options of {@link createLanceMemoryFile}. */
export type LanceOptions = {
  /**
   * The data folder, with memory files at `<directory>/memories/<memory id>.lance`, or a bucket.
   */
  directory: string | BucketOptions
  log: Log
  now?: () => Date
  /** Memory that the process may use; unlimited if absent. */
  memoryBytes?: number
  /** Bytes of in-memory indexes of all memory files; none with 0, the default. */
  indexBytes?: number
  maxOpenTables?: number
  /** Files that memory files may have open at the same time; 4096 if absent. */
  maxFiles?: number
  /** Called each time the process runs out of file handles. */
  onOutOfFiles?: () => void
  /** Rows from which vectors are indexed. Default: the size of one partition of the index. */
  vectorIndexRows?: number
  /** Free bytes of the disk. Default: asks the disk. */
  freeBytes?: () => Promise<number>
}

/** Memory files of one place, with listing and pending maintenance. */
export type LanceMemoryFile = MemoryFile &
  PendingMaintenance & {
    /** Names of all memory files: ids of memories, and any other directory found there. */
    list(): Promise<string[]>
    /** Evicts cached pages of a memory's files that have left the bucket. */
    evictDeleted(memoryId: string): Promise<void>
    /** Resolves when no in-memory index is being built. */
    indexesBuilt(): Promise<void>
    close(): Promise<void>
  }

/**
 * Memory files as Lance datasets, on the local disk or in a bucket. Rejects with
 * `insufficient_storage` when the disk or bucket is full, with `service_unavailable` for transient
 * failures, and with TypeError for invalid identifiers.
 */
export async function createLanceMemoryFile(options: LanceOptions): Promise<LanceMemoryFile> {
  const { log, now = () => new Date(), memoryBytes, maxOpenTables = MAX_OPEN_TABLES } = options
  const { vectorIndexRows = VECTOR_INDEX_ROWS } = options
  const gate = createFileGate(options)
  const place = await openPlace(options)
  const { folder, createEmpty, guard } = place
  const connection = await connectTo(place, memoryBytes)
  const tables = createOpenTables({ connection, folder, createEmpty, maxOpenTables, log })
  const compaction = createCompaction({ now, log, vectorIndexRows, versions: place.versions })
  // In a bucket, another process may drop an empty table and create a new one whose row ids start
  // again.
  const cache = createRecordCache(folder === null ? 0 : RECORD_CACHE_BYTES)
  const indexes = createInMemoryIndexes({
    use: (name, work) => guard(tables.use(name, work)),
    versions: place.versions,
    isShared: folder === null,
    start: startIndexThread,
    budgetBytes: options.indexBytes ?? 0,
    log,
  })
  const { use, ...reader } = createChunkReader({ tables, gate, guard, cache, indexes })
  const { idle, ...writer } = createChunkWriter({
    ...place,
    connection,
    tables,
    gate,
    compaction,
    vectorIndexRows,
    cache,
    now,
  })

  return {
    ...reader,
    ...writer,
    ...noteWrites(writer, indexes.noteWrite),
    exists: async (name) => guard(place.exists(requireFileName(name))).catch(throwStoreError),
    loadPendingMaintenance: (name) => use(name, undefined, (table) => compaction.loadPending(name, table)),
    needsMaintenance: compaction.isDue,
    isOverdue: compaction.isOverdue,
    prepareSearches: (name) => indexes.prepare(name, compaction.rowsOf(name) ?? 0),
    list: async () => guard(listNames(connection)).catch(throwStoreError),
    evictDeleted: async (name) => guard(place.evictDeleted(requireFileName(name))).catch(throwStoreError),
    indexesBuilt: indexes.idle,
    async drop(name) {
      indexes.forget(name)
      await writer.drop(name)
    },
    async close() {
      await idle()
      await indexes.close()
      tables.close()
      connection.close()
      await place.close()
    },
  }
}

type Writes = Omit<ReturnType<typeof createChunkWriter>, 'idle' | 'inspect' | 'drop'>

/** The writes of a writer, each noted before it is acknowledged, also if it failed. */
function noteWrites(writer: Writes, noteWrite: (name: string, rows?: number) => void): Writes {
  const noting = <Rest extends unknown[], Result>(write: (name: string, ...rest: Rest) => Promise<Result>) => {
    return (name: string, ...rest: Rest) => write(name, ...rest).finally(() => noteWrite(name))
  }
  return {
    add: (name, rows, options) => writer.add(name, rows, options).finally(() => noteWrite(name, rows.length)),
    deleteDocuments: noting(writer.deleteDocuments),
    maintain: noting(writer.maintain),
    purgeDeletedRows: noting(writer.purgeDeletedRows),
    deleteVersionsBefore: noting(writer.deleteVersionsBefore),
    reclaimSpace: noting(writer.reclaimSpace),
    rebuildIndexes: noting(writer.rebuildIndexes),
  }
}

async function openPlace({ directory, freeBytes }: LanceOptions): Promise<DatasetPlace> {
  const place = typeof directory === 'string' ? await openDiskPlace(directory) : await openBucketPlace(directory)
  return freeBytes === undefined ? place : { ...place, freeBytes }
}

async function connectTo({ uri, connection, caches }: DatasetPlace, memoryBytes?: number): Promise<Connection> {
  // Lance reads this when its thread pool starts.
  process.env['LANCE_CPU_THREADS'] ??= String(Math.max(MIN_CPU_THREADS, availableParallelism()))
  process.env['LANCE_FTS_PARTITION_SIZE'] ??= String(sizeIndexBuffer(memoryBytes))
  // Keeps the centroids of a vector index out of its statistics, and a warning about them out of
  // the log.
  process.env['LANCE_INCLUDE_VECTOR_CENTROIDS'] ??= 'false'
  return connect(uri, {
    ...connection,
    session: new Session(sizeCache(caches.index, memoryBytes), caches.metadata),
  })
}

async function listNames(connection: Connection): Promise<string[]> {
  const names: string[] = []
  let pageToken: string | undefined
  do {
    const page = await connection.listTables(pageToken === undefined ? {} : { pageToken })
    names.push(...page.tables)
    pageToken = page.pageToken
  } while (pageToken)
  return names
}
