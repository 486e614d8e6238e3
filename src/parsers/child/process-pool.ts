import { ApiError } from '../../errors.ts'
import { type Child, type ChildOptions, startChild } from './child.ts'
import { createFairQueue, type FairQueueOptions, type QueuedTask } from './fair-queue.ts'
import type { ProcessorShares } from './processor-shares.ts'
import { getResidentBytes } from './watch-child.ts'

/** The children of a pool: who works, who rests, who waits for one. */
export type ProcessPool = {
  /** A child for a task, in the order of {@link createFairQueue}; rejects with the signal's reason, or when the crew is closed. */
  acquire(task: QueuedTask, signal: AbortSignal | undefined): Promise<Child>
  /** Takes a child back, or ends it where it is worn or not `isSound`: one whose task was left half-way still works on it. */
  release(child: Child, task: QueuedTask, isSound: boolean): void
  /** Starts a child for whoever comes next where there is room and none is idle: the others are busy for long. */
  readySpare(): void
  /** Ends the child of a running task, whose caller may ask again, where another task is entitled to its place: {@link FairQueue.countOvertaking}. */
  yieldPlace(child: Child, task: QueuedTask, hadItsTime: boolean): void
  /** From now on, where a place is free, a child is there ahead of need. */
  prewarm(): void
  /** Ends all; resolves when no process is left. */
  close(): Promise<void>
}

/** How many there are, and how long each serves. */
type ProcessPoolOptions = ChildOptions & {
  size: number
  recycleAfterDocuments: number
  recycleAtBytes: number
  idleMs: number
  shares: ProcessorShares
}

/** A crew without children. */
export function createProcessPool(options: ProcessPoolOptions): ProcessPool {
  const admission = createAdmission({ places: options.size, shares: options.shares })
  /** Children that end so that others may begin. */
  const yielding = new Set<Child>()
  const members = createMembers(options, (child) => {
    yielding.delete(child)
    serveNext()
  })

  function serveNext(): void {
    if (!members.isClosed()) admission.admit(members.provide)
  }

  function acquire(task: QueuedTask, signal: AbortSignal | undefined): Promise<Child> {
    if (members.isClosed()) return Promise.reject(closed())
    const entered = admission.enter(task, signal)
    serveNext()
    if (members.isWarm()) members.readySpare()
    return entered
  }

  function release(child: Child, task: QueuedTask, isSound: boolean): void {
    admission.end(task)
    members.takeBack(child, isSound)
    serveNext()
  }

  function yieldPlace(child: Child, task: QueuedTask, hadItsTime: boolean): void {
    if (!child.isAlive() || admission.countOvertaking(task, hadItsTime) <= yielding.size) return
    yielding.add(child)
    child.kill({ kind: 'yielded' })
  }

  async function close(): Promise<void> {
    const ended = members.close()
    admission.refuseAll(closed())
    await ended
  }

  return { acquire, release, readySpare: members.readySpare, yieldPlace, prewarm: members.prewarm, close }
}

/** The processes of a pool, at work and idle; `onEnded` hears of each that is gone, before another is started in its place. */
function createMembers(options: ProcessPoolOptions, onEnded: (child: Child) => void) {
  const children = new Set<Child>()
  const idle = createIdleChildren({ idleMs: options.idleMs, isKept: (others) => isWarm && others === 0 })
  let isWarm = false
  let isClosed = false

  function start(): Child {
    const child = startChild(options)
    children.add(child)
    void child.ended.then(() => {
      children.delete(child)
      idle.delete(child)
      onEnded(child)
      // One that has done nothing may never be able to: it would be started for ever.
      if (isWarm && child.served() > 0) readySpare()
    })
    return child
  }

  function provide({ needsFresh = false }: QueuedTask): Child | null {
    const rested = idle.take((child) => !needsFresh || child.served() === 0)
    if (rested !== null) return rested
    if (children.size < options.size) return start()
    // The end of one that has served makes room.
    if (needsFresh) idle.take(() => true)?.kill({ kind: 'crash', detail: 'replaced' })
    return null
  }

  function takeBack(child: Child, isSound: boolean): void {
    const needsRecycle = child.served() >= options.recycleAfterDocuments
    if (!isSound || needsRecycle || isClosed || !child.isAlive()) child.kill({ kind: 'crash', detail: 'replaced' })
    else {
      idle.add(child)
      void recycleIfOverMemory(child)
    }
  }

  /** Looked at while it rests already, so that the next task need not wait for the look. */
  async function recycleIfOverMemory(child: Child): Promise<void> {
    const bytes = child.pid === null ? null : await getResidentBytes(child.pid)
    if (bytes === null || bytes <= options.recycleAtBytes || !idle.delete(child)) return
    child.kill({ kind: 'crash', detail: 'replaced' })
  }

  function readySpare(): void {
    if (!isClosed && children.size < options.size && idle.size() === 0) idle.add(start())
  }

  function prewarm(): void {
    isWarm = true
    readySpare()
  }

  async function close(): Promise<void> {
    isClosed = true
    const all = [...children]
    for (const child of all) child.kill({ kind: 'closed' })
    await Promise.all(all.map((child) => child.ended))
  }

  return { isWarm: () => isWarm, isClosed: () => isClosed, provide, takeBack, readySpare, prewarm, close }
}

/** Children that wait for work. Each ends after a while, unless it is kept: that is asked with the number of others. */
function createIdleChildren({ idleMs, isKept }: { idleMs: number; isKept: (others: number) => boolean }) {
  const idle = new Map<Child, NodeJS.Timeout>()

  function add(child: Child): void {
    const end = () => {
      if (isKept(idle.size - 1)) return add(child)
      idle.delete(child)
      child.kill({ kind: 'crash', detail: 'idle' })
    }
    idle.set(child, setTimeout(end, idleMs).unref())
  }

  function remove(child: Child): boolean {
    clearTimeout(idle.get(child))
    return idle.delete(child)
  }

  function take(isMeant: (child: Child) => boolean): Child | null {
    // The last one knows most of what it needs already.
    for (const child of [...idle.keys()].toReversed()) {
      if (!isMeant(child)) continue
      remove(child)
      if (child.isAlive()) return child
    }
    return null
  }

  return { add, delete: remove, take, size: () => idle.size }
}

type Waiter = { resolve: (child: Child) => void; reject: (error: unknown) => void }

/** Tasks that wait for a child, in the order of the queue. */
function createAdmission(options: FairQueueOptions) {
  const queue = createFairQueue<QueuedTask>(options)
  const waiters = new Map<QueuedTask, Waiter>()

  function leave(task: QueuedTask): void {
    queue.remove(task)
    waiters.delete(task)
  }

  function enter(task: QueuedTask, signal: AbortSignal | undefined): Promise<Child> {
    // A signal that has aborted already fires no event.
    if (signal?.aborted === true) return Promise.reject(signal.reason)
    const { promise, resolve, reject } = Promise.withResolvers<Child>()
    const giveUp = () => {
      leave(task)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', giveUp, { once: true })
    waiters.set(task, { resolve, reject })
    queue.add(task)
    return promise.finally(() => signal?.removeEventListener('abort', giveUp))
  }

  /** Gives children to those whose turn it is, until there is none. */
  function admit(take: (task: QueuedTask) => Child | null): void {
    for (let task = queue.next(); task !== null; task = queue.next()) {
      const child = take(task)
      if (child === null) return
      queue.begin(task)
      waiters.get(task)?.resolve(child)
      leave(task)
    }
  }

  function refuseAll(error: unknown): void {
    for (const [task, waiter] of waiters) {
      leave(task)
      waiter.reject(error)
    }
  }

  return { enter, admit, refuseAll, end: queue.end, countOvertaking: queue.countOvertaking }
}

/** What a task throws that is left undone because the pool was closed. */
export function closed(): ApiError {
  return new ApiError('service_unavailable', { message: 'The service is stopping.' })
}
