import type { Kysely, Transaction } from 'kysely'
import { compareCounters, listForgottenDocuments, listForgottenMemories, setCounters } from '../../store/inventory.ts'
import { insertRemoval } from '../../store/removals.ts'
import type { Tables } from '../../store/schema.ts'
import type { Removals } from '../removals.ts'
import type { Damage } from './damage.ts'

/** What mending needs. */
export type MendingParts = { db: Kysely<Tables>; removals: Removals; now: () => Date }

/**
 * Mends one damage if that loses nothing that a row names; `false`: it is left as it is. What is to go is noted as a removal first, as any
 * deletion is, so that a mending that breaks off is carried on by the service's sweep.
 */
export async function mendStorage({ db, removals, now }: MendingParts, damage: Damage): Promise<boolean> {
  const { memoryId } = damage
  if (memoryId === null) return false
  const noted = await db.transaction().execute((transaction) => note(transaction, { ...damage, memoryId }, now()))
  if (typeof noted === 'boolean') return noted
  await removals.carryOut([noted])
  return true
}

/** The removal that mends it, noted; or whether it was mended already. */
async function note(
  transaction: Transaction<Tables>,
  { kind, memoryId, documentId }: Damage & { memoryId: string },
  now: Date,
): Promise<string | boolean> {
  if (kind === 'wrong_counters') {
    const compared = await compareCounters(transaction, memoryId)
    if (compared !== null) await setCounters(transaction, memoryId, compared.counted)
    return true
  }
  if (kind === 'forgotten_memory') {
    const isForgotten = (await listForgottenMemories(transaction, [memoryId])).length > 0
    return isForgotten ? insertRemoval(transaction, { kind: 'memory', memoryId, now }) : false
  }
  if (documentId === null) return false
  if (kind === 'forgotten_document') {
    const isForgotten = (await listForgottenDocuments(transaction, [documentId])).length > 0
    return isForgotten ? insertRemoval(transaction, { kind: 'document', memoryId, documentId, now }) : false
  }
  if (kind === 'leftover_upload') return insertRemoval(transaction, { kind: 'upload', memoryId, documentId, now })
  return false
}
