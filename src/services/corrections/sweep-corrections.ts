import type { Kysely, Transaction } from 'kysely'
import { listExpired } from '../../database/documents/corrections.ts'
import { removeDocumentRows } from '../../database/documents/documents.ts'
import { lockMemory } from '../../database/memories/memories.ts'
import type { Tables } from '../../database/schema.ts'
import type { Removals } from '../deletion/removals.ts'

/** Expired corrections stay in lists this long, for who wonders where they are. Our choice. */
const KEPT_MS = 7 * 24 * 3600 * 1000
/** Removed between two looks at what is left. */
const A_STEP = 100

/** Removes the corrections that expired a week ago; they have not been found since they expired. */
export async function sweepCorrections({
  db,
  removals,
  now,
}: {
  db: Kysely<Tables>
  removals: Pick<Removals, 'carryOut'>
  now: () => Date
}): Promise<void> {
  const before = new Date(now().getTime() - KEPT_MS).toISOString()
  for (;;) {
    const expired = await listExpired(db, { before, limit: A_STEP })
    const removed: string[] = []
    for (const { id, memory_id: memoryId } of expired) {
      const removalId = await db.transaction().execute((transaction) => remove(transaction, { id, memoryId }, now()))
      if (removalId !== null) removed.push(removalId)
    }
    await removals.carryOut(removed)
    if (expired.length < A_STEP) return
  }
}

/** `null` where it is gone already. */
async function remove(
  transaction: Transaction<Tables>,
  { id, memoryId }: { id: string; memoryId: string },
  now: Date,
): Promise<string | null> {
  await lockMemory(transaction, memoryId)
  const document = await transaction.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirst()
  const [removalId = null] = await removeDocumentRows(transaction, document === undefined ? [] : [document], now)
  return removalId
}
