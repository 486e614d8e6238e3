import { createRequire } from 'node:module'
import { setImmediate as yieldToEvents } from 'node:timers/promises'
import type { Table } from '@lancedb/lancedb'
import type { Table as ArrowTable, Data, RecordBatch, Schema, Utf8 } from 'apache-arrow'
import { chunkId } from '../ids.ts'
import { encodeChunk } from './chunk-record.ts'
import type { ChunkRow } from './memory-file.ts'

/**
 * Builds the Arrow table of these chunks in batches, so that the event loop stays responsive. The
 * last of several chunks with one id wins. Rejects with TypeError if vectors differ in length.
 */
export async function toChunkTable(chunks: readonly ChunkRow[]): Promise<ArrowTable> {
  const dimensions = chunks[0]?.vector.length ?? 0
  if (chunks.some(({ vector }) => vector.length !== dimensions)) throw new TypeError('vectors of one length only')
  const schema = chunkSchema(dimensions)
  // Lance inserts both of two new rows with the same key.
  const rows = [...new Map(chunks.map((chunk) => [chunkId(chunk.documentId, chunk.chunkIndex), chunk])).values()]
  const batches: RecordBatch[] = []
  for await (const some of batchesWithYield(rows)) batches.push(toBatch(schema, dimensions, some))
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

/**
 * The CommonJS build of apache-arrow, which is the instance that LanceDB loads. LanceDB recognises
 * tables by their class. The ES build has different classes, whose tables LanceDB would copy
 * without the children of lists.
 */
export const arrow = createRequire(import.meta.url)('apache-arrow') as typeof import('apache-arrow')

/**
 * The Arrow schema of a memory file. The first chunks determine the length of the vectors.
 *
 * `id` is Lance's unenforced primary key. With the key, two nodes that insert the same chunk at the
 * same time conflict, and one insert becomes an update. Without the key, the chunk is stored twice
 * (seen in a trial).
 *
 * The vector of a chunk without an embedding is null, so that no distance ever matches. Numbers
 * have 16 bits: half the bytes, and cosines equal to 0.0001.
 */
export function chunkSchema(dimensions: number): Schema {
  const { Schema, Field, Utf8, Int32, Float16, Binary, List, FixedSizeList } = arrow
  const primaryKey = new Map([['lance-schema:unenforced-primary-key', 'true']])
  return new Schema([
    new Field('id', new Utf8(), false, primaryKey),
    new Field('document_id', new Utf8(), false),
    new Field('chunk_index', new Int32(), false),
    new Field('kind', new Utf8(), false),
    new Field('record', new Binary(), false),
    new Field('terms', new Utf8(), false),
    new Field('labels', new List(new Field('item', new Utf8(), false)), false),
    new Field('vector', new FixedSizeList(dimensions, new Field('item', new Float16(), false)), true),
  ])
}

/** True for a table of {@link chunkSchema}, false for an older schema. */
export async function hasCurrentSchema(table: Table): Promise<boolean> {
  const { fields } = await table.schema()
  const vector = fields.find(({ name }) => name === 'vector')
  const item = vector?.type.children?.[0]
  return fields.some(({ name }) => name === 'record') && String(item?.type) === 'Float16'
}

/** Length of the vectors of a table. */
export async function readDimensions(table: Table): Promise<number> {
  const { fields } = await table.schema()
  const vector = fields.find(({ name }) => name === 'vector')
  return (vector?.type as { listSize?: number } | undefined)?.listSize ?? 0
}

/**
 * Work for one turn of the event loop: about 2 ms for ordinary chunks and for chunks with 200
 * labels.
 */
const MAX_PER_TURN = { rows: 64, labels: 4096 } as const

/**
 * Yields the chunks in order, in batches of one turn of the event loop, and yields to the loop in
 * between.
 */
export async function* batchesWithYield(chunks: readonly ChunkRow[]): AsyncGenerator<readonly ChunkRow[]> {
  let start = 0
  let labels = 0
  for (const [at, chunk] of chunks.entries()) {
    if (at > start && (at - start === MAX_PER_TURN.rows || labels + chunk.labels.length > MAX_PER_TURN.labels)) {
      yield chunks.slice(start, at)
      await yieldToEvents()
      start = at
      labels = 0
    }
    labels += chunk.labels.length
  }
  if (start < chunks.length) yield chunks.slice(start)
}

/*
 * Arrow columns are built directly from typed arrays. LanceDB's conversion of objects visits every
 * number of every vector, which blocked the event loop for 0.8 s. This code takes about 3 ms for
 * 1,000 chunks.
 */

/** A column of texts. */
function utf8Column(values: readonly string[]): Data<Utf8> {
  const { data, offsets } = concatenate(values.map((value) => Buffer.from(value, 'utf8')))
  return arrow.makeData({
    type: new arrow.Utf8(),
    length: values.length,
    nullCount: 0,
    nullBitmap: null,
    valueOffsets: offsets,
    data,
  })
}

/** A column of byte strings. */
function binaryColumn(values: readonly Int8Array[]): Data {
  const { data, offsets } = concatenate(values.map((v) => new Uint8Array(v.buffer, v.byteOffset, v.byteLength)))
  return arrow.makeData({
    type: new arrow.Binary(),
    length: values.length,
    nullCount: 0,
    nullBitmap: null,
    valueOffsets: offsets,
    data,
  })
}

/** A column of 32-bit integers. */
function int32Column(values: readonly number[]): Data {
  return arrow.makeData({
    type: new arrow.Int32(),
    length: values.length,
    nullCount: 0,
    nullBitmap: null,
    data: Int32Array.from(values),
  })
}

/** A column of lists of texts. */
function listColumn(values: readonly (readonly string[])[]): Data {
  const offsets = new Int32Array(values.length + 1)
  values.forEach((list, i) => {
    offsets[i + 1] = (offsets[i] ?? 0) + list.length
  })
  return arrow.makeData({
    type: new arrow.List(new arrow.Field('item', new arrow.Utf8(), false)),
    length: values.length,
    nullCount: 0,
    nullBitmap: null,
    valueOffsets: offsets,
    child: utf8Column(values.flat()),
  })
}

/** A column of vectors of one length; an all-zero vector becomes null. */
function vectorColumn(vectors: readonly Float32Array[], dimensions: number): Data {
  const flat = new Float16Array(vectors.length * dimensions)
  const present = vectors.map((vector, i) => {
    flat.set(vector, i * dimensions)
    return vector.some((x) => x !== 0) ? vector : null
  })
  const item = arrow.makeData({
    type: new arrow.Float16(),
    length: flat.length,
    nullCount: 0,
    nullBitmap: null,
    data: new Uint16Array(flat.buffer),
  })
  return arrow.makeData({
    type: new arrow.FixedSizeList(dimensions, new arrow.Field('item', new arrow.Float16(), false)),
    length: vectors.length,
    ...validity(present),
    child: item,
  })
}

function concatenate(parts: readonly Uint8Array[]): { data: Uint8Array; offsets: Int32Array } {
  const offsets = new Int32Array(parts.length + 1)
  parts.forEach((part, i) => {
    offsets[i + 1] = (offsets[i] ?? 0) + part.byteLength
  })
  return { data: Buffer.concat(parts), offsets }
}

function validity(values: readonly unknown[]): { nullCount: number; nullBitmap: Uint8Array | null } {
  const nullCount = values.filter((value) => value === null).length
  if (nullCount === 0) return { nullCount, nullBitmap: null }
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 8))
  values.forEach((value, i) => {
    if (value !== null) nullBitmap[i >> 3] = (nullBitmap[i >> 3] ?? 0) | (1 << (i & 7))
  })
  return { nullCount, nullBitmap }
}
