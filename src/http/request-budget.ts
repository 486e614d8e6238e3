import { QUERY_BUDGET } from '../limits.ts'
import type { Caller } from '../services/caller.ts'
import { budgetError, holderOf } from './budget-sizes.ts'
import { createFairBudget } from './fair-budget.ts'

/** The requests under way, each of which keeps a connection. */
export type RequestBudget = {
  /** Counts a request of the caller; gives what ends it. Throws `rate_limited` where the caller has as many as it may, `service_unavailable` where all do. */
  begin(caller: Caller): () => void
}

/** Shares a number of connections: one key alone may use half of them, so that requests that are held or slow keep no other key out. */
export function createRequestBudget(maxConnections: number): RequestBudget {
  const budget = createFairBudget({ total: maxConnections, leastShare: 1 })
  return {
    begin(caller) {
      const held = budget.open(holderOf(caller))
      const refusal = held.take(1)
      if (refusal === null) return held.release
      throw budgetError(refusal, {
        messages: {
          share: 'This API key, or its organization, has as many requests under way as it may.',
          total: 'The service has as many requests under way as it may.',
        },
        remedy: 'Try again after the seconds in Retry-After, with fewer requests at a time.',
        retryAfterSeconds: QUERY_BUDGET.retryAfterSeconds,
      })
    },
  }
}
