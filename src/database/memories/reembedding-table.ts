/**
 * The shadow file of a re-embedding, and the changes to replay into it. After the start
 * (`memories.next_file`), every transaction that publishes, changes or deletes a document of the
 * memory records the document here. So the initial documents plus the recorded changes are
 * complete. Without recorded changes, under the memory's lock, the shadow file is up to date.
 */
import type { Kysely, Transaction } from 'kysely'
import { type Document, LIVE_STATUSES, type Tables } from '../schema.ts'
import { batches } from '../statements.ts'

/** Sets the shadow file of a locked memory. */
export async function setShadowFile(transaction: Transaction<Tables>, memoryId: string, file: string): Promise<void> {
  await transaction.updateTable('memories').set({ next_file: file }).where('id', '=', memoryId).execute()
}

/** Removes the shadow file; `false` if the memory has a different one or none. */
export async function removeShadowFile(
  transaction: Transaction<Tables>,
  memoryId: string,
  file: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('memories')
    .set({ next_file: null, closed_until: null })
    .where('id', '=', memoryId)
    .where('next_file', '=', file)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Switches the memory to the shadow file; the memory must be locked. */
export async function switchToShadowFile(
  transaction: Transaction<Tables>,
  { memoryId, file, embeddingModel, at }: { memoryId: string; file: string; embeddingModel: string; at: string },
): Promise<void> {
  await transaction
    .updateTable('memories')
    .set({ file, embedding_model: embeddingModel, next_file: null, closed_until: null, updated_at: at })
    .where('id', '=', memoryId)
    .where('next_file', '=', file)
    .execute()
}

/**
 * Blocks new publications in the memory until a time (ISO 8601), while this shadow file exists;
 * `null` unblocks.
 */
export async function blockPublications(
  db: Kysely<Tables>,
  { memoryId, file, until }: { memoryId: string; file: string; until: string | null },
): Promise<void> {
  await db
    .updateTable('memories')
    .set({ closed_until: until })
    .where('id', '=', memoryId)
    .where('next_file', '=', file)
    .execute()
}

/** A changed document with its number of changes. */
type RecordedChange = { document_id: string; times: number }

/** Records changed documents, in the transaction of the change. */
export async function recordChanges(db: Kysely<Tables>, file: string, documentIds: readonly string[]): Promise<void> {
  const rows = documentIds.map((id) => ({ file, document_id: id, times: 1 }))
  for (const slice of batches(rows)) {
    await db
      .insertInto('reembedding_changes')
      .values(slice)
      .onConflict((conflict) =>
        conflict
          .columns(['file', 'document_id'])
          .doUpdateSet((update) => ({ times: update('reembedding_changes.times', '+', 1) })),
      )
      .execute()
  }
}

/** Lists up to `limit` recorded changes. */
export function listChanges(db: Kysely<Tables>, file: string, limit: number): Promise<RecordedChange[]> {
  return db
    .selectFrom('reembedding_changes')
    .select(['document_id', 'times'])
    .where('file', '=', file)
    .orderBy('document_id')
    .limit(limit)
    .execute()
}

/** True if no changes are recorded; reliable while the memory is locked. */
export async function hasNoChanges(db: Kysely<Tables>, file: string): Promise<boolean> {
  return (await listChanges(db, file, 1)).length === 0
}

/** Deletes replayed changes; documents changed again meanwhile are kept. */
export async function deleteReplayedChanges(
  db: Kysely<Tables>,
  file: string,
  replayed: readonly RecordedChange[],
): Promise<void> {
  for (const [times, changes] of Map.groupBy(replayed, (change) => change.times)) {
    for (const slice of batches(changes.map(({ document_id }) => document_id))) {
      await db
        .deleteFrom('reembedding_changes')
        .where('file', '=', file)
        .where('times', '=', times)
        .where('document_id', 'in', slice)
        .execute()
    }
  }
}

/** Deletes all changes of a discarded file. */
export async function deleteChangesOfFile(db: Kysely<Tables>, file: string): Promise<void> {
  await db.deleteFrom('reembedding_changes').where('file', '=', file).execute()
}

/** Document columns needed for embedding its chunks. */
export type DocumentToCopy = Pick<Document, 'id' | 'seq' | 'title' | 'topics' | 'language' | 'chunk_count'>

const COPY_COLUMNS = ['id', 'seq', 'title', 'topics', 'language', 'chunk_count'] as const

/** Highest sequence number in the memory; 0 if empty. */
export async function getMaxSeq(db: Kysely<Tables>, memoryId: string): Promise<number> {
  const last = await db
    .selectFrom('documents')
    .select('seq')
    .where('memory_id', '=', memoryId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.seq ?? 0
}

/**
 * Lists up to `limit` visible documents with sequence numbers above `after`, up to `upTo`, in
 * order.
 */
export function listDocumentsToCopy(
  db: Kysely<Tables>,
  { memoryId, after, upTo, limit }: { memoryId: string; after: number; upTo: number; limit: number },
): Promise<DocumentToCopy[]> {
  return db
    .selectFrom('documents')
    .select(COPY_COLUMNS)
    .where('memory_id', '=', memoryId)
    .where('status', 'in', LIVE_STATUSES)
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

/** Returns the visible documents among `documentIds`. */
export async function filterLiveDocuments(
  db: Kysely<Tables>,
  documentIds: readonly string[],
): Promise<DocumentToCopy[]> {
  const found: DocumentToCopy[] = []
  for (const slice of batches(documentIds)) {
    const rows = await db
      .selectFrom('documents')
      .select(COPY_COLUMNS)
      .where('id', 'in', slice)
      .where('status', 'in', LIVE_STATUSES)
      .execute()
    found.push(...rows)
  }
  return found
}
