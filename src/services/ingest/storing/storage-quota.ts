import type { Kysely, Transaction } from 'kysely'
import { lockOrganization } from '../../../database/account/organizations-table.ts'
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
 * Throws `storage_quota_exceeded` when the organization stands over its plan; `added`: by what this
 * transaction adds, and takes back then.
 */
export async function requireStorage(
  transaction: Transaction<Tables>,
  { organizationId, planId }: { organizationId: string; planId: PlanId },
  added: number,
): Promise<void> {
  const { name, limits } = PLANS[planId]
  const { storageBytes: limit } = limits
  if (limit === null) return
  // What other memories of the organization gain at this moment counts, too.
  await lockOrganization(transaction, organizationId)
  const sum = await getStorageBytes(transaction, organizationId)
  if (sum <= limit) return
  throw new ApiError('storage_quota_exceeded', {
    message: `The plan ${name} stores ${limit} bytes; with this it would be ${sum}.`,
    extra: { limit, used: sum - added, planName: name },
  })
}

/**
 * Thrown where others took room of the plan since the job looked how much there is, so that what it
 * read is too much: nothing of it shows, and a job that looks again keeps what fits.
 */
export class QuotaConflict extends ApiError {
  constructor(refusal: ApiError) {
    super(refusal.code, { ...refusal.facts, cause: refusal })
  }
}
