/** Work of an organization that failed lately and would fail again, by name. Forgotten after a while; a process remembers its own. */
export type RecentFailures = {
  /** Why it failed, and in how many minutes it may be tried again; `null` where nothing is known. */
  find(name: string): { message: string; minutes: number } | null
  has(isMeant: (name: string) => boolean): boolean
  remember(failed: { organizationId: string; name: string; message: string }): void
}

/** Our choice: long enough that repeating costs next to nothing, short enough to wait where the machine was to blame. */
const KEPT_MS = 15 * 60_000
/** Each failure has cost seconds of work, so that many organizations would have to fail for long to push out those of others. */
const MAX_KEPT = 2_000
const MAX_KEPT_OF_ONE = 200

/** No failures yet. */
export function createRecentFailures({ keptMs = KEPT_MS, now = () => performance.now() } = {}): RecentFailures {
  const failures = new Map<string, { organizationId: string; message: string; untilMs: number }>()

  /** In the order of their ends, since all are kept for the same time. */
  function dropOld(): void {
    for (const [name, { untilMs }] of failures) {
      if (untilMs > now() && failures.size <= MAX_KEPT) return
      failures.delete(name)
    }
  }

  function dropOldest(organizationId: string): void {
    const own = [...failures].filter(([, failure]) => failure.organizationId === organizationId)
    for (const [name] of own.slice(0, Math.max(0, own.length - MAX_KEPT_OF_ONE))) failures.delete(name)
  }

  return {
    find(name) {
      dropOld()
      const failure = failures.get(name)
      if (failure === undefined) return null
      return { message: failure.message, minutes: Math.max(1, Math.ceil((failure.untilMs - now()) / 60_000)) }
    },
    has(isMeant) {
      dropOld()
      return [...failures.keys()].some(isMeant)
    },
    remember({ organizationId, name, message }) {
      failures.delete(name)
      failures.set(name, { organizationId, message, untilMs: now() + keptMs })
      dropOldest(organizationId)
      dropOld()
    },
  }
}
