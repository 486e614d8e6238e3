import type { Kysely, Transaction } from 'kysely'
import { lockOrganization } from '../../../database/account/organizations-table.ts'
import { getStorageBytes } from '../../../database/memories/document-writes.ts'
import type { Tables } from '../../../database/schema.ts'
import { ApiError } from '../../../errors.ts'
import { PLANS, type PlanId } from '../../../limits.ts'

/** Remaining storage of the organization in bytes, at least 0; `null` for a plan without limit. */
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
 * Throws `storage_quota_exceeded` when the organization exceeds its plan; `added` is the change of
 * this transaction, excluded from the reported usage.
 */
export async function requireStorage(
  transaction: Transaction<Tables>,
  { organizationId, planId }: { organizationId: string; planId: PlanId },
  added: number,
): Promise<void> {
  const { name, limits } = PLANS[planId]
  const { storageBytes: limit } = limits
  if (limit === null) return
  // Locked, so that concurrent adds to other memories of the organization count, too.
  await lockOrganization(transaction, organizationId)
  const sum = await getStorageBytes(transaction, organizationId)
  if (sum <= limit) return
  throw new ApiError('storage_quota_exceeded', {
    message: `The plan ${name} includes ${limit} bytes of storage; this would use ${sum}.`,
    extra: { limit, used: sum - added, planName: name },
  })
}

/**
 * Thrown when concurrent work used the plan's storage since the job measured the rest. Nothing is
 * published, and a repetition keeps the documents that fit.
 */
export class QuotaConflict extends ApiError {
  constructor(refusal: ApiError) {
    super(refusal.code, { ...refusal.facts, cause: refusal })
  }
}
