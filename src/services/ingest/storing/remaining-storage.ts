import type { Kysely } from 'kysely'
import { getStorageBytes } from '../../../database/documents/ingest.ts'
import type { Tables } from '../../../database/schema.ts'
import { PLANS, type PlanId } from '../../../limits.ts'

/** Bytes the organization may still store, never below 0; `null` when its plan has no limit. */
export async function getRemainingStorage(
  db: Kysely<Tables>,
  organizationId: string,
  planId: PlanId,
): Promise<number | null> {
  const { storageBytes } = PLANS[planId].limits
  if (storageBytes === null) return null
  return Math.max(0, storageBytes - (await getStorageBytes(db, organizationId)))
}
