import { ApiError } from '../errors.ts'
import type { Caller } from '../services/caller.ts'

/** Who takes from a budget: a caller, and the group that it belongs to. */
export type Holder = { id: string; groupId: string }

/** Why a budget gives nothing: the holder has its share, or everybody together has everything. */
export type BudgetRefusal = 'share' | 'total'

/** What one piece of work takes from a budget. */
type Reservation = {
  /** Why so much more does not fit now; `null` where it does. */
  refuses(amount: number): BudgetRefusal | null
  /** Takes so much more, or nothing where it gives a refusal. */
  take(amount: number): BudgetRefusal | null
  /** Takes so much more also where it does not fit: it is there already, and keeps the next ones out. */
  force(amount: number): void
  /** Gives back all of it; may be called twice. */
  release(): void
}

/** An amount of something, such as bytes, that holders share. */
export type FairBudget = {
  open(holder: Holder): Reservation
  /** What is taken now, by all holders. */
  used(): number
}

/** What there is in all, a function where that changes, and what a holder may have in any case. */
type FairBudgetOptions = { total: number | (() => number); leastShare?: number }

/** A holder may have as much as is left, and all holders of a group three times as much as is left. */
const OF_WHAT_IS_LEFT = { holder: 1, group: 3 } as const

/**
 * A budget of which no holder can take everything. Shares are dynamic thresholds (Choudhury and Hahne, "Dynamic Queue
 * Length Thresholds for Shared-Memory Packet Switches", 1998): a holder may take while it has no more than is left. So one
 * alone gets half, two a third each, and whoever comes next always finds something; a group gets three quarters. A holder may
 * have `leastShare` in any case, as long as there is so much.
 */
export function createFairBudget({ total, leastShare = 0 }: FairBudgetOptions): FairBudget {
  const held = { holder: new Map<string, number>(), group: new Map<string, number>() }
  let used = 0

  function refuse({ id, groupId }: Holder, amount: number): BudgetRefusal | null {
    const left = (typeof total === 'function' ? total() : total) - used - amount
    if (left < 0) return 'total'
    const fits = (kind: 'holder' | 'group', name: string) =>
      (held[kind].get(name) ?? 0) + amount <= Math.max(leastShare, OF_WHAT_IS_LEFT[kind] * left)
    return fits('holder', id) && fits('group', groupId) ? null : 'share'
  }

  function add({ id, groupId }: Holder, amount: number): void {
    used += amount
    addTo(held.holder, id, amount)
    addTo(held.group, groupId, amount)
  }

  return {
    open(holder) {
      let own = 0
      const force = (amount: number) => {
        own += amount
        add(holder, amount)
      }
      return {
        refuses: (amount) => refuse(holder, amount),
        take(amount) {
          const refusal = refuse(holder, amount)
          if (refusal === null) force(amount)
          return refusal
        },
        force,
        release() {
          add(holder, -own)
          own = 0
        },
      }
    },
    used: () => used,
  }
}

/** Names without anything are forgotten, so that the map has no more entries than there is work. */
function addTo(map: Map<string, number>, name: string, amount: number): void {
  const sum = (map.get(name) ?? 0) + amount
  if (sum === 0) map.delete(name)
  else map.set(name, sum)
}

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
