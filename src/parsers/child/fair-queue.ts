import type { ProcessorShares } from './processor-shares.ts'

/** Owner of a task. `keyId` is `null` without an API key. */
export type TaskOwner = { organizationId: string; keyId: string | null }

/** A task in the queue. */
export type QueuedTask = {
  /** `null`: work of the service itself, without limits per owner. */
  owner: TaskOwner | null
  /** True for work of a job, with no request waiting. */
  isBackground: boolean
  /** Number of times the task yielded after it had started. */
  restarts: number
  /** True: requires a child that has served no task. */
  needsFresh?: boolean
}

/** Queue for a limited number of slots, fair by organization and then by key. */
type FairQueue<Task extends QueuedTask> = {
  add(task: Task): void
  remove(task: Task): void
  /** Returns the task for the next free slot; `null` if no waiting task may start. */
  next(): Task | null
  /** Counts a task as running until `end`. */
  begin(task: Task): void
  end(task: Task): void
  /**
   * Counts waiting requests that rank before this running task if the task were queued again.
   * Without `hadItsTime`, only counts owners within their share while the task's owner is over its
   * share.
   */
  countPriorClaims(task: Task, hadItsTime: boolean): number
}

/** `places`: maximum number of running tasks. */
export type FairQueueOptions = { places: number; shares: ProcessorShares }

/**
 * One slot is reserved from jobs, and one from the requests of each key, so that neither can occupy
 * all slots.
 *
 * Owners within their share of processor time go first, then owners with fewer running tasks, then
 * owners that used less. Organizations are compared before keys of an organization. Within a key,
 * requests go before jobs, and new tasks before restarted tasks.
 */
export function createFairQueue<Task extends QueuedTask>({ places, shares }: FairQueueOptions): FairQueue<Task> {
  const waiting = new Set<Task>()
  /** By organization and by key. */
  const running = new Map<string, number>()
  /** Of jobs, and of the requests of each key. */
  const runningOfKind = new Map<string, number>()
  const maxPerKey = Math.max(1, places - 1)

  function mayBegin(task: QueuedTask): boolean {
    return (task.owner === null && !task.isBackground) || (runningOfKind.get(getConcurrencyKey(task)) ?? 0) < maxPerKey
  }

  function count(task: Task, change: 1 | -1): void {
    for (const name of getAccountNames(task)) changeCount(running, name, change)
    changeCount(runningOfKind, getConcurrencyKey(task), change)
  }

  const overShare = (task: Task): number[] => getAccountNames(task).map((name) => Number(shares.isOver(name)))

  /** Sort key, smaller first; equal tasks keep their order of arrival. */
  function rank(task: Task): number[] {
    const owners = getAccountNames(task).flatMap((name) => [
      Number(shares.isOver(name)),
      running.get(name) ?? 0,
      Math.round(shares.used(name)),
    ])
    return [...owners, Number(task.isBackground), task.restarts]
  }

  function next(): Task | null {
    let best: { task: Task; rank: number[] } | null = null
    for (const task of waiting) {
      if (!mayBegin(task)) continue
      const own = rank(task)
      if (best === null || isBefore(own, best.rank)) best = { task, rank: own }
    }
    return best?.task ?? null
  }

  return {
    add: (task) => void waiting.add(task),
    remove: (task) => void waiting.delete(task),
    next,
    begin: (task) => count(task, 1),
    end: (task) => count(task, -1),
    countPriorClaims(task, hadItsTime) {
      count(task, -1)
      try {
        const again = rank({ ...task, restarts: task.restarts + 1 })
        const isMeant = (one: Task) => !one.isBackground && (hadItsTime || isBefore(overShare(one), overShare(task)))
        const overtakes = (one: Task) => isMeant(one) && mayBegin(one) && isBefore(rank(one), again)
        return [...waiting].filter(overtakes).length
      } finally {
        count(task, 1)
      }
    },
  }
}

/**
 * Work after which a task yields to a task with a prior claim; quadruples per restart. Restarted
 * tasks start from nothing, so with a constant quantum long tasks would stop each other forever.
 */
export function getQuantumMs(quantumMs: number, { restarts }: Pick<QueuedTask, 'restarts'>): number {
  return quantumMs * 4 ** restarts
}

/** Account names of an owner in {@link ProcessorShares}: organization and key. */
export function getAccountNames({ owner }: Pick<QueuedTask, 'owner'>): string[] {
  return owner === null ? ['', ''] : [owner.organizationId, getKeyAccountName(owner)]
}

function getConcurrencyKey({ owner, isBackground }: QueuedTask): string {
  return isBackground ? 'jobs' : `requests of ${owner === null ? '' : getKeyAccountName(owner)}`
}

function changeCount(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const left = (counts.get(name) ?? 0) + change
  if (left > 0) counts.set(name, left)
  else counts.delete(name)
}

function getKeyAccountName({ organizationId, keyId }: TaskOwner): string {
  return `${organizationId}/${keyId ?? ''}`
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const place = a.findIndex((value, index) => value !== b[index])
  return place >= 0 && (a[place] ?? 0) < (b[place] ?? 0)
}
