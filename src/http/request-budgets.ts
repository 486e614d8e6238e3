import type { ApiError } from '../errors.ts'
import { QUERY_BUDGET } from '../limits.ts'
import type { Caller } from '../services/caller.ts'
import { type BudgetRefusal, budgetError, createFairBudget, holderOf, sizeOfBudget } from './fair-budget.ts'
import type { Answer } from './route.ts'

/** Memory for what is being asked, of all requests under way. */
export type QueryBudget = {
  /** The share of one request. Throws as {@link QueryShare.take} does where its caller has used its share up already. */
  open(caller: Caller): QueryShare
}

/** What one request takes of the budget. */
export type QueryShare = {
  /** Takes what work is about to hold. Throws `rate_limited` where the caller's share is used up, `service_unavailable` where everything is. */
  take(bytes: number): void
  /** The work is done, and its answer holds so many bytes until it has gone out. Never throws: what is done has to be answered. */
  settle(bytes: number): void
  /** Gives back all of it; may be called twice. */
  release(): void
}

/** What a query is thought to hold may be more than a small process has. So much of everything is the most that is kept for it: alone, it gets in. */
const MAX_REQUEST_SHARE = 1 / 4

/** The budget of a process that may take so much memory, in bytes. */
export function sizeQueryBudget(memoryBytes: number): number {
  return sizeOfBudget(memoryBytes, QUERY_BUDGET)
}

/**
 * A budget of so many bytes. A request takes what its query is about to hold, as far as that can be told from what it asks, and its answer
 * holds what it really has: a client that does not read keeps its answer in memory.
 */
export function createQueryBudget(totalBytes: number): QueryBudget {
  const budget = createFairBudget({ total: totalBytes })
  return {
    open(caller) {
      const held = budget.open(holderOf(caller))
      let taken = 0
      const take = (bytes: number) => {
        const amount = Math.min(bytes, totalBytes * MAX_REQUEST_SHARE - taken)
        const refusal = held.take(amount)
        if (refusal !== null) throw toQueryBudgetError(refusal)
        taken += amount
      }
      take(QUERY_BUDGET.requestBytes)
      return {
        take,
        settle(bytes) {
          held.release()
          held.force(QUERY_BUDGET.requestBytes + bytes)
        },
        release: held.release,
      }
    },
  }
}

/**
 * What an answer holds until it has gone out: text as it is and as the bytes that wait for the socket, of a stream only what is on its
 * way, since what it tells was looked up before it began.
 */
export function answerBytes({ body }: Pick<Answer, 'body'>): number {
  if (typeof body === 'string') return 2 * body.length
  return Buffer.isBuffer(body) ? body.length : 0
}

function toQueryBudgetError(refusal: BudgetRefusal): ApiError {
  const what = 'that are under way hold as much memory as they may together.'
  return budgetError(refusal, {
    messages: {
      share: `The requests of this API key, or of its organization, ${what}`,
      total: `The requests ${what}`,
    },
    remedy:
      'Try again after the seconds in Retry-After, with fewer requests at a time, fewer hits or shorter ' +
      'queries, and read answers as they come.',
    retryAfterSeconds: QUERY_BUDGET.retryAfterSeconds,
  })
}

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
