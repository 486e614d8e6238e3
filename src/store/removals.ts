import type { Kysely, Transaction } from 'kysely'
import type { Removal, Tables } from './schema.ts'

/** Documents of a deleted memory whose rows are removed in one transaction: 3 to 5 ms, for everyone waits as long. */
const DOCUMENTS_A_PURGE = 50

/**
 * Notes, in the transaction that deletes a document or (without `documentId`) a memory, what it leaves behind.
 * Returns the note's identifier, which is that of what was deleted.
 */
export async function insertRemoval(
  transaction: Transaction<Tables>,
  { memoryId, documentId, now }: { memoryId: string; documentId: string | null; now: Date },
): Promise<string> {
  const id = documentId ?? memoryId
  const kind = documentId === null ? 'memory' : 'document'
  await transaction
    .insertInto('removals')
    .values({ id, kind, memory_id: memoryId, document_id: documentId, created_at: now.toISOString() })
    .execute()
  return id
}

/** The removals with these identifiers that are still to be carried out. */
export async function listRemovals(db: Kysely<Tables>, ids: readonly string[]): Promise<Removal[]> {
  if (ids.length === 0) return []
  return db.selectFrom('removals').selectAll().where('id', 'in', ids).orderBy('id').execute()
}

/** At most `limit` of all removals, oldest first within a kind; `after` is the last of the list before, at first `''`. */
export function listAllRemovals(
  db: Kysely<Tables>,
  { after, limit }: { after: string; limit: number },
): Promise<Removal[]> {
  return db.selectFrom('removals').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute()
}

/** Forgets removals that were carried out. */
export async function deleteRemovals(db: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('removals').where('id', 'in', ids).execute()
}

/** Removes rows of some documents of a deleted memory; `false` when none are left. */
export async function purgeDocumentRows(db: Kysely<Tables>, memoryId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('documents')
    .where('seq', 'in', (documents) =>
      documents.selectFrom('documents').select('seq').where('memory_id', '=', memoryId).limit(DOCUMENTS_A_PURGE),
    )
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
