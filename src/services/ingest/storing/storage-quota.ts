import type { Kysely } from 'kysely'
import { getStorageBytes } from '../../../database/memories/document-writes.ts'
import type { Tables } from '../../../database/schema.ts'
import { ApiError } from '../../../errors.ts'
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

/**
 * Thrown where others took room of the plan since the job looked how much there is, so that what it read is too much: nothing of it shows, and a job that
 * looks again keeps what fits.
 */
export class QuotaConflict extends ApiError {
  constructor(refusal: ApiError) {
    super(refusal.code, { ...refusal.facts, cause: refusal })
  }
}
