import { setImmediate as yieldToEvents } from 'node:timers/promises'
import type { RecordBatch, Schema, Table } from 'apache-arrow'
import { chunkId } from '../ids.ts'
import { arrow } from './arrow.ts'
import { binaryColumn, int32Column, listColumn, utf8Column, vectorColumn } from './chunk-columns.ts'
import { encodeChunk } from './chunk-record.ts'
import { chunkSchema } from './chunk-schema.ts'
import type { ChunkRow } from './memory-file.ts'

/** Rows turned into Arrow between two turns of the event loop: about 1 ms of work. */
const ROWS_PER_BATCH = 256

/**
 * The Arrow table of these chunks, made in pieces so that the event loop stays free. Of chunks with one id the last stands. Rejects with
 * TypeError where their vectors differ in length.
 */
export async function toChunkTable(chunks: readonly ChunkRow[]): Promise<Table> {
  const dimensions = chunks[0]?.vector.length ?? 0
  if (chunks.some(({ vector }) => vector.length !== dimensions)) throw new TypeError('vectors of one length only')
  const schema = chunkSchema(dimensions)
  // Lance inserts both of two new rows that carry one key.
  const rows = [...new Map(chunks.map((chunk) => [chunkId(chunk.documentId, chunk.chunkIndex), chunk])).values()]
  const batches: RecordBatch[] = []
  for (let start = 0; start < rows.length; start += ROWS_PER_BATCH) {
    if (start > 0) await yieldToEvents()
    batches.push(toBatch(schema, dimensions, rows.slice(start, start + ROWS_PER_BATCH)))
  }
  return new arrow.Table(schema, batches)
}

function toBatch(schema: Schema, dimensions: number, rows: readonly ChunkRow[]): RecordBatch {
  const children = [
    utf8Column(rows.map((row) => chunkId(row.documentId, row.chunkIndex))),
    utf8Column(rows.map((row) => row.documentId)),
    int32Column(rows.map((row) => row.chunkIndex)),
    utf8Column(rows.map((row) => row.kind)),
    binaryColumn(rows.map(encodeChunk)),
    utf8Column(rows.map((row) => row.terms)),
    listColumn(rows.map((row) => row.labels)),
    vectorColumn(
      rows.map((row) => row.vector),
      dimensions,
    ),
  ]
  const data = arrow.makeData({
    type: new arrow.Struct(schema.fields),
    length: rows.length,
    nullCount: 0,
    nullBitmap: null,
    children,
  })
  return new arrow.RecordBatch(schema, data)
}
