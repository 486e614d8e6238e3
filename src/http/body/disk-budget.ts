import { statfs } from 'node:fs/promises'
import { createFairBudget } from '../../concurrency/fair-budget.ts'
import { ApiError } from '../../errors.ts'
import type { Caller } from '../../services/caller.ts'
import { holderOf } from '../budget-sizes.ts'

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

/** Bytes that are free for us on the disk of a folder. */
export async function readFreeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

function shareUsedUp(): ApiError {
  return new ApiError('rate_limited', {
    message: 'The unfinished uploads of this API key, or of its organization, take up their share of the disk.',
    remedy:
      'Wait for the seconds in Retry-After, then send fewer files at a time; uploads that have ended take nothing.',
  })
}
