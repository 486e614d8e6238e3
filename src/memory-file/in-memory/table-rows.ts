import type { Table } from '@lancedb/lancedb'
import type { Data, RecordBatch } from 'apache-arrow'
import type { IndexedRows, Texts } from './chunk-index.ts'

/** Columns of an index without vectors, and the record that is read back. */
const COLUMNS = ['document_id', 'kind', 'record', 'terms']

/** Rows of one batch; `rows` has the row ids. */
export type ReadRows = {
  rows: BigUint64Array
  records: Texts
  documentIds: Texts
  indexed: Omit<IndexedRows, 'slots' | 'documents'>
}

/** The fragment of a row id: Lance numbers fragments, and the rows of each. */
export const fragmentOf = (row: bigint) => Number(row >> 32n)
/** The place of a row in its fragment. */
export const placeInFragment = (row: bigint) => Number(row & 0xffff_ffffn)
/** The row id of a place in a fragment. */
export const rowAt = (fragment: number, place: number) => (BigInt(fragment) << 32n) | BigInt(place)

/**
 * Reads rows with all columns of an index, by ascending row id, in batches of about 1,000. No
 * vectors are read if `dimensions` is 0.
 */
export async function* readTableRows(
  table: Table,
  { from, dimensions }: { from: bigint; dimensions: number },
): AsyncGenerator<ReadRows, void, undefined> {
  const query = table
    .query()
    .withRowId()
    .select(dimensions === 0 ? COLUMNS : [...COLUMNS, 'vector'])
  if (from > 0n) query.where(`_rowid >= ${from}`)
  for await (const found of query) {
    const batch = found as unknown as RecordBatch
    if (batch.numRows === 0) continue
    const rows = toReadRows(batch, dimensions)
    release(batch)
    yield rows
  }
}

/**
 * Frees the bytes of a batch, which all columns share, after they were copied. V8 would collect its
 * whole heap for each 30 MB or so: 30 times for 100,000 rows, now 12 times.
 */
function release(batch: RecordBatch): void {
  const { buffer } = dataOf(batch, 'record').values as Uint8Array<ArrayBuffer>
  buffer.transfer(0)
}

/** Reads the row ids of a fragment that exist. */
export async function readRowIdsOf(table: Table, fragment: number): Promise<BigUint64Array> {
  const range = `_rowid >= ${rowAt(fragment, 0)} AND _rowid < ${rowAt(fragment + 1, 0)}`
  const ids: BigUint64Array[] = []
  for await (const batch of table.query().where(range).withRowId().select(['chunk_index']))
    ids.push(rowIdsOf(batch as unknown as RecordBatch))
  const all = new BigUint64Array(ids.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const some of ids) {
    all.set(some, end)
    end += some.length
  }
  return all
}

function toReadRows(batch: RecordBatch, dimensions: number): ReadRows {
  return {
    rows: rowIdsOf(batch),
    records: textsOf(dataOf(batch, 'record')),
    documentIds: textsOf(dataOf(batch, 'document_id')),
    indexed: {
      kinds: textsOf(dataOf(batch, 'kind')),
      terms: textsOf(dataOf(batch, 'terms')),
      vectors: dimensions === 0 ? new Uint16Array() : vectorsOf(dataOf(batch, 'vector'), dimensions),
    },
  }
}

function dataOf(batch: RecordBatch, column: string): Data {
  const data = batch.getChild(column)?.data[0]
  if (data === undefined) throw new TypeError(`the table has no column ${column}`)
  return data as Data
}

function rowIdsOf(batch: RecordBatch): BigUint64Array {
  return (dataOf(batch, '_rowid').values as BigUint64Array).slice(0, batch.numRows)
}

/** Copies texts: a view would keep the bytes of all columns. */
function textsOf({ values, valueOffsets, length }: Data): Texts {
  const offsets = valueOffsets.subarray(0, length + 1) as Int32Array
  const first = offsets[0] ?? 0
  return { bytes: (values as Uint8Array).slice(first, offsets.at(-1) ?? 0), offsets: offsets.map((at) => at - first) }
}

/** The 16-bit floats of a batch; zeros for a row without a vector. */
function vectorsOf(data: Data, dimensions: number): Uint16Array {
  const numbers = data.children[0]?.values as Uint16Array
  const vectors = numbers.slice(data.offset * dimensions, (data.offset + data.length) * dimensions)
  if (data.nullCount > 0)
    for (let row = 0; row < data.length; row += 1)
      if (!data.getValid(row)) vectors.fill(0, row * dimensions, (row + 1) * dimensions)
  return vectors
}
