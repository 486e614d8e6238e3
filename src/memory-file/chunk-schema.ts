import type { Table } from '@lancedb/lancedb'
import type { Schema } from 'apache-arrow'
import { arrow } from './arrow.ts'

/** The columns that are read back: not what only filters, distances and scores need. */
export const STORED_COLUMNS = [
  'document_id',
  'chunk_index',
  'kind',
  'text',
  'windows',
  'start_offset',
  'end_offset',
  'page',
  'page_end',
  'section',
  'header',
] as const

/**
 * The Arrow schema of a memory file, whose vectors have as many numbers as those of its first chunks. `id` is marked as Lance's unenforced primary key: with it two nodes that insert
 * the same chunk at once conflict and one becomes an update; without it the chunk stands twice (seen in trial).
 * A vector is null for a chunk that has no embedding, so that no distance ever finds it.
 */
export function chunkSchema(dimensions: number): Schema {
  const { Schema, Field, Utf8, Int32, Float32, Binary, List, FixedSizeList } = arrow
  const primaryKey = new Map([['lance-schema:unenforced-primary-key', 'true']])
  return new Schema([
    new Field('id', new Utf8(), false, primaryKey),
    new Field('document_id', new Utf8(), false),
    new Field('chunk_index', new Int32(), false),
    new Field('kind', new Utf8(), false),
    new Field('text', new Utf8(), false),
    new Field('terms', new Utf8(), false),
    new Field('windows', new Binary(), false),
    new Field('start_offset', new Int32(), false),
    new Field('end_offset', new Int32(), false),
    new Field('page', new Int32(), true),
    new Field('page_end', new Int32(), true),
    new Field('section', new Utf8(), true),
    new Field('header', new Utf8(), true),
    new Field('labels', new List(new Field('item', new Utf8(), false)), false),
    new Field('vector', new FixedSizeList(dimensions, new Field('item', new Float32(), false)), true),
  ])
}

/** How many numbers the vectors of a table have. */
export async function readDimensions(table: Table): Promise<number> {
  const { fields } = await table.schema()
  const vector = fields.find(({ name }) => name === 'vector')
  return (vector?.type as { listSize?: number } | undefined)?.listSize ?? 0
}
