import { ApiError } from '../errors.ts'
import type { Caller } from '../services/caller.ts'

/** A caller and its group, such as a key and its organization. */
export type Holder = { id: string; groupId: string }

/** Reason for a refusal: the holder's share is used up (`share`), or the whole budget (`total`). */
export type BudgetRefusal = 'share' | 'total'

/** Amount that one piece of work holds. */
type Reservation = {
  /** Returns the reason why this amount does not fit now, or `null`. */
  check(amount: number): BudgetRefusal | null
  /** Reserves this amount, or nothing if it does not fit. */
  reserve(amount: number): BudgetRefusal | null
  /**
   * Reserves this amount even if it does not fit. The memory is in use already, so later requests
   * must wait.
   */
  forceReserve(amount: number): void
  /** Releases everything. Safe to call twice. */
  release(): void
}

/** Amount, such as bytes, that several holders share. */
export type FairBudget = {
  open(holder: Holder): Reservation
  /** Amount that all holders reserved together. */
  reserved(): number
}

/** `total` is a function if the total changes. Every holder may reserve `minShare`. */
type FairBudgetOptions = { total: number | (() => number); minShare?: number }

/** Share of the remaining amount that a holder or a group may reserve. */
const SHARE_OF_REMAINING = { holder: 1, group: 3 } as const

/**
 * Creates a budget that no holder can exhaust. Shares are dynamic thresholds (Choudhury and Hahne,
 * "Dynamic Queue Length Thresholds for Shared-Memory Packet Switches", 1998). A holder may reserve
 * while its amount is at most the remaining amount. So a single holder gets half, two holders get a
 * third each, and a newcomer always gets a share. A group gets three quarters. A holder may always
 * reserve `minShare`, as long as the total allows.
 */
export function createFairBudget({ total, minShare = 0 }: FairBudgetOptions): FairBudget {
  const held = { holder: new Map<string, number>(), group: new Map<string, number>() }
  let reservedTotal = 0

  function findRefusal({ id, groupId }: Holder, amount: number): BudgetRefusal | null {
    const left = (typeof total === 'function' ? total() : total) - reservedTotal - amount
    if (left < 0) return 'total'
    const fits = (kind: 'holder' | 'group', name: string) =>
      (held[kind].get(name) ?? 0) + amount <= Math.max(minShare, SHARE_OF_REMAINING[kind] * left)
    return fits('holder', id) && fits('group', groupId) ? null : 'share'
  }

  function add({ id, groupId }: Holder, amount: number): void {
    reservedTotal += amount
    addTo(held.holder, id, amount)
    addTo(held.group, groupId, amount)
  }

  return {
    open(holder) {
      let own = 0
      const forceReserve = (amount: number) => {
        own += amount
        add(holder, amount)
      }
      return {
        check: (amount) => findRefusal(holder, amount),
        reserve(amount) {
          const refusal = findRefusal(holder, amount)
          if (refusal === null) forceReserve(amount)
          return refusal
        },
        forceReserve,
        release() {
          add(holder, -own)
          own = 0
        },
      }
    },
    reserved: () => reservedTotal,
  }
}

/** Deletes zero entries, so that the map does not outgrow the running requests. */
function addTo(map: Map<string, number>, name: string, amount: number): void {
  const sum = (map.get(name) ?? 0) + amount
  if (sum === 0) map.delete(name)
  else map.set(name, sum)
}

/**
 * Returns the holder of a caller: the key, or the organization without a key. All requests without
 * a caller share a holder.
 */
export function budgetHolderOf(caller: Pick<Caller, 'keyId' | 'organizationId'> | null): Holder {
  const { keyId, organizationId } = caller ?? { keyId: null, organizationId: 'public' }
  return { id: keyId ?? organizationId, groupId: organizationId }
}

/** Maps a refusal to an error: 429 if the caller's share is used up, 503 if the whole budget is. */
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

/** Returns the size of a budget: a share of the process memory, within bounds. */
export function budgetSize(
  memoryBytes: number,
  { memoryShare, minBytes, maxBytes }: { memoryShare: number; minBytes: number; maxBytes: number },
): number {
  return Math.min(maxBytes, Math.max(minBytes, memoryBytes * memoryShare))
}
