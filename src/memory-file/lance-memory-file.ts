// Before Lance, which reads its settings once.
import './lance-settings.ts'
import { availableParallelism } from 'node:os'
import { type Connection, connect, Session } from '@lancedb/lancedb'
import type { Log } from '../observability/log.ts'
import { requireFileName } from './chunk-predicate.ts'
import { createChunkReader, ROWS_PER_PARTITION } from './chunk-reader.ts'
import { createChunkWriter } from './chunk-writer.ts'
import { type BucketOptions, type DatasetPlace, openBucketPlace, openDiskPlace } from './dataset-place.ts'
import { createFileGate } from './file-gate.ts'
import { sizeCache, sizeIndexBuffer } from './lance-settings.ts'
import { createCompaction } from './maintenance/compaction.ts'
import type { MemoryFile, PendingMaintenance } from './memory-file.ts'
import { createOpenTables } from './open-tables.ts'
import { createRecordCache } from './record-cache.ts'
import { throwStoreError } from './store-errors.ts'

/** Tables kept open beside those in use. */
const MAX_OPEN = 200
/** Records of some 55,000 chunks of a memory: those of a small memory, and of the passages that are found often in a large one. */
const CACHED_BYTES = 64 * 1024 * 1024
/**
 * Fewer are compared one by one, exactly. With both retrievers and all else a hybrid find among 10,000 took 23.8 ms of
 * processor time without the index and 15.9 with it, 15.7 and 11.9 among 4,000, the same among 1,000; in a bucket 5,000
 * are 5 MB to fetch without it, and 17 kB with it.
 */
const VECTOR_INDEX_ROWS = ROWS_PER_PARTITION
/** With one compute thread, the default on two cores, Lance of 0.30 never ended indexing 100,000 chunks (docs/decisions/0016-memory-file-measured.md). */
const MIN_CPU_THREADS = 4

/** Where memory files lie and how they are kept. */
export type LanceOptions = {
  /** The data folder, memory files being `<directory>/memories/<memory id>.lance`, or the bucket. */
  directory: string | BucketOptions
  log: Log
  now?: () => Date
  /** What the process may take; without bound when absent. */
  memoryBytes?: number
  mostOpen?: number
  /** How many files its work may have open at once; 4096 when absent. */
  maxFiles?: number
  /** Hears of each time that the process could open no more. */
  onOutOfFiles?: () => void
  /** Rows from which vectors are indexed instead of compared one by one; those of one partition of the index when absent. */
  vectorIndexRows?: number
  /** What is free of the disk; asked of the disk itself when absent. */
  freeBytes?: () => Promise<number>
}

/** Memory files of a place, which can be listed, and what is left to maintain in them. */
export type LanceMemoryFile = MemoryFile &
  PendingMaintenance & {
    /** The names of all there are: the memories' identifiers, and whatever else was put there. */
    list(): Promise<string[]>
    /** Takes away what is kept on this machine of a memory's files that were in a bucket and are gone from there. */
    forgetGone(memoryId: string): Promise<void>
    close(): Promise<void>
  }

/**
 * Memory files as Lance datasets, on the local disk or in a bucket. Rejects with `insufficient_storage` when that is full, with
 * `service_unavailable` for failures that may pass, with TypeError for what is not an identifier of ours.
 */
export async function createLanceMemoryFile(options: LanceOptions): Promise<LanceMemoryFile> {
  const { log, now = () => new Date(), memoryBytes, mostOpen = MAX_OPEN } = options
  const { vectorIndexRows = VECTOR_INDEX_ROWS } = options
  const gate = createFileGate(options)
  const place = await openPlace(options)
  const { folder, createEmpty, guard } = place
  const connection = await connectTo(place, memoryBytes)
  const tables = createOpenTables({ connection, folder, createEmpty, mostOpen, log })
  const compaction = createCompaction({ now, log, vectorIndexRows })
  // In a bucket another process may drop an empty table and make one of the same name, whose rows are numbered from the start.
  const cache = createRecordCache(folder === null ? 0 : CACHED_BYTES)
  const { use, ...reader } = createChunkReader({ tables, gate, guard, cache })
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
    isThere: async (name) => guard(place.isThere(requireFileName(name))).catch(throwStoreError),
    loadPendingMaintenance: (name) => use(name, undefined, (table) => compaction.loadPending(name, table)),
    needsMaintenance: compaction.isDue,
    isOverdue: compaction.isOverdue,
    list: async () => guard(listNames(connection)).catch(throwStoreError),
    forgetGone: async (name) => guard(place.forgetGone(requireFileName(name))).catch(throwStoreError),
    async close() {
      await idle()
      tables.close()
      connection.close()
      await place.close()
    },
  }
}

async function openPlace({ directory, freeBytes }: LanceOptions): Promise<DatasetPlace> {
  const place = typeof directory === 'string' ? await openDiskPlace(directory) : await openBucketPlace(directory)
  return freeBytes === undefined ? place : { ...place, freeBytes }
}

async function connectTo({ uri, connection, caches }: DatasetPlace, memoryBytes?: number): Promise<Connection> {
  // Read by Lance when its thread pool starts.
  process.env['LANCE_CPU_THREADS'] ??= String(Math.max(MIN_CPU_THREADS, availableParallelism()))
  process.env['LANCE_FTS_PARTITION_SIZE'] ??= String(sizeIndexBuffer(memoryBytes))
  // Keeps the centroids of a vector index out of its statistics, and a warning about them out of the log.
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
