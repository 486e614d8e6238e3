/** The file that a re-embedding makes to take the place of a memory's. */
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

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
