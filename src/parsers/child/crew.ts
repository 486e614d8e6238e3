import { ApiError } from '../../errors.ts'
import { type Child, type ChildOptions, startChild } from './child.ts'
import { getResidentBytes } from './resident-bytes.ts'

/** The children of a pool: who works, who rests, who waits for one. */
export type Crew = {
  /** A child for one task, the longest waiting first; rejects with the signal's reason, or when the crew is closed. */
  acquire(signal: AbortSignal | undefined): Promise<Child>
  /** Takes a child back, or ends it where it is worn or not `isSound`: one whose task was left half-way still works on it. */
  release(child: Child, isSound: boolean): void
  /** From now on, where a place is free, a child is there ahead of need. */
  warm(): void
  /** Ends all; resolves when no process is left. */
  close(): Promise<void>
}

/** How many there are, and how long each serves. */
export type CrewOptions = ChildOptions & {
  size: number
  recycleAfterDocuments: number
  recycleAtBytes: number
  idleMs: number
}

type Waiter = { resolve: (child: Child) => void; reject: (error: unknown) => void }

/** A crew without children. */
export function createCrew(options: CrewOptions): Crew {
  const children = new Set<Child>()
  const idle = new Map<Child, NodeJS.Timeout>()
  const waiting: Waiter[] = []
  let isWarm = false
  let isClosed = false

  function start(): Child {
    const child = startChild(options)
    children.add(child)
    void child.ended.then(() => {
      children.delete(child)
      clearTimeout(idle.get(child))
      idle.delete(child)
      serveNext()
      // One that has done nothing may never be able to: it would be started for ever.
      if (isWarm && child.served() > 0) warm()
    })
    return child
  }

  function rest(child: Child): void {
    const end = () => {
      if (isWarm && idle.size === 1) return rest(child)
      idle.delete(child)
      child.kill({ kind: 'crash', detail: 'idle' })
    }
    idle.set(child, setTimeout(end, options.idleMs).unref())
  }

  function takeIdle(): Child | null {
    for (const [child, timer] of idle) {
      clearTimeout(timer)
      idle.delete(child)
      if (child.isAlive()) return child
    }
    return null
  }

  function serveNext(): void {
    while (waiting.length > 0 && !isClosed) {
      const child = takeIdle() ?? (children.size < options.size ? start() : null)
      if (child === null) return
      waiting.shift()?.resolve(child)
    }
  }

  function acquire(signal: AbortSignal | undefined): Promise<Child> {
    if (isClosed) return Promise.reject(closed())
    const entered = enter(waiting, signal)
    serveNext()
    return entered
  }

  function release(child: Child, isSound: boolean): void {
    const isWorn = child.served() >= options.recycleAfterDocuments
    if (!isSound || isWorn || isClosed || !child.isAlive()) child.kill({ kind: 'crash', detail: 'replaced' })
    else {
      rest(child)
      serveNext()
      void endIfSwollen(child)
    }
  }

  /** Looked at while it rests already, so that the next task need not wait for the look. */
  async function endIfSwollen(child: Child): Promise<void> {
    const bytes = child.pid === null ? null : await getResidentBytes(child.pid)
    if (bytes === null || bytes <= options.recycleAtBytes || !idle.has(child)) return
    clearTimeout(idle.get(child))
    idle.delete(child)
    child.kill({ kind: 'crash', detail: 'replaced' })
  }

  function warm(): void {
    isWarm = true
    if (!isClosed && children.size < options.size && idle.size === 0) rest(start())
  }

  async function close(): Promise<void> {
    isClosed = true
    for (const waiter of waiting.splice(0)) waiter.reject(closed())
    const all = [...children]
    for (const child of all) child.kill({ kind: 'closed' })
    await Promise.all(all.map((child) => child.ended))
  }

  return { acquire, release, warm, close }
}

function enter(waiting: Waiter[], signal: AbortSignal | undefined): Promise<Child> {
  // A signal that has aborted already tells nobody.
  if (signal?.aborted === true) return Promise.reject(signal.reason)
  const { promise, resolve, reject } = Promise.withResolvers<Child>()
  const leave = () => {
    waiting.splice(waiting.indexOf(waiter), 1)
    reject(signal?.reason)
  }
  const waiter: Waiter = {
    resolve: (child) => {
      signal?.removeEventListener('abort', leave)
      resolve(child)
    },
    reject: (error) => {
      signal?.removeEventListener('abort', leave)
      reject(error)
    },
  }
  signal?.addEventListener('abort', leave, { once: true })
  waiting.push(waiter)
  return promise
}

/** What a task throws that is left undone because the pool was closed. */
export function closed(): ApiError {
  return new ApiError('service_unavailable', { message: 'The service is stopping.' })
}
