/**
 * What a memory file that is being made has to be told of. From the transaction that begins it on (`memories.next_file`), every transaction that makes a
 * document of the memory show, anew or in another form, or removes one notes that here. So the documents that showed at the beginning, and those of
 * which a change is noted, are all there is to tell; and where no change is noted, under the lock of the memory, the file knows all.
 */
import type { Kysely } from 'kysely'
import type { Tables } from '../schema.ts'
import { slices } from '../slices.ts'

/** A change that was noted, so many times. */
export type NotedChange = { document_id: string; times: number }

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
