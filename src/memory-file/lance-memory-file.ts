import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Connection, connect, Session, type Table } from '@lancedb/lancedb'
import type { Log } from '../log.ts'
import { requireDocumentId, requireLabel, requireMemoryId } from './chunk-predicate.ts'
import { readDimensions } from './chunk-schema.ts'
import { countByDocument, findByTerms, findByVector, readDocument } from './chunk-search.ts'
import { createChunkWriter } from './chunk-writer.ts'
import type { ChunkRow, FoundChunk, MemoryFile } from './memory-file.ts'
import { createOpenTables, type OpenTables } from './open-tables.ts'
import { isNotFound, otherVectors, toStoreError } from './store-errors.ts'
import { createUpkeep } from './upkeep.ts'

/** Tables kept open beside those in use. */
const MOST_OPEN = 200
/** Lance's own caches default to 6 GB and 1 GB; an idle service is to stay under 300 MB. */
const INDEX_CACHE_BYTES = 128n * 1024n * 1024n
const METADATA_CACHE_BYTES = 32n * 1024n * 1024n
/** With one compute thread, the default on two cores, Lance of 0.30 never ended indexing 100,000 chunks (docs/decisions/0016-memory-file-measured.md). */
const LEAST_CPU_THREADS = 4
/** Below, comparing every vector is exact and as fast. */
const VECTOR_INDEX_ROWS = 20_000

/** Where memory files lie and how they are kept. */
export type LanceOptions = {
  /** The data folder; memory files are `<directory>/memories/<memory id>.lance`. */
  directory: string
  log: Log
  now?: () => Date
  mostOpen?: number
  /** Rows from which vectors are indexed instead of compared one by one. */
  vectorIndexRows?: number
}

/**
 * Memory files as Lance datasets on the local disk. Rejects with `insufficient_storage` when the disk is full, with
 * `service_unavailable` for failures that may pass, with TypeError for what is not an identifier of ours.
 */
export async function createLanceMemoryFile(options: LanceOptions): Promise<MemoryFile> {
  const { log, now = () => new Date(), mostOpen = MOST_OPEN, vectorIndexRows = VECTOR_INDEX_ROWS } = options
  const folder = join(options.directory, 'memories')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const connection = await connectTo(folder)
  const tables = createOpenTables({ connection, folder, mostOpen, log })
  const upkeep = createUpkeep({ now, log, vectorIndexRows })
  const writer = createChunkWriter({ folder, connection, tables, upkeep })
  const read = createReader(tables)

  return {
    async add(memoryId, chunks) {
      requireMemoryId(memoryId)
      for (const chunk of chunks) requireWritable(chunk)
      if (chunks.length > 0) await translated(() => writer.add(memoryId, chunks))
    },
    async remove(memoryId, documentIds) {
      requireMemoryId(memoryId)
      documentIds.map(requireDocumentId)
      if (documentIds.length > 0) await translated(() => writer.remove(memoryId, documentIds))
    },
    async searchLexical(memoryId, terms, limit, filter) {
      const words = terms.filter((term) => term.trim() !== '')
      if (words.length === 0) return []
      return read<FoundChunk[]>(memoryId, [], (table) => findByTerms(table, words, limit, filter))
    },
    async searchVector(memoryId, vector, limit, filter) {
      requireVector(vector)
      if (vector.every((x) => x === 0)) return []
      return read<FoundChunk[]>(memoryId, [], async (table) => {
        try {
          return await findByVector(table, vector, limit, filter)
        } catch (error) {
          await requireDimensions(table, vector.length)
          throw error
        }
      })
    },
    async read(memoryId, documentId) {
      requireDocumentId(documentId)
      return read<FoundChunk[]>(memoryId, [], (table) => readDocument(table, documentId))
    },
    count: (memoryId) => read(memoryId, new Map<string, number>(), countByDocument),
    async maintain(memoryId) {
      requireMemoryId(memoryId)
      await translated(() => writer.maintain(memoryId))
    },
    needsMaintenance: (memoryId) => upkeep.isDue(memoryId),
    async drop(memoryId) {
      requireMemoryId(memoryId)
      await translated(() => writer.drop(memoryId))
    },
    async close() {
      await writer.idle()
      tables.close()
      connection.close()
    },
  }
}

async function connectTo(folder: string): Promise<Connection> {
  // Read by Lance when its thread pool starts.
  process.env['LANCE_CPU_THREADS'] ??= String(Math.max(LEAST_CPU_THREADS, availableParallelism()))
  // Keeps the centroids of a vector index out of its statistics, and a warning about them out of the log.
  process.env['LANCE_INCLUDE_VECTOR_CENTROIDS'] ??= 'false'
  // An interval of 0 reads the newest version at each use: without it another node misses acknowledged chunks.
  return connect(folder, {
    readConsistencyInterval: 0,
    session: new Session(INDEX_CACHE_BYTES, METADATA_CACHE_BYTES),
  })
}

/** Reads a table, once more from a fresh handle when files are gone: after a clean-up, or a drop on another node. */
function createReader(tables: OpenTables) {
  return async <T>(memoryId: string, absent: T, work: (table: Table) => Promise<T>): Promise<T> => {
    requireMemoryId(memoryId)
    try {
      return (await tables.use(memoryId, work)) ?? absent
    } catch (error) {
      if (!isNotFound(error)) throw toStoreError(error)
    }
    tables.forget(memoryId)
    return translated(async () => (await tables.use(memoryId, work)) ?? absent)
  }
}

function requireWritable(chunk: ChunkRow): void {
  requireDocumentId(chunk.documentId)
  requireVector(chunk.vector)
  for (const label of chunk.labels) requireLabel(label)
}

/** One number that is not finite would make every distance to it NaN. */
function requireVector(vector: Float32Array): void {
  if (!vector.every(Number.isFinite)) throw new TypeError('a vector has finite numbers only')
}

async function requireDimensions(table: Table, dimensions: number): Promise<void> {
  const present = await readDimensions(table)
  if (present !== dimensions) throw otherVectors(present, dimensions)
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toStoreError(error)
  }
}
