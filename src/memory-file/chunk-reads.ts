import type { Query, Table, TakeQuery } from '@lancedb/lancedb'
import type { Table as ArrowTable, Binary, Uint64, Vector } from 'apache-arrow'
import { documentPredicate } from './chunk-predicate.ts'
import { decodeChunk } from './chunk-record.ts'
import type { KeptRecords } from './kept-records.ts'
import type { FoundChunk, StoredChunk } from './memory-file.ts'

/** What was found, in the order given; `null` for what stands there no more. What is not among the records that are kept goes to them. */
export async function readFound(
  table: Table,
  found: readonly Pick<FoundChunk, 'row'>[],
  kept: KeptRecords,
): Promise<(StoredChunk | null)[]> {
  const chunks = found.map(({ row }) => decodeIfThere(kept.get(table, row)))
  const absent = found.flatMap(({ row }, place) => (chunks[place] === null ? row : []))
  if (absent.length === 0) return chunks
  const records = await takeRecords(table, absent)
  return found.map(({ row }, place) => {
    const record = records.get(row)
    if (record !== undefined) kept.keep(table, row, record)
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

/** The place behind which no row stands that meets a condition; `null` where none does. */
export async function findLastRow(table: Table, predicate: string): Promise<bigint | null> {
  const found = await toArrow(table.query().where(predicate).withRowId().select(['chunk_index']))
  let last: bigint | null = null
  for (const row of rowsOf(found)) if (last === null || row > last) last = row
  return last
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
