import { ApiError } from '../../errors.ts'
import { BODY_BUDGET, MAX_REQUEST_BODY_BYTES } from '../../limits.ts'
import type { Caller } from '../../services/caller.ts'
import { type BudgetRefusal, budgetError, createFairBudget, holderOf, sizeOfBudget } from '../fair-budget.ts'

/** Disk space for the files of unfinished uploads. */
export type DiskBudget = {
  /** The share of one request; `caller` is `null` on routes that need no key. */
  open(caller: Caller | null): DiskShare
  /** Bytes that are taken now. */
  used(): number
}

/** What the file of one request takes of the disk. */
export type DiskShare = {
  /** Takes so many bytes more, before they are written. Rejects with `rate_limited` where the caller's share is used up. */
  take(bytes: number): Promise<void>
  /** Gives back all of it, once the file is gone or kept; may be called twice. */
  release(): void
}

/** An upload that goes on for hours meets a disk that others have filled or emptied meanwhile. Ours. */
const MEASURE_EVERY_BYTES = 64 * 1024 * 1024

/**
 * A budget of the bytes that are free on a disk and those that uploads have written there. The oldest upload of an organization is never
 * refused and counts in no share: a large import may take what it needs, alone or beside small files. On a full disk nothing
 * is refused here either, since writing fails by itself.
 */
export function createDiskBudget(freeBytes: () => Promise<number>): DiskBudget {
  let total = 0
  const budget = createFairBudget({ total: () => total })
  /** The shares of each organization that have taken something, oldest first. */
  const organizations = new Map<string, Set<DiskShare>>()

  function open(caller: Caller | null): DiskShare {
    const holder = holderOf(caller)
    const [oldest, younger] = [
      budget.open({ id: 'oldest', groupId: `oldest of ${holder.groupId}` }),
      budget.open(holder),
    ]
    let unmeasured = Number.POSITIVE_INFINITY
    let isReleased = false
    const share = {
      async take(bytes: number): Promise<void> {
        unmeasured += bytes
        if (unmeasured > MEASURE_EVERY_BYTES) {
          unmeasured = 0
          const free = await freeBytes()
          total = free + budget.used()
        }
        // Its sender may have left meanwhile, and nobody would give back what it takes now.
        if (isReleased) return
        const shares = organizations.get(holder.groupId) ?? new Set()
        organizations.set(holder.groupId, shares.add(share))
        const [first] = shares
        if (first !== share && younger.refuses(bytes) === 'share') throw shareUsedUp()
        const reservation = first === share ? oldest : younger
        reservation.force(bytes)
      },
      release(): void {
        isReleased = true
        oldest.release()
        younger.release()
        const shares = organizations.get(holder.groupId)
        shares?.delete(share)
        if (shares?.size === 0) organizations.delete(holder.groupId)
      },
    }
    return share
  }

  return { open, used: budget.used }
}

function shareUsedUp(): ApiError {
  return new ApiError('rate_limited', {
    message: 'The unfinished uploads of this API key, or of its organization, take up their share of the disk.',
    remedy:
      'Wait for the seconds in Retry-After, then send fewer files at a time; uploads that have ended take nothing.',
  })
}

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
