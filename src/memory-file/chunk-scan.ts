import type { Table } from '@lancedb/lancedb'
import type { Table as ArrowTable, Binary, FixedSizeList, Float32, List, Utf8, Vector } from 'apache-arrow'
import { documentPredicate, rangePredicate } from './chunk-predicate.ts'
import { decodeChunk } from './chunk-record.ts'
import { readDimensions } from './chunk-table.ts'
import type { ChunkRow, ScanOptions } from './memory-file.ts'

/** Limits of one batch. Lance reads 1,000 rows as fast per row as 10,000. */
const BATCH_LIMIT = { rows: 1024, bytes: 8 * 1024 * 1024 } as const
/** Generous estimate of the bytes of a chunk without its vector: text, terms and windows. */
const BYTES_BESIDE_VECTOR = 6000

/** Runs `work` on the table; returns `absent` if there is no table. */
type ReadTable = <T>(absent: T, work: (table: Table) => Promise<T>) => Promise<T>
/**
 * Documents to read together: all their chunks, or chunks `from` to before `to` of one document.
 */
type Group = { documentIds: string[]; rows: number; range: { from: number; to: number } | null }

/**
 * Yields every chunk, ordered by document id and chunk index. The scan consists of many short
 * reads: cleanup would delete a version that is read as long as a slow caller takes.
 */
export async function* scanChunks(read: ReadTable, options: ScanOptions): AsyncGenerator<ChunkRow[], void, undefined> {
  const { documentIds, withVectors = true } = options
  const dimensions = await read(0, readDimensions)
  const counts = await read(new Map<string, number>(), (table) => measureDocuments(table, documentIds))
  const maxRows = Math.max(1, Math.min(BATCH_LIMIT.rows, Math.floor(BATCH_LIMIT.bytes / bytesOfRow(dimensions))))
  for (const group of toGroups(counts, maxRows)) {
    const rows = await read<ChunkRow[]>([], (table) => readGroup(table, group, withVectors ? dimensions : 0))
    if (rows.length > 0) yield rows
  }
}

function bytesOfRow(dimensions: number): number {
  return BYTES_BESIDE_VECTOR + dimensions * Float32Array.BYTES_PER_ELEMENT
}

/** For each document, the index after its last chunk. */
async function measureDocuments(
  table: Table,
  documentIds: readonly string[] | undefined,
): Promise<Map<string, number>> {
  const ends = new Map<string, number>()
  const query = table.query().select(['document_id', 'chunk_index'])
  const predicate = documentIds && documentPredicate(documentIds)
  if (predicate !== undefined) query.where(predicate)
  for await (const batch of query) {
    const [ids, indexes] = [batch.getChild('document_id'), batch.getChild('chunk_index')]
    for (let i = 0; i < batch.numRows; i += 1) {
      const id = String(ids?.get(i))
      ends.set(id, Math.max(ends.get(id) ?? 0, Number(indexes?.get(i)) + 1))
    }
  }
  return ends
}

function* toGroups(ends: ReadonlyMap<string, number>, maxRows: number): Generator<Group> {
  let group: Group = { documentIds: [], rows: 0, range: null }
  for (const documentId of [...ends.keys()].sort()) {
    const end = ends.get(documentId) ?? 0
    if (group.rows > 0 && group.rows + end > maxRows) {
      yield group
      group = { documentIds: [], rows: 0, range: null }
    }
    if (end <= maxRows) {
      group.documentIds.push(documentId)
      group.rows += end
      continue
    }
    for (let from = 0; from < end; from += maxRows) {
      yield { documentIds: [documentId], rows: maxRows, range: { from, to: from + maxRows } }
    }
  }
  if (group.rows > 0) yield group
}

async function readGroup(table: Table, { documentIds, range }: Group, dimensions: number): Promise<ChunkRow[]> {
  const predicate = documentPredicate(documentIds)
  const inRange = range === null ? '' : ` AND ${rangePredicate(range)}`
  const columns = ['record', 'terms', 'labels', ...(dimensions > 0 ? ['vector'] : [])]
  const result: unknown = await table.query().where(`${predicate}${inRange}`).select(columns).toArrow()
  // LanceDB types its tables with its own copy of the declarations of apache-arrow.
  return toRows(result as ArrowTable, dimensions).sort(
    (a, b) => compareTexts(a.documentId, b.documentId) || a.chunkIndex - b.chunkIndex,
  )
}

function toRows(table: ArrowTable, dimensions: number): ChunkRow[] {
  const records = table.getChild('record') as Vector<Binary> | null
  const [terms, labels] = [table.getChild('terms'), table.getChild('labels') as Vector<List<Utf8>> | null]
  const vectors = table.getChild('vector') as Vector<FixedSizeList<Float32>> | null
  return Array.from({ length: table.numRows }, (_, i) => ({
    ...decodeChunk(records?.get(i) as Uint8Array),
    terms: String(terms?.get(i)),
    labels: [...(labels?.get(i) ?? [])].map(String),
    vector: copyVector(vectors?.get(i), dimensions),
  }))
}

/**
 * Returns zeros if there is no vector. Arrow returns 16-bit floats as integers with the same bits.
 */
function copyVector(vector: { toArray(): Float32Array | Uint16Array } | null | undefined, dimensions: number) {
  if (!vector) return new Float32Array(dimensions)
  const numbers = vector.toArray()
  if (numbers instanceof Float32Array) return numbers.slice()
  return Float32Array.from(new Float16Array(numbers.buffer, numbers.byteOffset, numbers.length))
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
