import { type BudgetRefusal, createFairBudget } from '../../concurrency/fair-budget.ts'
import type { ApiError } from '../../errors.ts'
import { BODY_BUDGET, MAX_REQUEST_BODY_BYTES } from '../../limits.ts'
import type { Caller } from '../../services/caller.ts'
import { budgetError, holderOf, sizeOfBudget } from '../budget-sizes.ts'

/** Memory for the bodies of all requests under way, in bytes: for the beginning of every body, and for the rest of large ones, of which a key may have `keyBytes` in any case. */
export type BodyBudgetSizes = { smallBytes: number; largeBytes: number; keyBytes: number }

/** Memory for the bodies of all requests that are under way. */
export type BodyBudget = {
  /** The share of one request; `caller` is `null` on routes that need no key. */
  open(caller: Caller | null): BodyShare
  /** Bytes that are taken now. */
  used(): number
}

/** What the body of one request takes of the budget. Throws `rate_limited` where the caller's share is used up, `service_unavailable` where everything is. */
export type BodyShare = {
  /** Throws where so many bytes would not fit now, and takes nothing. */
  requireRoom(bytes: number): void
  /** Takes so many bytes more. */
  take(bytes: number): void
  /** Gives back all of it; may be called twice. */
  release(): void
}

/** The budget of a process that may take so much memory, in bytes. */
export function sizeBodyBudget(memoryBytes: number): BodyBudgetSizes {
  const { small, large } = BODY_BUDGET
  return {
    smallBytes: sizeOfBudget(memoryBytes, small),
    largeBytes: sizeOfBudget(memoryBytes, large),
    keyBytes: MAX_REQUEST_BODY_BYTES,
  }
}

/**
 * Two budgets, so that large bodies never keep small ones out. The first bytes of a body come from the small one and, where the
 * caller has its share of that, from the large one, from which all others come. Bytes are taken as they arrive: whoever only
 * announces a body takes nothing.
 */
export function createBodyBudget({ smallBytes, largeBytes, keyBytes }: BodyBudgetSizes): BodyBudget {
  const small = createFairBudget({ total: smallBytes })
  const large = createFairBudget({ total: largeBytes, leastShare: keyBytes })
  return {
    open(caller) {
      const holder = holderOf(caller)
      const [first, rest] = [small.open(holder), large.open(holder)]
      let firstBytes = 0
      return {
        requireRoom(bytes) {
          // A small body comes from the small budget, however much its key holds of the large one.
          if (bytes <= BODY_BUDGET.firstBytes) return
          const refusal = rest.refuses(bytes - BODY_BUDGET.firstBytes)
          if (refusal !== null) throw refuse(refusal)
        },
        take(bytes) {
          if (firstBytes + bytes <= BODY_BUDGET.firstBytes && first.take(bytes) === null) {
            firstBytes += bytes
            return
          }
          const refusal = rest.take(bytes)
          if (refusal !== null) throw refuse(refusal)
        },
        release() {
          first.release()
          rest.release()
        },
      }
    },
    used: () => small.used() + large.used(),
  }
}

function refuse(refusal: BudgetRefusal): ApiError {
  return budgetError(refusal, {
    messages: {
      share: 'The request bodies under way of this API key, or of its organization, take up their share of memory.',
      total: 'The bodies of the requests under way take up all memory that is meant for them.',
    },
    remedy: 'Try again after the seconds in Retry-After, send less in one request or fewer requests at a time.',
  })
}
