import type { Query, Table, TakeQuery } from '@lancedb/lancedb'
import type { Table as ArrowTable, Binary, Uint64, Vector } from 'apache-arrow'
import { documentPredicate } from './chunk-predicate.ts'
import { decodeChunk } from './chunk-record.ts'
import type { FoundChunk, StoredChunk } from './memory-file.ts'

/** What was found, in the order given; `null` for what stands there no more. */
export async function readFound(
  table: Table,
  found: readonly Pick<FoundChunk, 'row'>[],
): Promise<(StoredChunk | null)[]> {
  const wanted = found.map(({ row }) => row)
  const taken = await toArrow(table.takeRowIds(wanted).withRowId().select(['record']))
  const records = recordsOf(taken)
  // Lance gives them in an order of its own.
  const places = new Map([...rowsOf(taken)].map((row, place) => [row, place]))
  return wanted.map((row) => {
    const place = places.get(row)
    const record = place === undefined ? null : records?.get(place)
    return record ? decodeChunk(record) : null
  })
}

/** The chunks of one document, in order. */
export async function readDocument(table: Table, documentId: string): Promise<StoredChunk[]> {
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
export async function listRowsOf(table: Table, documentId: string): Promise<bigint[]> {
  const query = table
    .query()
    .where(documentPredicate([documentId]))
    .withRowId()
    .select(['chunk_index'])
  return [...rowsOf(await toArrow(query))]
}

async function toArrow(query: Query | TakeQuery): Promise<ArrowTable> {
  const result: unknown = await query.toArrow()
  // LanceDB types its tables by its own copy of apache-arrow's declarations.
  return result as ArrowTable
}

function recordsOf(table: ArrowTable): Vector<Binary> | null {
  return table.getChild('record') as Vector<Binary> | null
}

/** Where the rows of a result stand; none where it is without. */
export function rowsOf(table: ArrowTable): BigUint64Array {
  const rows = table.getChild('_rowid') as Vector<Uint64> | null
  return rows?.toArray() ?? new BigUint64Array()
}
