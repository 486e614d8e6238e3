import { MatchQuery, type Query, type Table, type TakeQuery, type VectorQuery } from '@lancedb/lancedb'
import type { Table as ArrowTable, Binary, Float32, Uint64, Vector } from 'apache-arrow'
import {
  chunkPredicate,
  documentPredicate,
  requireDocumentId,
  requireFileName,
  requireVector,
} from './chunk-predicate.ts'
import { decodeChunk } from './chunk-record.ts'
import { scanChunks } from './chunk-scan.ts'
import { readDimensions } from './chunk-table.ts'
import type { DatasetPlace } from './dataset-place.ts'
import { countFilesOf, FILES_OPENED, type FileGate } from './file-gate.ts'
import type { FoundChunk, MemoryFile, SearchOptions, StoredChunk } from './memory-file.ts'
import type { OpenTables } from './open-tables.ts'
import type { RecordCache } from './record-cache.ts'
import { otherVectors, throwStoreError } from './store-errors.ts'

/** About one partition of the vector index for so many rows: Lance's own advice for IVF. */
export const ROWS_PER_PARTITION = 4096
/** With fewer partitions probed the recall at a million rows fell to .73; a quarter of them gave .987. */
const PROBED_SHARE = 0.25
const MIN_PROBES = 20
/**
 * Terms of which two letters may be others: of shorter ones that makes too many words, and longer ones Lance refuses
 * (from 44 on, its automaton has a limit).
 */
const TWICE_MISTAKEN = { least: 6, most: 32 } as const
/**
 * How long a count of rows stands: counting took as long as a tenth of a search. A memory that doubles meanwhile has half
 * of the partitions probed that it should, for so long.
 */
const COUNT_FRESH_MS = 10_000

/** Reads of memory files, none of which waits for a write. */
export type ChunkReader = Pick<
  MemoryFile,
  'searchLexical' | 'searchNear' | 'searchVector' | 'readFound' | 'listRows' | 'read' | 'scan' | 'count'
> & {
  /** Runs work on the table of a file; `absent` where there is none. */
  use: UseTable
}

type UseTable = <T>(name: string, absent: T, work: (table: Table) => Promise<T>, files?: number) => Promise<T>

/** What the reader works with. */
export type ChunkReaderDeps = { tables: OpenTables; gate: FileGate; guard: DatasetPlace['guard']; cache: RecordCache }

/** The reader over these parts. */
export function createChunkReader({ tables, gate, guard, cache }: ChunkReaderDeps): ChunkReader {
  const use: UseTable = async (name, absent, work, files = FILES_OPENED.search) => {
    requireFileName(name)
    const done = gate.run(files, () => guard(tables.use(name, work)))
    return (await done.catch(throwStoreError)) ?? absent
  }
  return {
    use,
    ...createSearches(use),
    async readFound(name, found) {
      if (found.length === 0) return []
      const absent = found.map(() => null)
      const work = (table: Table) => readRows(table, found, cache)
      return use<(StoredChunk | null)[]>(name, absent, work, countFilesOf(found))
    },
    async listRows(name, documentId) {
      requireDocumentId(documentId)
      return use<bigint[]>(name, [], (table) => listRowsOf(table, documentId))
    },
    async read(name, documentId) {
      requireDocumentId(documentId)
      return use<StoredChunk[]>(name, [], (table) => readDocument(table, documentId))
    },
    scan: (name, options = {}) => scanChunks((absent, work) => use(name, absent, work), options),
    count: (name) => use(name, new Map<string, number>(), countByDocument),
  }
}

function createSearches(use: UseTable): Pick<MemoryFile, 'searchLexical' | 'searchNear' | 'searchVector'> {
  const countRows = createRowCounts()
  return {
    async searchLexical(name, terms, options) {
      const words = terms.filter((term) => term.trim() !== '')
      if (words.length === 0) return []
      const match = new MatchQuery(words.join(' '), 'terms')
      const search = (table: Table) => findBest(table.query().fullTextSearch(match), '_score', options)
      return use<FoundChunk[]>(name, [], search)
    },
    // 1 to 12 ms at 100,000 chunks.
    async searchNear(name, terms, options) {
      if (terms.length === 0) return []
      const { least, most } = TWICE_MISTAKEN
      const fuzziness = terms.every(({ length }) => length >= least && length <= most) ? 2 : 1
      const match = new MatchQuery(terms.join(' '), 'terms', { fuzziness, prefixLength: 1 })
      const search = (table: Table) => findBest(table.query().fullTextSearch(match), '_score', options)
      return use<FoundChunk[]>(name, [], search)
    },
    async searchVector(name, vector, options) {
      requireVector(vector)
      if (vector.every((x) => x === 0)) return []
      return use<FoundChunk[]>(name, [], async (table) => {
        try {
          return await findBest(nearestTo(table, vector, await countRows(table)), '_distance', options)
        } catch (error) {
          const present = await readDimensions(table)
          throw present === vector.length ? error : otherVectors(present, vector.length)
        }
      })
    },
  }
}

/**
 * The chunks nearest by cosine, `rows` being about how many the table has. The vectors have length 1, so the cheaper dot
 * product is the cosine. Where an index answers, the cosine is that of vectors of 4 bits a dimension, 0.004 off in the
 * mean: comparing 600 of them whole took three quarters of a search, and what is ranked is compared by its windows anyway.
 */
function nearestTo(table: Table, vector: Float32Array, rows: number): VectorQuery {
  const probes = Math.max(MIN_PROBES, Math.ceil((rows / ROWS_PER_PARTITION) * PROBED_SHARE))
  return table.query().nearestTo(vector).column('vector').distanceType('dot').nprobes(probes)
}

type ScoreColumn = '_score' | '_distance'

/**
 * The best rows of a query and their scores; equal scores in the order in which they stand, so that an answer does not
 * change from call to call. Rows and scores alone: the identity of 400 chunks takes Lance two thirds as long as finding
 * them (of 100,000, 10.4 ms of processor time instead of 6.2), their text and windows three times as long.
 */
async function findBest(
  query: Query | VectorQuery,
  scoreColumn: ScoreColumn,
  { limit, filter }: SearchOptions,
): Promise<FoundChunk[]> {
  const predicate = chunkPredicate(filter)
  if (predicate !== null) query.where(predicate)
  const result = await toArrow(query.withRowId().select([scoreColumn]).limit(limit))
  const values = result.getChild(scoreColumn) as Vector<Float32> | null
  return Array.from(rowsOf(result), (row, i) => ({ row, score: toScore(values?.get(i) ?? 0, scoreColumn) })).sort(
    (a, b) => b.score - a.score || (a.row < b.row ? -1 : 1),
  )
}

/** Lance's distance is 1 - dot. */
function toScore(value: number, column: ScoreColumn): number {
  return column === '_score' ? value : Math.min(1, Math.max(-1, 1 - value))
}

/** What was found, in the order given; `null` for what stands there no more. What is not among the records that are kept goes to them. */
async function readRows(
  table: Table,
  found: readonly Pick<FoundChunk, 'row'>[],
  cache: RecordCache,
): Promise<(StoredChunk | null)[]> {
  const chunks = found.map(({ row }) => decodeIfThere(cache.get(table, row)))
  const absent = found.flatMap(({ row }, place) => (chunks[place] === null ? row : []))
  if (absent.length === 0) return chunks
  const records = await takeRecords(table, absent)
  return found.map(({ row }, place) => {
    const record = records.get(row)
    if (record !== undefined) cache.keep(table, row, record)
    return chunks[place] ?? decodeIfThere(record ?? null)
  })
}

/** Lance gives them in an order of its own. */
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

function decodeIfThere(record: Uint8Array | null): StoredChunk | null {
  return record && decodeChunk(record)
}

/** The chunks of one document, in order. */
async function readDocument(table: Table, documentId: string): Promise<StoredChunk[]> {
  const found = await toArrow(
    table
      .query()
      .where(documentPredicate([documentId]))
      .select(['record']),
  )
  const chunks = [...(recordsOf(found) ?? [])].flatMap((record) => (record ? [decodeChunk(record)] : []))
  return chunks.sort((a, b) => a.chunkIndex - b.chunkIndex)
}

/** Where the chunks of one document stand. */
async function listRowsOf(table: Table, documentId: string): Promise<bigint[]> {
  const query = table
    .query()
    .where(documentPredicate([documentId]))
    .withRowId()
    .select(['chunk_index'])
  return [...rowsOf(await toArrow(query))]
}

/** The place behind which no row stands that meets a condition; `null` where none does. */
export async function findLastRow(table: Table, predicate: string): Promise<bigint | null> {
  const found = await toArrow(table.query().where(predicate).withRowId().select(['chunk_index']))
  let last: bigint | null = null
  for (const row of rowsOf(found)) if (last === null || row > last) last = row
  return last
}

async function toArrow(query: Query | VectorQuery | TakeQuery): Promise<ArrowTable> {
  const result: unknown = await query.toArrow()
  // LanceDB types its tables by its own copy of apache-arrow's declarations.
  return result as ArrowTable
}

function recordsOf(table: ArrowTable): Vector<Binary> | null {
  return table.getChild('record') as Vector<Binary> | null
}

/** Where the rows of a result stand; none where it is without. */
function rowsOf(table: ArrowTable): BigUint64Array {
  const rows = table.getChild('_rowid') as Vector<Uint64> | null
  return rows?.toArray() ?? new BigUint64Array()
}

/** Chunks by document, read batch by batch. */
async function countByDocument(table: Table): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for await (const batch of table.query().select(['document_id'])) {
    for (const id of batch.getChild('document_id') ?? []) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

/** The rows of a table, as many as there were within the last seconds: counting them took as long as a tenth of a search. */
type RowCounts = (table: Table) => Promise<number>

/** Counts rows, and remembers the counts for as long as the tables are used. */
export function createRowCounts(nowMs: () => number = () => performance.now()): RowCounts {
  const counted = new WeakMap<Table, { rows: number; untilMs: number }>()
  return async (table) => {
    const known = counted.get(table)
    if (known !== undefined && nowMs() < known.untilMs) return known.rows
    const rows = await table.countRows()
    counted.set(table, { rows, untilMs: nowMs() + COUNT_FRESH_MS })
    return rows
  }
}
