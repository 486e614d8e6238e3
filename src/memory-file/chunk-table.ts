import type { RecordBatch, Schema, Table } from 'apache-arrow'
import { chunkId } from '../ids.ts'
import { arrow } from './arrow.ts'
import { binaryColumn, int32Column, listColumn, utf8Column, vectorColumn } from './chunk-columns.ts'
import { encodeChunk } from './chunk-record.ts'
import { chunkSchema } from './chunk-schema.ts'
import { inTurnsOf } from './chunk-turns.ts'
import type { ChunkRow } from './memory-file.ts'

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
  for await (const some of inTurnsOf(rows)) batches.push(toBatch(schema, dimensions, some))
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
