import './quiet-lance.ts'
import { availableParallelism } from 'node:os'
import { type Connection, connect, Session, type Table } from '@lancedb/lancedb'
import type { Log } from '../observability/log.ts'
import { requireDocumentId, requireFileName } from './chunk-predicate.ts'
import { listRowsOf, readDocument, readFound } from './chunk-reads.ts'
import { scanChunks } from './chunk-scan.ts'
import { readDimensions } from './chunk-schema.ts'
import { countByDocument, findByNearTerms, findByTerms, findByVector, ROWS_PER_PARTITION } from './chunk-search.ts'
import { type ChunkWriter, createChunkWriter } from './chunk-writer.ts'
import { type BucketOptions, type DatasetPlace, openBucketPlace, openDiskPlace } from './dataset-place.ts'
import { countFilesOf, createFileGate, FILES_OPENED, type FileGate } from './file-gate.ts'
import { fitCache, fitIndexBuffer } from './fit-memory.ts'
import { createKeptRecords } from './kept-records.ts'
import type { FoundChunk, MemoryFile, StoredChunk } from './memory-file.ts'
import { createOpenTables, type OpenTables } from './open-tables.ts'
import { requireVector } from './require-writable.ts'
import { createRowCounts } from './row-counts.ts'
import { otherVectors, toStoreError } from './store-errors.ts'
import { createUpkeep, type Upkeep } from './upkeep.ts'

/** Tables kept open beside those in use. */
const MOST_OPEN = 200
/** Records of some 55,000 chunks of a memory: those of a small memory, and of the passages that are found often in a large one. */
const KEPT_BYTES = 64 * 1024 * 1024
/**
 * Fewer are compared one by one, exactly. Two legs and all, a hybrid find among 10,000 took 23.8 ms of processor time without the index and 15.9 with it,
 * 15.7 and 11.9 among 4,000, the same among 1,000; in a bucket 5,000 are 5 MB to fetch without it, and 17 kB with it.
 */
const VECTOR_INDEX_ROWS = ROWS_PER_PARTITION
/** With one compute thread, the default on two cores, Lance of 0.30 never ended indexing 100,000 chunks (docs/decisions/0016-memory-file-measured.md). */
const LEAST_CPU_THREADS = 4

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

/** Memory files of a place that can be listed. */
export type LanceMemoryFile = MemoryFile & {
  /** The names of all there are: the memories' identifiers, and whatever else was put there. */
  list(): Promise<string[]>
  /** Takes away what is kept on this machine of a memory's files that were in a bucket and are gone from there. */
  forgetGone(memoryId: string): Promise<void>
}

/**
 * Memory files as Lance datasets, on the local disk or in a bucket. Rejects with `insufficient_storage` when that is full, with
 * `service_unavailable` for failures that may pass, with TypeError for what is not an identifier of ours.
 */
export async function createLanceMemoryFile(options: LanceOptions): Promise<LanceMemoryFile> {
  const { log, now = () => new Date(), memoryBytes, mostOpen = MOST_OPEN } = options
  const { vectorIndexRows = VECTOR_INDEX_ROWS } = options
  const gate = createFileGate(options)
  const place = await openPlace(options)
  const { folder, createEmpty, attend } = place
  const connection = await connectTo(place, memoryBytes)
  const tables = createOpenTables({ connection, folder, createEmpty, mostOpen, log })
  const upkeep = createUpkeep({ now, log, vectorIndexRows })
  // In a bucket another process may drop an empty table and make one of the same name, whose rows are numbered from the start.
  const kept = createKeptRecords(folder === null ? 0 : KEPT_BYTES)
  const writer = createChunkWriter({ ...place, connection, tables, gate, upkeep, vectorIndexRows, kept, now })
  const translated = <T>(work: () => Promise<T>) => translate(() => attend(work))
  const read = createReader(tables, attend, gate)
  const countRows = createRowCounts()

  return {
    async add(memoryId, chunks, { areNew = false } = {}) {
      requireFileName(memoryId)
      if (chunks.length > 0) await translated(() => writer.add(memoryId, chunks, areNew))
    },
    async remove(memoryId, documentIds, options = {}) {
      requireFileName(memoryId)
      documentIds.map(requireDocumentId)
      if (documentIds.length > 0) await translated(() => writer.remove(memoryId, documentIds, options))
    },
    async searchLexical(memoryId, terms, limit, filter) {
      const words = terms.filter((term) => term.trim() !== '')
      if (words.length === 0) return []
      return read<FoundChunk[]>(memoryId, [], (table) => findByTerms(table, words, limit, filter))
    },
    async searchNear(memoryId, terms, limit, filter) {
      if (terms.length === 0) return []
      return read<FoundChunk[]>(memoryId, [], (table) => findByNearTerms(table, terms, limit, filter))
    },
    async searchVector(memoryId, vector, limit, filter) {
      requireVector(vector)
      if (vector.every((x) => x === 0)) return []
      return read<FoundChunk[]>(memoryId, [], async (table) => {
        try {
          return await findByVector(table, vector, { rows: await countRows(table), limit, filter })
        } catch (error) {
          await requireDimensions(table, vector.length)
          throw error
        }
      })
    },
    async readFound(memoryId, found) {
      if (found.length === 0) return []
      const absent = found.map(() => null)
      const work = (table: Table) => readFound(table, found, kept)
      return read<(StoredChunk | null)[]>(memoryId, absent, work, countFilesOf(found))
    },
    async listRows(memoryId, documentId) {
      requireDocumentId(documentId)
      return read<bigint[]>(memoryId, [], (table) => listRowsOf(table, documentId))
    },
    async read(memoryId, documentId) {
      requireDocumentId(documentId)
      return read<StoredChunk[]>(memoryId, [], (table) => readDocument(table, documentId))
    },
    scan: (memoryId, options = {}) => scanChunks((absent, work) => read(memoryId, absent, work), options),
    count: (memoryId) => read(memoryId, new Map<string, number>(), countByDocument),
    lookInto: (memoryId) => read(memoryId, undefined, (table) => upkeep.lookInto(memoryId, table)),
    ...createTending(writer, upkeep, translated),
    drop: async (memoryId) => translated(() => writer.drop(requireFileName(memoryId))),
    isThere: (memoryId) => translated(() => place.isThere(requireFileName(memoryId))),
    list: () => translated(() => listNames(connection)),
    forgetGone: (memoryId) => translated(() => place.forgetGone(requireFileName(memoryId))),
    async close() {
      await writer.idle()
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

function createTending(
  writer: ChunkWriter,
  upkeep: Upkeep,
  translated: <T>(work: () => Promise<T>) => Promise<T>,
): Pick<
  MemoryFile,
  | 'maintain'
  | 'inspect'
  | 'renewIndexes'
  | 'rewriteRemoved'
  | 'dropVersionsBefore'
  | 'reclaim'
  | 'needsMaintenance'
  | 'isOverdue'
> {
  return {
    async maintain(memoryId, signal) {
      requireFileName(memoryId)
      await translated(() => writer.maintain(memoryId, signal))
    },
    async rewriteRemoved(memoryId) {
      requireFileName(memoryId)
      return translated(() => writer.rewriteRemoved(memoryId))
    },
    async dropVersionsBefore(memoryId, version) {
      requireFileName(memoryId)
      return translated(() => writer.dropVersionsBefore(memoryId, version))
    },
    reclaim: (memoryId) => translated(() => writer.reclaim(requireFileName(memoryId))),
    inspect: (memoryId) => translated(() => writer.inspect(requireFileName(memoryId))),
    renewIndexes: (memoryId) => translated(() => writer.renewIndexes(requireFileName(memoryId))),
    needsMaintenance: (memoryId, isAtRest) => upkeep.isDue(memoryId, isAtRest),
    isOverdue: (memoryId) => upkeep.isOverdue(memoryId),
  }
}

async function connectTo({ uri, connection, caches }: DatasetPlace, memoryBytes?: number): Promise<Connection> {
  // Read by Lance when its thread pool starts.
  process.env['LANCE_CPU_THREADS'] ??= String(Math.max(LEAST_CPU_THREADS, availableParallelism()))
  process.env['LANCE_FTS_PARTITION_SIZE'] ??= String(fitIndexBuffer(memoryBytes))
  // Keeps the centroids of a vector index out of its statistics, and a warning about them out of the log.
  process.env['LANCE_INCLUDE_VECTOR_CENTROIDS'] ??= 'false'
  return connect(uri, {
    ...connection,
    session: new Session(fitCache(caches.index, memoryBytes), caches.metadata),
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

function createReader(tables: OpenTables, attend: DatasetPlace['attend'], gate: FileGate) {
  return async <T>(
    memoryId: string,
    absent: T,
    work: (table: Table) => Promise<T>,
    files: number = FILES_OPENED.search,
  ): Promise<T> => {
    requireFileName(memoryId)
    return translate(() => gate.run(files, async () => (await attend(() => tables.use(memoryId, work))) ?? absent))
  }
}

async function requireDimensions(table: Table, dimensions: number): Promise<void> {
  const present = await readDimensions(table)
  if (present !== dimensions) throw otherVectors(present, dimensions)
}

async function translate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toStoreError(error)
  }
}
