import type { Holder } from '../pacing/fair-budget.ts'
import type { Caller } from '../service/caller.ts'

/** Who a caller's part of a budget is counted to: the key, or where none is used the organization, within the organization. */
export function holderOf({ keyId, organizationId }: Pick<Caller, 'keyId' | 'organizationId'>): Holder {
  return { id: keyId ?? organizationId, groupId: organizationId }
}

/** The bytes of a budget that takes a share of the memory that a process may take (bytes), within bounds. */
export function sizeOfBudget(
  memoryBytes: number,
  { memoryShare, minBytes, maxBytes }: { memoryShare: number; minBytes: number; maxBytes: number },
): number {
  return Math.min(maxBytes, Math.max(minBytes, memoryBytes * memoryShare))
}
