/** Table of the items of sources, see {@link SourceItem}. */
import type { Kysely } from 'kysely'
import type { Document, SourceItem, Tables } from '../schema.ts'

/** An item with the state of its document; `null` if the document was deleted or replaced. */
export type KnownItem = SourceItem & { status: Document['status'] | null }

/** An item of a source. */
type ItemKey = { sourceId: string; key: string }

/** Reads an item; `null` if unknown. */
export async function getSourceItem(db: Kysely<Tables>, { sourceId, key }: ItemKey): Promise<KnownItem | null> {
  const found = await db
    .selectFrom('source_items')
    .leftJoin('documents', 'documents.id', 'source_items.document_id')
    .selectAll('source_items')
    .select('documents.status')
    .where('source_items.source_id', '=', sourceId)
    .where('source_items.key', '=', key)
    .executeTakeFirst()
  return found ?? null
}

/** Inserts or replaces an item, only while its source exists. Returns whether it exists. */
export async function putSourceItem(db: Kysely<Tables>, item: SourceItem): Promise<boolean> {
  const { source_id: sourceId, key: _, ...changed } = item
  return db.transaction().execute(async (transaction) => {
    // Deletion locks the row as well: no item is left without its source.
    const { numUpdatedRows } = await transaction
      .updateTable('sources')
      .set((source) => ({ attempts: source.ref('attempts') }))
      .where('id', '=', sourceId)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return false
    await transaction
      .insertInto('source_items')
      .values(item)
      .onConflict((conflict) => conflict.columns(['source_id', 'key']).doUpdateSet(changed))
      .execute()
    return true
  })
}

/** Deletes an item. */
export async function deleteSourceItem(db: Kysely<Tables>, { sourceId, key }: ItemKey): Promise<void> {
  await db.deleteFrom('source_items').where('source_id', '=', sourceId).where('key', '=', key).execute()
}

/** Lists up to `limit` items of a source by key, after the key `after` (initially `''`). */
export function listSourceItems(
  db: Kysely<Tables>,
  { sourceId, after, limit }: { sourceId: string; after: string; limit: number },
): Promise<SourceItem[]> {
  return db
    .selectFrom('source_items')
    .selectAll()
    .where('source_id', '=', sourceId)
    .where('key', '>', after)
    .orderBy('key')
    .limit(limit)
    .execute()
}

/** Counts the documents of sources by source. */
export async function countSourceDocuments(
  db: Kysely<Tables>,
  sourceIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (sourceIds.length === 0) return new Map()
  const counts = await db
    .selectFrom('source_items')
    .innerJoin('documents', 'documents.id', 'source_items.document_id')
    .select((select) => ['source_items.source_id', select.fn.countAll<number>().as('total')])
    .where('source_items.source_id', 'in', sourceIds)
    .groupBy('source_items.source_id')
    .execute()
  return new Map(counts.map(({ source_id: id, total }) => [id, Number(total)]))
}

/** Returns the name of another source of the memory that has a document under the key. */
export async function findOwner(
  db: Kysely<Tables>,
  { memoryId, key, sourceId }: { memoryId: string; key: string; sourceId: string },
): Promise<string | null> {
  const owner = await db
    .selectFrom('source_items')
    .innerJoin('sources', 'sources.id', 'source_items.source_id')
    .innerJoin('documents', 'documents.id', 'source_items.document_id')
    .select('sources.name')
    .where('source_items.memory_id', '=', memoryId)
    .where('source_items.key', '=', key)
    .where('source_items.source_id', '!=', sourceId)
    .executeTakeFirst()
  return owner?.name ?? null
}

/** Ids of the live documents of a memory with an external identifier. */
export async function listDocumentIdsByKey(
  db: Kysely<Tables>,
  { memoryId, key }: { memoryId: string; key: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('documents')
    .select('id')
    .where('memory_id', '=', memoryId)
    .where('external_id', '=', key)
    .execute()
  return rows.map(({ id }) => id)
}

/** Makes the next run read every item of a source again. */
export async function forgetFingerprints(db: Kysely<Tables>, sourceId: string): Promise<void> {
  await db.updateTable('source_items').set({ fingerprint: null }).where('source_id', '=', sourceId).execute()
}
