import { ApiError } from '../../errors.ts'
import { type Child, type ChildOptions, startChild } from './child.ts'
import { createFairQueue, type FairQueueOptions, type QueuedTask } from './fair-queue.ts'
import type { ProcessorShares } from './processor-shares.ts'
import { getResidentBytes } from './watch-child.ts'

/** Child processes of a pool: running, idle and awaited. */
export type ProcessPool = {
  /**
   * Resolves to a child for a task, in the order of {@link createFairQueue}. Rejects with the
   * signal's reason, or if the pool is closed.
   */
  acquire(task: QueuedTask, signal: AbortSignal | undefined): Promise<Child>
  /**
   * Takes a child back. Ends the child if worn out or not `isSound`: after an aborted task the
   * child may still be working.
   */
  release(child: Child, task: QueuedTask, isSound: boolean): void
  /**
   * Starts a spare child if there is room and none is idle, because the others are busy for long.
   */
  readySpare(): void
  /**
   * Ends the child of a running task that can restart, if another task has a prior claim: {@link
   * FairQueue.countOvertaking}.
   */
  yieldPlace(child: Child, task: QueuedTask, hadItsTime: boolean): void
  /** Keeps a spare child ready from now on. */
  prewarm(): void
  /** Kills all children; resolves when all processes have ended. */
  close(): Promise<void>
}

/** Size of the pool and lifetime of its children. */
type ProcessPoolOptions = ChildOptions & {
  size: number
  recycleAfterDocuments: number
  recycleAtBytes: number
  idleMs: number
  shares: ProcessorShares
}

/** Creates a pool without children. */
export function createProcessPool(options: ProcessPoolOptions): ProcessPool {
  const admission = createAdmission({ places: options.size, shares: options.shares })
  /** Children ended in favour of other tasks. */
  const yielding = new Set<Child>()
  const members = createChildProcesses(options, (child) => {
    yielding.delete(child)
    serveNext()
  })

  function serveNext(): void {
    if (!members.isClosed()) admission.admit(members.takeOrStart)
  }

  function acquire(task: QueuedTask, signal: AbortSignal | undefined): Promise<Child> {
    if (members.isClosed()) return Promise.reject(createClosedError())
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
    admission.refuseAll(createClosedError())
    await ended
  }

  return { acquire, release, readySpare: members.readySpare, yieldPlace, prewarm: members.prewarm, close }
}

/**
 * The processes of a pool, busy and idle. `onEnded` is called for each ended process, before a
 * replacement starts.
 */
function createChildProcesses(options: ProcessPoolOptions, onEnded: (child: Child) => void) {
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
      // A child that served nothing may fail at every start: do not restart in a loop.
      if (isWarm && child.served() > 0) readySpare()
    })
    return child
  }

  function takeOrStart({ needsFresh = false }: QueuedTask): Child | null {
    const rested = idle.take((child) => !needsFresh || child.served() === 0)
    if (rested !== null) return rested
    if (children.size < options.size) return start()
    // Ending a used child makes room for a fresh child.
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

  /** Measured while idle, so that the next task does not wait for the measurement. */
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

  return { isWarm: () => isWarm, isClosed: () => isClosed, takeOrStart, takeBack, readySpare, prewarm, close }
}

/**
 * Idle children. Each ends after `idleMs` unless `isKept`, given the number of other idle children.
 */
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
    // The most recently used child has the warmest caches.
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

/** Tasks waiting for a child, in queue order. */
function createAdmission(options: FairQueueOptions) {
  const queue = createFairQueue<QueuedTask>(options)
  const waiters = new Map<QueuedTask, Waiter>()

  function leave(task: QueuedTask): void {
    queue.remove(task)
    waiters.delete(task)
  }

  function enter(task: QueuedTask, signal: AbortSignal | undefined): Promise<Child> {
    // An aborted signal fires no event.
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

  /** Assigns children to the next tasks in order until none is left. */
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

  return { enter, admit, refuseAll, end: queue.end, countOvertaking: queue.countPriorClaims }
}

/** Error of a task after the pool was closed. */
export function createClosedError(): ApiError {
  return new ApiError('service_unavailable', { message: 'The service is stopping.' })
}
