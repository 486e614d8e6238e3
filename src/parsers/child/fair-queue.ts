import type { ProcessorShares } from './processor-shares.ts'

/** Whose work a task is. `keyId` is `null` where no key was used. */
export type TaskOwner = { organizationId: string; keyId: string | null }

/** A task as the queue sees it. */
export type QueuedTask = {
  /** `null`: the service's own work, which no limit of an owner holds. */
  owner: TaskOwner | null
  /** True: it belongs to a job, and no request waits for it. */
  isBackground: boolean
  /** How often it made way for others after it had begun. */
  restarts: number
  /** True: only a child that has served nobody may do it. */
  needsFresh?: boolean
}

/** Tasks that wait for one of a few places, fair by organization and then by key. */
type FairQueue<Task extends QueuedTask> = {
  add(task: Task): void
  remove(task: Task): void
  /** The task that has the next free place; `null` where none waits that may begin now. */
  next(): Task | null
  /** Counts a task as running, from now until `end`. */
  begin(task: Task): void
  end(task: Task): void
  /**
   * Tasks of requests that would get the place of this running task if it were free and the task waited again. Where the task has not
   * `hadItsTime`, only those within their share of processor time, while its own owner is not.
   */
  countOvertaking(task: Task, hadItsTime: boolean): number
}

/** `places`: tasks that run at a time. */
export type FairQueueOptions = { places: number; shares: ProcessorShares }

/**
 * One place is kept from jobs, and one from the requests of each key, so that neither ever has all. Owners within their share of processor
 * time go first, then those with fewer tasks running, then those that used less: organizations are compared first, keys of one
 * organization next. Of one key, requests go before jobs, and what has not begun before what has made way already.
 */
export function createFairQueue<Task extends QueuedTask>({ places, shares }: FairQueueOptions): FairQueue<Task> {
  const waiting = new Set<Task>()
  /** By organization and by key. */
  const running = new Map<string, number>()
  /** Of jobs, and of the requests of each key. */
  const runningOfKind = new Map<string, number>()
  const mostOfOne = Math.max(1, places - 1)

  function mayBegin(task: QueuedTask): boolean {
    return (task.owner === null && !task.isBackground) || (runningOfKind.get(kindOf(task)) ?? 0) < mostOfOne
  }

  function count(task: Task, change: 1 | -1): void {
    for (const name of namesOf(task)) changeCount(running, name, change)
    changeCount(runningOfKind, kindOf(task), change)
  }

  const overShare = (task: Task): number[] => namesOf(task).map((name) => Number(shares.isOver(name)))

  /** What is compared, smaller first; tasks that are equal in all go in the order in which they came. */
  function rank(task: Task): number[] {
    const owners = namesOf(task).flatMap((name) => [
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
    countOvertaking(task, hadItsTime) {
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
 * Work after which a task makes way for any that is entitled to its place: four times as much after each time. Tasks begin again from
 * nothing, so with the same time for ever, those that need more would only stop each other.
 */
export function grownQuantumMs(quantumMs: number, { restarts }: Pick<QueuedTask, 'restarts'>): number {
  return quantumMs * 4 ** restarts
}

/** What an owner is called in the accounts of {@link ProcessorShares}: its organization, and its key. */
export function namesOf({ owner }: Pick<QueuedTask, 'owner'>): string[] {
  return owner === null ? ['', ''] : [owner.organizationId, keyName(owner)]
}

function kindOf({ owner, isBackground }: QueuedTask): string {
  return isBackground ? 'jobs' : `requests of ${owner === null ? '' : keyName(owner)}`
}

function changeCount(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const left = (counts.get(name) ?? 0) + change
  if (left > 0) counts.set(name, left)
  else counts.delete(name)
}

function keyName({ organizationId, keyId }: TaskOwner): string {
  return `${organizationId}/${keyId ?? ''}`
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const place = a.findIndex((value, index) => value !== b[index])
  return place >= 0 && (a[place] ?? 0) < (b[place] ?? 0)
}
