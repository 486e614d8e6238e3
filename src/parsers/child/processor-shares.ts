/** Recent processor time per owner, in milliseconds. Drains at the rate of one share per minute. */
export type ProcessorShares = {
  charge(name: string, ms: number): void
  used(name: string): number
  /** True while more than a minute's share is used. */
  isOver(name: string): boolean
}

/**
 * Our choice: a third of a core. Parsing an ordinary file takes a tenth of a second; OCR of a page
 * takes one or two seconds.
 */
const SHARE_MS = 20_000
/** Cap in shares: an owner is back within its share after this many idle minutes. */
const MAX_SHARES_USED = 5
const PRUNE_AT = 1_000

type Account = { usedMs: number; atMs: number }

/** Creates the accounts of a process; pools with the same instance share accounts. */
export function createProcessorShares({ shareMs = SHARE_MS, now = () => performance.now() } = {}): ProcessorShares {
  const accounts = new Map<string, Account>()

  function used(name: string): number {
    const account = accounts.get(name)
    if (account === undefined) return 0
    return Math.max(0, account.usedMs - ((now() - account.atMs) / 60_000) * shareMs)
  }

  function prune(): void {
    for (const name of accounts.keys()) if (used(name) === 0) accounts.delete(name)
  }

  return {
    charge(name, ms) {
      if (accounts.size >= PRUNE_AT && !accounts.has(name)) prune()
      accounts.set(name, { usedMs: Math.min(used(name) + ms, MAX_SHARES_USED * shareMs), atMs: now() })
    },
    used,
    isOver: (name) => used(name) > shareMs,
  }
}
