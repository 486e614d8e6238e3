import type { ApiError } from '../errors.ts'
import { QUERY_BUDGET } from '../limits.ts'
import type { Caller } from '../services/caller.ts'
import { type BudgetRefusal, budgetError, budgetHolderOf, budgetSize, createFairBudget } from './fair-budget.ts'
import type { Answer } from './route.ts'

/** Memory budget for all running queries. */
export type QueryBudget = {
  /**
   * Opens the share of a request. Throws like {@link QueryShare.reserve} if the caller has no share
   * left.
   */
  open(caller: Caller): QueryShare
}

/** Memory share of one request. */
export type QueryShare = {
  /**
   * Reserves memory for a query. Throws `rate_limited` if the caller's share is used up,
   * `service_unavailable` if the whole budget is.
   */
  reserve(bytes: number): void
  /**
   * Replaces the reservation with the size of the response, until the response is sent. Never
   * throws, because finished work must be answered.
   */
  holdResponse(bytes: number): void
  /** Releases everything. Safe to call twice. */
  release(): void
}

/**
 * Maximum share of the budget per request. An estimate may exceed the budget of a small process,
 * and a single query must still run.
 */
const MAX_REQUEST_SHARE = 1 / 4

/** Returns the budget for a process with this much memory, in bytes. */
export function sizeQueryBudget(memoryBytes: number): number {
  return budgetSize(memoryBytes, QUERY_BUDGET)
}

/**
 * Creates a budget of this many bytes. A request reserves an estimate from its parameters, and its
 * response holds its real size. A client that does not read keeps its response in memory.
 */
export function createQueryBudget(totalBytes: number): QueryBudget {
  const budget = createFairBudget({ total: totalBytes })
  return {
    open(caller) {
      const held = budget.open(budgetHolderOf(caller))
      let taken = 0
      const take = (bytes: number) => {
        const amount = Math.min(bytes, totalBytes * MAX_REQUEST_SHARE - taken)
        const refusal = held.reserve(amount)
        if (refusal !== null) throw toQueryBudgetError(refusal)
        taken += amount
      }
      take(QUERY_BUDGET.requestBytes)
      return {
        reserve: take,
        holdResponse(bytes) {
          held.release()
          held.forceReserve(QUERY_BUDGET.requestBytes + bytes)
        },
        release: held.release,
      }
    },
  }
}

/**
 * Returns the bytes that a response holds until it is sent. Text counts twice, for the string and
 * its socket buffer. Streams count only what is in transit, because their data was read before.
 */
export function responseBytes({ body }: Pick<Answer, 'body'>): number {
  if (typeof body === 'string') return 2 * body.length
  return Buffer.isBuffer(body) ? body.length : 0
}

function toQueryBudgetError(refusal: BudgetRefusal): ApiError {
  const what = 'hold too much memory.'
  return budgetError(refusal, {
    messages: {
      share: `The running requests of this API key or its organization ${what}`,
      total: `The running requests of the service ${what}`,
    },
    remedy:
      'Retry after the number of seconds in Retry-After. Send fewer requests in ' +
      'parallel, use fewer hits or shorter queries, and read responses without delay.',
    retryAfterSeconds: QUERY_BUDGET.retryAfterSeconds,
  })
}

/** Budget of running requests. Each of them occupies a connection. */
export type RequestBudget = {
  /**
   * Counts a request and returns a function that ends it. Throws `rate_limited` if the caller's
   * share is used up, `service_unavailable` if the total is.
   */
  begin(caller: Caller): () => void
}

/**
 * Shares the connections among keys. A single key may use half of them, so that slow requests do
 * not block other keys.
 */
export function createRequestBudget(maxConnections: number): RequestBudget {
  const budget = createFairBudget({ total: maxConnections, minShare: 1 })
  return {
    begin(caller) {
      const held = budget.open(budgetHolderOf(caller))
      const refusal = held.reserve(1)
      if (refusal === null) return held.release
      throw budgetError(refusal, {
        messages: {
          share: 'This API key or its organization has too many requests in progress.',
          total: 'The service has too many requests in progress.',
        },
        remedy: 'Retry after the number of seconds in Retry-After, with fewer requests in parallel.',
        retryAfterSeconds: QUERY_BUDGET.retryAfterSeconds,
      })
    },
  }
}
