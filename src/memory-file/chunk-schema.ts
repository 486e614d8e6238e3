import type { Table } from '@lancedb/lancedb'
import type { Schema } from 'apache-arrow'
import { arrow } from './arrow.ts'

/**
 * The Arrow schema of a memory file, whose vectors have as many numbers as those of its first chunks. `id` is marked as Lance's unenforced primary key: with it two nodes that insert
 * the same chunk at once conflict and one becomes an update; without it the chunk stands twice (seen in trial).
 * A vector is null for a chunk that has no embedding, so that no distance ever finds it. Its numbers have 16 bits: half of the bytes, cosines the same to
 * 0.0001.
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

/** True for a table of {@link chunkSchema}, and not of an older one. */
export async function hasOurForm(table: Table): Promise<boolean> {
  const { fields } = await table.schema()
  const vector = fields.find(({ name }) => name === 'vector')
  const item = vector?.type.children?.[0]
  return fields.some(({ name }) => name === 'record') && String(item?.type) === 'Float16'
}

/** How many numbers the vectors of a table have. */
export async function readDimensions(table: Table): Promise<number> {
  const { fields } = await table.schema()
  const vector = fields.find(({ name }) => name === 'vector')
  return (vector?.type as { listSize?: number } | undefined)?.listSize ?? 0
}
