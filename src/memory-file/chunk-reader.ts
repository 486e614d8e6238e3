import { MatchQuery, type Query, type Table, type TakeQuery, type VectorQuery } from '@lancedb/lancedb'
import type { Table as ArrowTable, Binary, Float32, Uint64, Utf8, Vector } from 'apache-arrow'
import {
  chunkPredicate,
  documentPredicate,
  listDocuments,
  rangePredicate,
  requireDocumentId,
  requireFileName,
  requireVector,
} from './chunk-predicate.ts'
import { decodeChunk } from './chunk-record.ts'
import { scanChunks } from './chunk-scan.ts'
import { readDimensions } from './chunk-table.ts'
import type { DatasetPlace } from './dataset-place.ts'
import { countFiles, FILES_OPENED, type FileGate } from './file-gate.ts'
import type { InMemoryIndexes } from './in-memory/in-memory-indexes.ts'
import type { ChunkRange, DocumentSet, FoundChunk, MemoryFile, SearchOptions, StoredChunk } from './memory-file.ts'
import type { OpenTables } from './open-tables.ts'
import type { RecordCache } from './record-cache.ts'
import { dimensionMismatch, throwStoreError } from './store-errors.ts'

/** Rows for each partition of the vector index, as Lance recommends for IVF. */
export const ROWS_PER_PARTITION = 4096
/**
 * Share of partitions to probe. With fewer, recall at a million rows fell to .73; a quarter gave
 * .987.
 */
const PROBED_SHARE = 0.25
const MIN_PROBES = 20
/**
 * Lengths of terms that match with two edits. Shorter terms match too many words, and Lance refuses
 * terms from 44 letters on, since its automaton is limited.
 */
const TWO_EDITS_LENGTH = { min: 6, max: 32 } as const
/** Similar terms to search: Lance's default; a Chinese character begins more pairs. */
const WORD_EXPANSIONS = 50
const CHARACTER_EXPANSIONS = 500
/**
 * Lifetime of a cached row count: counting took a tenth of the time of a search. If a memory
 * doubles within this time, searches probe half the intended partitions.
 */
const COUNT_TTL_MS = 10_000

/** Reads of memory files. Reads never wait for writes. */
export type ChunkReader = Pick<
  MemoryFile,
  'searchLexical' | 'searchNear' | 'searchVector' | 'readRows' | 'listRowIds' | 'read' | 'scan' | 'count'
> & {
  /** Runs work on the table of a file; returns `absent` if the file is missing. */
  use: UseTable
}

type UseTable = <T>(name: string, absent: T, work: (table: Table) => Promise<T>) => Promise<T>

/** Dependencies of the reader. */
export type ChunkReaderDeps = {
  tables: OpenTables
  gate: FileGate
  guard: DatasetPlace['guard']
  cache: RecordCache
  indexes: Pick<InMemoryIndexes, 'open' | 'recordOf'>
}

/** Creates the reader. */
export function createChunkReader({ tables, gate, guard, cache, indexes }: ChunkReaderDeps): ChunkReader {
  const useWithFiles = (files: number): UseTable => {
    return async (name, absent, work) => {
      requireFileName(name)
      const done = gate.run(files, () => guard(tables.use(name, work)))
      return (await done.catch(throwStoreError)) ?? absent
    }
  }
  const use = useWithFiles(FILES_OPENED.search)
  return {
    use,
    ...createSearches(use, indexes),
    async readRows(name, found) {
      const records = found.map(({ row }) => indexes.recordOf(name, row))
      if (records.every((record) => record !== null)) return records.map(decodeChunk)
      const absent = found.map(() => null)
      const useFragments = useWithFiles(countFiles(found))
      return useFragments<(StoredChunk | null)[]>(name, absent, (table) => readRowsCached(table, found, cache))
    },
    async listRowIds(name, documentId) {
      requireDocumentId(documentId)
      return use<bigint[]>(name, [], (table) => readRowIds(table, documentId))
    },
    async read(name, documentId, range) {
      requireDocumentId(documentId)
      return use<StoredChunk[]>(name, [], (table) => readDocument(table, documentId, range))
    },
    scan: (name, options = {}) => scanChunks((absent, work) => use(name, absent, work), options),
    count: (name) => use(name, new Map<string, number>(), countByDocument),
  }
}

function createSearches(
  use: UseTable,
  indexes: ChunkReaderDeps['indexes'],
): Pick<MemoryFile, 'searchLexical' | 'searchNear' | 'searchVector'> {
  const countRows = createRowCounter()
  return {
    async searchLexical(name, terms, options) {
      const words = terms.filter((term) => term.trim() !== '')
      if (words.length === 0) return []
      return use<FoundChunk[]>(name, [], async (table) => {
        const found = await (await indexes.open(name, table))?.searchLexical(words, options)
        if (found) return found
        const match = new MatchQuery(words.join(' '), 'terms')
        return readTopRows(() => table.query().fullTextSearch(match), '_score', options)
      })
    },
    // Takes 1 to 12 ms at 100,000 chunks.
    async searchNear(name, terms, options) {
      if (terms.length === 0) return []
      const { min, max } = TWO_EDITS_LENGTH
      const fuzziness = terms.every(({ length }) => length >= min && length <= max) ? 2 : 1
      const maxExpansions = terms.every(({ length }) => length === 1) ? CHARACTER_EXPANSIONS : WORD_EXPANSIONS
      const match = new MatchQuery(terms.join(' '), 'terms', { fuzziness, prefixLength: 1, maxExpansions })
      const search = (table: Table) => readTopRows(() => table.query().fullTextSearch(match), '_score', options)
      return use<FoundChunk[]>(name, [], search)
    },
    async searchVector(name, vector, options) {
      requireVector(vector)
      if (vector.every((x) => x === 0)) return []
      return use<FoundChunk[]>(name, [], async (table) => {
        const found = await (await indexes.open(name, table))?.searchVector(vector, options)
        if (found) return found
        try {
          const rows = await countRows(table)
          const isFiltered = options.filter?.documents !== undefined
          return await readTopRows(() => vectorQuery(table, vector, { rows, isFiltered }), '_distance', options)
        } catch (error) {
          const present = await readDimensions(table)
          throw present === vector.length ? error : dimensionMismatch(present, vector.length)
        }
      })
    },
  }
}

/**
 * Nearest chunks by cosine; `rows` is the approximate size of the table. Vectors have length 1, so
 * the cheaper dot product equals the cosine.
 *
 * An index answers with the cosine of vectors of 4 bits a dimension, with a mean error of 0.004.
 * Comparing 600 full vectors took three quarters of a search, and ranking compares the windows
 * anyway. With a filter, all partitions are probed: few chunks may pass.
 */
function vectorQuery(
  table: Table,
  vector: Float32Array,
  { rows, isFiltered }: { rows: number; isFiltered: boolean },
): VectorQuery {
  const share = isFiltered ? 1 : PROBED_SHARE
  const probes = Math.max(MIN_PROBES, Math.ceil((rows / ROWS_PER_PARTITION) * share))
  return table.query().nearestTo(vector).column('vector').distanceType('dot').nprobes(probes)
}

type ScoreColumn = '_score' | '_distance'

/**
 * The best rows of a query with their scores. Equal scores keep the order of the rows, so that
 * results are stable.
 *
 * Only rows and scores are read. Reading the identity of 400 chunks takes two thirds of the time of
 * finding them (10.4 ms of processor time instead of 6.2 among 100,000). Text and windows take
 * three times as long.
 */
async function readTopRows(
  makeQuery: () => Query | VectorQuery,
  scoreColumn: ScoreColumn,
  { limit, filter = {} }: SearchOptions,
): Promise<FoundChunk[]> {
  const { documents, ...others } = filter
  if (documents !== undefined && documents.size > MAX_LISTED_DOCUMENTS)
    return readTopRowsOf(documents, limit, (fetched) => {
      const query = restrict(makeQuery(), { limit: fetched, filter: others })
      return readScores(query.select([scoreColumn, 'document_id']), scoreColumn)
    })
  const query = restrict(makeQuery(), { limit, filter })
  const { found } = await readScores(query.select([scoreColumn]), scoreColumn)
  return found.sort(compareFound)
}

/** Longer lists take longer to parse than further matches to read. */
const MAX_LISTED_DOCUMENTS = 2000
/** Passages are not distributed evenly. */
const SPARE_MATCHES = 1.5
const FURTHER_MATCHES = 4

/** Reads further matches until enough belong to the documents, or all matches are read. */
async function readTopRowsOf(
  documents: DocumentSet,
  limit: number,
  read: (limit: number) => Promise<Scores>,
): Promise<FoundChunk[]> {
  const ids = new Set(listDocuments(documents))
  let fetched = Math.ceil((limit * SPARE_MATCHES * documents.ids.length) / documents.size)
  for (;;) {
    const { found, documentIds } = await read(fetched)
    const passing = found.filter((_, place) => ids.has(String(documentIds?.get(place))))
    if (passing.length >= limit || found.length < fetched) return passing.sort(compareFound).slice(0, limit)
    fetched *= FURTHER_MATCHES
  }
}

function restrict(query: Query | VectorQuery, { limit, filter }: SearchOptions): Query | VectorQuery {
  const predicate = chunkPredicate(filter)
  if (predicate !== null) query.where(predicate)
  return query.withRowId().limit(limit)
}

/** Rows with scores; the documents if selected by the query. */
type Scores = { found: FoundChunk[]; documentIds: Vector<Utf8> | null }

async function readScores(query: Query | VectorQuery, scoreColumn: ScoreColumn): Promise<Scores> {
  const result = await toArrow(query)
  const values = result.getChild(scoreColumn) as Vector<Float32> | null
  const found = Array.from(rowsOf(result), (row, i) => ({ row, score: toScore(values?.get(i) ?? 0, scoreColumn) }))
  return { found, documentIds: result.getChild('document_id') as Vector<Utf8> | null }
}

const compareFound = (a: FoundChunk, b: FoundChunk) => b.score - a.score || (a.row < b.row ? -1 : 1)

/** Lance's distance is 1 - dot. */
function toScore(value: number, column: ScoreColumn): number {
  return column === '_score' ? value : Math.min(1, Math.max(-1, 1 - value))
}

/** Reads rows in the given order, through the cache; `null` for a row that no longer exists. */
async function readRowsCached(
  table: Table,
  found: readonly Pick<FoundChunk, 'row'>[],
  cache: RecordCache,
): Promise<(StoredChunk | null)[]> {
  const chunks = found.map(({ row }) => decodeOrNull(cache.get(table, row)))
  const absent = found.flatMap(({ row }, place) => (chunks[place] === null ? row : []))
  if (absent.length === 0) return chunks
  const records = await takeRecords(table, absent)
  return found.map(({ row }, place) => {
    const record = records.get(row)
    if (record !== undefined) cache.put(table, row, record)
    return chunks[place] ?? decodeOrNull(record ?? null)
  })
}

/** Lance returns the records in its own order. */
async function takeRecords(table: Table, rows: bigint[]): Promise<Map<bigint, Uint8Array>> {
  const taken = await toArrow(table.takeRowIds(rows).withRowId().select(['record']))
  const records = recordsOf(taken)
  const standing = [...rowsOf(taken)]
  return new Map(
    standing.flatMap((row, place): [bigint, Uint8Array][] => {
      const record = records?.get(place)
      return record ? [[row, record]] : []
    }),
  )
}

function decodeOrNull(record: Uint8Array | null): StoredChunk | null {
  return record && decodeChunk(record)
}

/** Chunks of one document, in order. */
async function readDocument(table: Table, documentId: string, range?: ChunkRange): Promise<StoredChunk[]> {
  const within = range === undefined ? '' : ` AND ${rangePredicate(range)}`
  const chosen = `${documentPredicate([documentId])}${within}`
  const found = await toArrow(table.query().where(chosen).select(['record']))
  const chunks = [...(recordsOf(found) ?? [])].flatMap((record) => (record ? [decodeChunk(record)] : []))
  return chunks.sort((a, b) => a.chunkIndex - b.chunkIndex)
}

/** Row ids of the chunks of one document. */
async function readRowIds(table: Table, documentId: string): Promise<bigint[]> {
  const query = table
    .query()
    .where(documentPredicate([documentId]))
    .withRowId()
    .select(['chunk_index'])
  return [...rowsOf(await toArrow(query))]
}

/** The highest row id that meets a condition; `null` if no row does. */
export async function findLastRow(table: Table, predicate: string): Promise<bigint | null> {
  const found = await toArrow(table.query().where(predicate).withRowId().select(['chunk_index']))
  let last: bigint | null = null
  for (const row of rowsOf(found)) if (last === null || row > last) last = row
  return last
}

async function toArrow(query: Query | VectorQuery | TakeQuery): Promise<ArrowTable> {
  const result: unknown = await query.toArrow()
  // LanceDB types its tables with its own copy of the declarations of apache-arrow.
  return result as ArrowTable
}

function recordsOf(table: ArrowTable): Vector<Binary> | null {
  return table.getChild('record') as Vector<Binary> | null
}

/** Row ids of a result; empty if the result has none. */
function rowsOf(table: ArrowTable): BigUint64Array {
  const rows = table.getChild('_rowid') as Vector<Uint64> | null
  return rows?.toArray() ?? new BigUint64Array()
}

/** Number of chunks by document, read batch by batch. */
async function countByDocument(table: Table): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for await (const batch of table.query().select(['document_id'])) {
    for (const id of batch.getChild('document_id') ?? []) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

/** Number of rows of a table, cached for some seconds. */
type RowCounter = (table: Table) => Promise<number>

/** Counts rows, and caches each count as long as the table is in use. */
export function createRowCounter(nowMs: () => number = () => performance.now()): RowCounter {
  const counted = new WeakMap<Table, { rows: number; untilMs: number }>()
  return async (table) => {
    const known = counted.get(table)
    if (known !== undefined && nowMs() < known.untilMs) return known.rows
    const rows = await table.countRows()
    counted.set(table, { rows, untilMs: nowMs() + COUNT_TTL_MS })
    return rows
  }
}
