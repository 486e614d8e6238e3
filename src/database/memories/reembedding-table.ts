/**
 * The file that a re-embedding makes to take the place of a memory's.
 *
 * What a memory file that is being made has to be told of. From the transaction that begins it on (`memories.next_file`), every transaction that makes a
 * document of the memory show, anew or in another form, or removes one notes that here. So the documents that showed at the beginning, and those of
 * which a change is noted, are all there is to tell; and where no change is noted, under the lock of the memory, the file knows all.
 */
import type { Kysely, Transaction } from 'kysely'
import { type Document, LIVE, type Tables } from '../schema.ts'
import { slices } from '../statements.ts'

/** Names the file that is to take the place of the memory's; the memory must be locked. */
export async function beginFile(transaction: Transaction<Tables>, memoryId: string, file: string): Promise<void> {
  await transaction.updateTable('memories').set({ next_file: file }).where('id', '=', memoryId).execute()
}

/** Forgets the file that was to take the place of the memory's; `false` when another one is to, or none. */
export async function giveUpFile(transaction: Transaction<Tables>, memoryId: string, file: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('memories')
    .set({ next_file: null, closed_until: null })
    .where('id', '=', memoryId)
    .where('next_file', '=', file)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Puts the file in the place of the memory's; the memory must be locked. */
export async function takeFile(
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

/** Until then (ISO 8601) nothing new is to show in the memory, as long as this file is to take the place of its own; `null`: no longer. */
export async function closeMemory(
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

/** A change that was noted, so many times. */
type NotedChange = { document_id: string; times: number }

/** Notes for the file that these documents are not, or no longer, what they were; in the transaction that makes it so. */
export async function noteChanges(db: Kysely<Tables>, file: string, documentIds: readonly string[]): Promise<void> {
  const rows = documentIds.map((id) => ({ file, document_id: id, times: 1 }))
  for (const slice of slices(rows)) {
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

/** At most `limit` changes that are noted for the file. */
export function listChanges(db: Kysely<Tables>, file: string, limit: number): Promise<NotedChange[]> {
  return db
    .selectFrom('reembedding_changes')
    .select(['document_id', 'times'])
    .where('file', '=', file)
    .orderBy('document_id')
    .limit(limit)
    .execute()
}

/** True when the file knows of every change; sure in a transaction that has locked the memory. */
export async function hasNoChanges(db: Kysely<Tables>, file: string): Promise<boolean> {
  return (await listChanges(db, file, 1)).length === 0
}

/** Forgets changes of which the file was told; what changed once more since they were listed stays. */
export async function forgetChanges(db: Kysely<Tables>, file: string, told: readonly NotedChange[]): Promise<void> {
  for (const [times, changes] of Map.groupBy(told, (change) => change.times)) {
    for (const slice of slices(changes.map(({ document_id }) => document_id))) {
      await db
        .deleteFrom('reembedding_changes')
        .where('file', '=', file)
        .where('times', '=', times)
        .where('document_id', 'in', slice)
        .execute()
    }
  }
}

/** Forgets all changes noted for a file that is no more. */
export async function forgetFile(db: Kysely<Tables>, file: string): Promise<void> {
  await db.deleteFrom('reembedding_changes').where('file', '=', file).execute()
}

/** Of a document, what its vectors are made with beside its chunks. */
export type CarriedDocument = Pick<Document, 'id' | 'seq' | 'title' | 'topics' | 'chunk_count'>

const CARRIED = ['id', 'seq', 'title', 'topics', 'chunk_count'] as const

/** The number in the order of arrival of the memory's youngest document; 0 when there is none. */
export async function getLastArrival(db: Kysely<Tables>, memoryId: string): Promise<number> {
  const last = await db
    .selectFrom('documents')
    .select('seq')
    .where('memory_id', '=', memoryId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.seq ?? 0
}

/** At most `limit` documents of the memory that show, in order of arrival, after the one with this number and up to another. */
export function listCarried(
  db: Kysely<Tables>,
  { memoryId, after, upTo, limit }: { memoryId: string; after: number; upTo: number; limit: number },
): Promise<CarriedDocument[]> {
  return db
    .selectFrom('documents')
    .select(CARRIED)
    .where('memory_id', '=', memoryId)
    .where('status', 'in', LIVE)
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

/** Of these documents those that show. */
export async function listLive(db: Kysely<Tables>, documentIds: readonly string[]): Promise<CarriedDocument[]> {
  const found: CarriedDocument[] = []
  for (const slice of slices(documentIds)) {
    const rows = await db
      .selectFrom('documents')
      .select(CARRIED)
      .where('id', 'in', slice)
      .where('status', 'in', LIVE)
      .execute()
    found.push(...rows)
  }
  return found
}
