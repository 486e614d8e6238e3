import { ApiError } from '../errors.ts'
import type { Caller } from '../services/caller.ts'
import type { BudgetRefusal, Holder } from './fair-budget.ts'

/** Who a caller's part of a budget is counted to: the key, or where none is used the organization, within the organization. All without a caller are one. */
export function holderOf(caller: Pick<Caller, 'keyId' | 'organizationId'> | null): Holder {
  const { keyId, organizationId } = caller ?? { keyId: null, organizationId: 'public' }
  return { id: keyId ?? organizationId, groupId: organizationId }
}

/** The error for what a budget refuses: 429 where the caller's share is used up, 503 where everything is, with the message for that. */
export function budgetError(
  refusal: BudgetRefusal,
  {
    messages,
    ...facts
  }: { messages: Readonly<Record<BudgetRefusal, string>>; remedy: string; retryAfterSeconds?: number },
): ApiError {
  return new ApiError(refusal === 'share' ? 'rate_limited' : 'service_unavailable', {
    message: messages[refusal],
    ...facts,
  })
}

/** The bytes of a budget that takes a share of the memory that a process may take (bytes), within bounds. */
export function sizeOfBudget(
  memoryBytes: number,
  { memoryShare, minBytes, maxBytes }: { memoryShare: number; minBytes: number; maxBytes: number },
): number {
  return Math.min(maxBytes, Math.max(minBytes, memoryBytes * memoryShare))
}
