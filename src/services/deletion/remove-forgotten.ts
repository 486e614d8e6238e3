import type { Kysely } from 'kysely'
import { insertRemovals } from '../../database/deletion/removals.ts'
import { listForgottenDocuments } from '../../database/documents/inventory.ts'
import type { Tables } from '../../database/schema.ts'
import type { Removals } from './removals.ts'

/** What removing needs. */
export type ForgottenRemoval = { db: Kysely<Tables>; removals: Pick<Removals, 'carryOut'>; now: () => Date }

/**
 * Removes what there is of those of the documents that no row names. To be called when no process can write more of them under a row. Rejects when the
 * database is down; what else fails is left for the sweep.
 */
export async function removeForgotten(
  { db, removals, now }: ForgottenRemoval,
  memoryId: string,
  documentIds: readonly string[],
): Promise<void> {
  const noted = await db.transaction().execute(async (transaction) => {
    const forgotten = await listForgottenDocuments(transaction, documentIds)
    const at = now()
    return insertRemovals(
      transaction,
      forgotten.map((documentId) => ({ kind: 'document', memoryId, documentId, now: at }) as const),
    )
  })
  await removals.carryOut(noted)
}
