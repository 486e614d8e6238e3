import { ApiError } from '../../errors.ts'
import { BODY_BUDGET, MAX_REQUEST_BODY_BYTES } from '../../limits.ts'
import type { Caller } from '../../services/caller.ts'
import { type BudgetRefusal, budgetError, budgetHolderOf, budgetSize, createFairBudget } from '../fair-budget.ts'

/** Disk budget for uploads in progress. */
export type DiskBudget = {
  /** Opens the share of a request; `caller` is `null` on public routes. */
  open(caller: Caller | null): DiskShare
  /** Bytes reserved now. */
  reserved(): number
}

/** Disk share of one request. */
export type DiskShare = {
  /**
   * Reserves bytes before they are written. Rejects with `rate_limited` if the caller's share is
   * used up.
   */
  reserve(bytes: number): Promise<void>
  /** Releases everything, once the file was deleted or kept. Safe to call twice. */
  release(): void
}

/**
 * Interval for measuring the free disk space, because others fill and empty the disk during a long
 * upload. Our choice.
 */
const MEASURE_EVERY_BYTES = 64 * 1024 * 1024
/**
 * Bytes that the uploads of a key may always use. On a nearly full disk small uploads fail on write
 * (507), because fewer uploads in parallel (429) would not help. Our choice.
 */
const MIN_SHARE_BYTES = 1024 * 1024

/**
 * Creates a budget of the free bytes of a disk plus the bytes of uploads. The oldest upload of an
 * organization is never refused and does not count, so that a large import can finish beside small
 * files. A full disk is not handled here, because the write itself fails: `reserve` resolves beyond
 * the total.
 */
export function createDiskBudget(freeBytes: () => Promise<number>): DiskBudget {
  let total = 0
  const budget = createFairBudget({ total: () => total, minShare: MIN_SHARE_BYTES })
  /** Shares by organization, oldest first. */
  const organizations = new Map<string, Set<DiskShare>>()

  function open(caller: Caller | null): DiskShare {
    const holder = budgetHolderOf(caller)
    const [oldest, younger] = [
      budget.open({ id: 'oldest', groupId: `oldest of ${holder.groupId}` }),
      budget.open(holder),
    ]
    let unmeasured = Number.POSITIVE_INFINITY
    let isReleased = false
    const share = {
      async reserve(bytes: number): Promise<void> {
        unmeasured += bytes
        if (unmeasured > MEASURE_EVERY_BYTES) {
          unmeasured = 0
          const free = await freeBytes()
          total = free + budget.reserved()
        }
        // The client may have disconnected meanwhile, and would never release the bytes.
        if (isReleased) return
        const shares = organizations.get(holder.groupId) ?? new Set()
        organizations.set(holder.groupId, shares.add(share))
        const [first] = shares
        if (first !== share && younger.check(bytes) === 'share') throw diskShareError()
        const reservation = first === share ? oldest : younger
        reservation.forceReserve(bytes)
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

  return { open, reserved: budget.reserved }
}

function diskShareError(): ApiError {
  return new ApiError('rate_limited', {
    message: 'The uploads in progress of this API key or its organization use too much disk space.',
    remedy:
      'Retry after the number of seconds in Retry-After, with fewer ' +
      'uploads in parallel. Finished uploads do not count.',
  })
}

/**
 * Sizes in bytes of the two budgets: the start of every body, and the rest of large bodies. Every
 * key may use `keyBytes` of the latter.
 */
export type BodyBudgetSizes = { smallBytes: number; largeBytes: number; keyBytes: number }

/** Memory budget for the bodies of all running requests. */
export type BodyBudget = {
  /** Opens the share of a request; `caller` is `null` on public routes. */
  open(caller: Caller | null): BodyShare
  /** Bytes reserved now. */
  reserved(): number
}

/**
 * Memory share of one request body. Throws `rate_limited` if the caller's share is used up,
 * `service_unavailable` if the whole budget is.
 */
export type BodyShare = {
  /** Throws if this many bytes do not fit now. Reserves nothing. */
  requireAvailable(bytes: number): void
  /** Reserves bytes. */
  reserve(bytes: number): void
  /** Releases everything. Safe to call twice. */
  release(): void
}

/** Returns the budget sizes for a process with this much memory, in bytes. */
export function sizeBodyBudget(memoryBytes: number): BodyBudgetSizes {
  const { small, large } = BODY_BUDGET
  return {
    smallBytes: budgetSize(memoryBytes, small),
    largeBytes: budgetSize(memoryBytes, large),
    keyBytes: MAX_REQUEST_BODY_BYTES,
  }
}

/**
 * Creates two budgets, so that large bodies never block small ones. The first bytes of a body use
 * the small budget, or the large one if the caller's small share is used up. All other bytes use
 * the large budget. Bytes count when they arrive, so announcing a body reserves nothing.
 */
export function createBodyBudget({ smallBytes, largeBytes, keyBytes }: BodyBudgetSizes): BodyBudget {
  const small = createFairBudget({ total: smallBytes })
  const large = createFairBudget({ total: largeBytes, minShare: keyBytes })
  return {
    open(caller) {
      const holder = budgetHolderOf(caller)
      const [first, rest] = [small.open(holder), large.open(holder)]
      let firstBytes = 0
      return {
        requireAvailable(bytes) {
          // A small body uses the small budget, regardless of the key's large bodies.
          if (bytes <= BODY_BUDGET.firstBytes) return
          const refusal = rest.check(bytes - BODY_BUDGET.firstBytes)
          if (refusal !== null) throw bodyBudgetError(refusal)
        },
        reserve(bytes) {
          if (firstBytes + bytes <= BODY_BUDGET.firstBytes && first.reserve(bytes) === null) {
            firstBytes += bytes
            return
          }
          const refusal = rest.reserve(bytes)
          if (refusal !== null) throw bodyBudgetError(refusal)
        },
        release() {
          first.release()
          rest.release()
        },
      }
    },
    reserved: () => small.reserved() + large.reserved(),
  }
}

function bodyBudgetError(refusal: BudgetRefusal): ApiError {
  return budgetError(refusal, {
    messages: {
      share: 'The request bodies in progress of this API key or its organization use too much memory.',
      total: 'The request bodies in progress use all memory reserved for them.',
    },
    remedy: 'Retry after the number of seconds in Retry-After, with smaller bodies or fewer requests in parallel.',
  })
}
