/**
 * Changes of stored documents. A mark in `stale_chunks` is written with a change, and deleted once
 * the memory file has the changed words and labels. So a crash in between leaves nothing stale.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Document, Tables } from '../schema.ts'
import { replaceTagRows } from './inventory.ts'
import { nextRevision } from './memories-table.ts'

/** Changed columns of a document. */
export type ChangedColumns = Partial<Pick<Document, OfDocuments | OfCorrections>>

type OfDocuments = 'title' | 'title_given' | 'tags' | 'metadata' | 'enabled'
type OfCorrections =
  | ('statement' | 'topics' | 'boost' | 'expires_at')
  | ('size_bytes' | 'storage_bytes' | 'character_count' | 'content_hash')

/** Writes changed columns and the rows of changed tags. The memory must be locked. */
export async function changeDocument(
  transaction: Transaction<Tables>,
  { id, memory_id: memoryId }: Pick<Document, 'id' | 'memory_id'>,
  { at, ...columns }: ChangedColumns & { at: string },
): Promise<void> {
  const revision = await nextRevision(transaction, memoryId)
  await transaction
    .updateTable('documents')
    .set({ ...columns, revision, updated_at: at })
    .where('id', '=', id)
    .execute()
  await transaction.updateTable('memories').set({ updated_at: at }).where('id', '=', memoryId).execute()
  const { tags } = columns
  if (tags !== undefined)
    await replaceTagRows(transaction, { memoryId, documentId: id, tags: JSON.parse(tags) as string[] })
}

/** Lists the documents of a memory that are hidden from searches. */
export async function listHiddenDocuments(db: Kysely<Tables>, memoryId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('documents')
    .select('id')
    .where('memory_id', '=', memoryId)
    // With a literal and this order, SQLite uses the partial index. It would read all documents.
    .where('enabled', '=', sql.lit(0))
    .orderBy('seq')
    .execute()
  return rows.map(({ id }) => id)
}

/** Hides documents of the transaction, whose revision it has. */
export async function hideDocuments(transaction: Transaction<Tables>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await transaction.updateTable('documents').set({ enabled: 0 }).where('id', 'in', ids).execute()
}

/** Marks the chunks of documents as stale. */
export async function markStale(
  transaction: Transaction<Tables>,
  documents: readonly Pick<Document, 'id' | 'memory_id'>[],
  at: string,
): Promise<void> {
  for (const { id, memory_id } of documents) {
    await transaction
      .insertInto('stale_chunks')
      .values({ document_id: id, memory_id, created_at: at })
      .onConflict((conflict) => conflict.column('document_id').doNothing())
      .execute()
  }
}

/** Removes the mark of a document. */
export async function unmarkStale(db: Kysely<Tables>, documentId: string): Promise<void> {
  await db.deleteFrom('stale_chunks').where('document_id', '=', documentId).execute()
}

/** Lists up to `limit` documents with stale chunks, after the id `after` (initially `''`). */
export async function listStale(
  db: Kysely<Tables>,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('stale_chunks')
    .select('document_id')
    .where('document_id', '>', after)
    .orderBy('document_id')
    .limit(limit)
    .execute()
  return rows.map(({ document_id }) => document_id)
}
