import { ApiError } from '../../errors.ts'
import type { Log } from '../../observability/log.ts'
import { createFenceWatch, type FenceWatch } from '../fence/fence-watch.ts'
import type { ParseEvent, SniffedType, SourceFile } from '../parse-event.ts'
import { ChildStopped, isGivenUp } from './child.ts'
import { grownQuantumMs, namesOf, type QueuedTask, type TaskOwner } from './fair-queue.ts'
import { closed, createProcessPool, type ProcessPool } from './process-pool.ts'
import { createProcessorShares, type ProcessorShares } from './processor-shares.ts'
import { type WatchOptions, watchChild } from './watch-child.ts'

/** Hears of what a task costs while it goes on. */
export type TaskMeter = {
  /** The task waits for a child from now on, until what it gives is called. */
  startWaiting(): () => void
  addWork(ms: number): void
}

/** For whom a task is done, and its limits. */
export type TaskLimits = {
  /** Absent: the service's own work. */
  owner?: TaskOwner
  /** True for the work of a job, which never has all children. Default: false. */
  isBackground?: boolean
  meter?: TaskMeter
  /**
   * The task begins again from its first event, since another was entitled to its child, or the child had too much in its memory
   * from others: what was given so far is void. Where absent, a task that has given events keeps its child.
   */
  onRestart?: () => void
  /** Hears why the task was given up, where that was for its time or its memory. */
  onGivenUp?: (sentence: string) => void
  /** Milliseconds the child may work; time it waits for its events to be taken does not count. Default: the pool's. */
  timeoutMs?: number
  /** Kills the child; the task throws the signal's reason. */
  signal?: AbortSignal | undefined
}

/** Child processes in which files of strangers are read: what goes wrong there ends there. */
export type ParserPool = {
  /**
   * Reads a file in a child. Events come as the child finds them, and it waits for a caller who is slow. Throws what the reader throws. A
   * child that took too long, too much memory, or died costs the rest: `cut` is the last event where text or pages came before, and where
   * nothing did it throws `unprocessable_document` with the same sentence. `service_unavailable` where no child can be started, or all are ended.
   */
  parse(source: SourceFile, type: SniffedType, options?: TaskLimits): AsyncGenerator<ParseEvent>
  /** Does another task and gives its result; events are dropped. Throws as `parse` does, and `unprocessable_document` for any cut. */
  run(task: string, input: unknown, options?: TaskLimits): Promise<unknown>
  /** From now on keeps one child ahead of need, where its size allows: a small file then waits for no process to start. */
  warm(): void
  /** Ends all children; tasks that run throw. Resolves when no process is left. */
  close(): Promise<void>
}

/** How a pool works. */
export type ParserPoolOptions = {
  /** Children at most. */
  size: number
  /** URL of the module whose `tasks` the children do. */
  tasksModule: string
  temporaryDirectory: string
  log: Log
  /** What the children know of the environment, beside a folder for temporary files. Never the service's own. */
  environment?: Readonly<Record<string, string>>
  /** A child that occupies more is killed. */
  maxBytes?: number
  maxHeapMb?: number
  parseTimeoutMs?: number
  /** Work after which a request's task makes way for one that is entitled to its child; {@link grownQuantumMs} after it did so, unless its owner is over the share. */
  quantumMs?: number
  /** What owners have used; one for all pools of a process. Default: the pool's own. */
  shares?: ProcessorShares
  /** A child is replaced after so many tasks, or when it occupies so much after one: WebAssembly gives no memory back. */
  recycleAfterDocuments?: number
  recycleAtBytes?: number
  /** An idle child ends after so long. */
  idleMs?: number
  pollMs?: number
  /** One for all pools, so that what came of the fence is said once; its own where absent. */
  fence?: FenceWatch
}

const MB = 1024 * 1024
/** Why so much and so long: docs/decisions/0021. */
const DEFAULTS = {
  environment: {},
  maxBytes: 1024 * MB,
  maxHeapMb: 512,
  parseTimeoutMs: 60_000,
  quantumMs: 500,
  recycleAfterDocuments: 50,
  recycleAtBytes: 600 * MB,
  idleMs: 60_000,
  pollMs: 100,
} as const

/** Processor time that a new process takes before it begins with its first task. */
const START_MS = 400

/** One of the times that a task begins. */
type Attempt = { restarts: number; needsFresh: boolean }

const FIRST_ATTEMPT: Attempt = { restarts: 0, needsFresh: false }

/** A pool without children: the first comes with the first task, or with `warm`. */
export function createParserPool(given: ParserPoolOptions): ParserPool {
  const options = { ...DEFAULTS, fence: createFenceWatch(given.log), shares: createProcessorShares(), ...given }
  const crew = createProcessPool(options)
  const stream = createStream(crew, options)

  async function* parse(source: SourceFile, type: SniffedType, limits: TaskLimits = {}): AsyncGenerator<ParseEvent> {
    for (let attempt: Attempt | null = FIRST_ATTEMPT; ; ) {
      attempt = yield* parseOnce(source, type, { limits, attempt })
      if (attempt === null) return
      limits.onRestart?.()
    }
  }

  /** Returns how the file is to be read again; `null` where it was read. */
  async function* parseOnce(
    source: SourceFile,
    type: SniffedType,
    { limits, attempt }: { limits: TaskLimits; attempt: Attempt },
  ): AsyncGenerator<ParseEvent, Attempt | null> {
    let pages = 0
    let hasEvents = false
    let hasBlocks = false
    const mayYield = () => !hasEvents || limits.onRestart !== undefined
    try {
      for await (const event of stream({ task: 'parse', input: { source, type } }, limits, { ...attempt, mayYield })) {
        const parsed = event as ParseEvent
        hasEvents = true
        if ('page' in parsed || 'scan' in parsed) pages++
        hasBlocks ||= 'block' in parsed
        yield parsed
      }
    } catch (error) {
      const next = nextAttempt(error, attempt, mayYield())
      if (next !== null) return next
      const sentence = explain(error, pages, limits)
      if (pages === 0 && !hasBlocks) throw unprocessable(sentence, error)
      yield { cut: sentence }
    }
    return null
  }

  async function run(task: string, input: unknown, limits: TaskLimits = {}): Promise<unknown> {
    for (let attempt = FIRST_ATTEMPT; ; ) {
      const work = stream({ task, input }, limits, { ...attempt, mayYield: () => true })
      try {
        for (;;) {
          const step = await work.next()
          if (step.done === true) return step.value
        }
      } catch (error) {
        const next = nextAttempt(error, attempt, true)
        if (next === null) throw unprocessable(explain(error, 0, limits), error)
        attempt = next
      }
    }
  }

  return { parse, run, warm: crew.prewarm, close: crew.close }
}

type StreamOptions = Omit<WatchOptions, 'signal' | 'timeoutMs' | 'onWork'> &
  Pick<Required<ParserPoolOptions>, 'parseTimeoutMs' | 'quantumMs' | 'shares' | 'log'>

/** Does tasks in children of the crew: yields their events, returns their result. */
function createStream(crew: ProcessPool, options: StreamOptions) {
  return async function* stream(
    { task, input }: { task: string; input: unknown },
    limits: TaskLimits,
    { mayYield, ...attempt }: Attempt & { mayYield: () => boolean },
  ): AsyncGenerator<unknown, unknown> {
    const { signal, timeoutMs = options.parseTimeoutMs, owner = null, isBackground = false, meter } = limits
    signal?.throwIfAborted()
    const queued: QueuedTask = { owner, isBackground, ...attempt }
    let workedMs = 0
    const child = await crew.acquire(queued, signal).finally(meter?.startWaiting())
    const quantumMs = options.quantumMs + (child.served() === 0 ? START_MS : 0)
    const onWork = (ms: number) => {
      workedMs += ms
      for (const name of namesOf(queued)) options.shares.charge(name, ms)
      meter?.addWork(ms)
      if (isSound || workedMs < quantumMs) return
      crew.readySpare()
      if (!isBackground && mayYield()) crew.yieldPlace(child, queued, workedMs >= grownQuantumMs(quantumMs, queued))
    }
    let isSound = false
    const stopWatching = watchChild(child, { ...options, timeoutMs, signal, onWork })
    try {
      const result = yield* child.run(task, input)
      isSound = true
      return result
    } catch (error) {
      signal?.throwIfAborted()
      isSound = error instanceof ApiError
      if (!isSound && !hasYielded(error)) options.log.warn({ err: error, task }, 'A task in a child process failed.')
      throw error
    } finally {
      stopWatching()
      crew.release(child, queued, isSound)
    }
  }
}

function hasYielded(error: unknown): boolean {
  return error instanceof ChildStopped && error.reason.kind === 'yielded'
}

/** How a task goes on that another was entitled to take the child of, or that had one with too much in its memory; `null` where it does not. */
function nextAttempt(error: unknown, { restarts, needsFresh }: Attempt, mayRestart: boolean): Attempt | null {
  if (!(error instanceof ChildStopped)) return null
  if (hasYielded(error)) return { restarts: restarts + 1, needsFresh }
  const { reason } = error
  if (!mayRestart || reason.kind !== 'memory' || !reason.hadServed) return null
  return { restarts: restarts + 1, needsFresh: true }
}

/** Why a task did not come to its end, in a sentence: its process ended, or its reader has a fault. Throws what is no matter of the file. */
function explain(error: unknown, pages: number, { signal, onGivenUp }: TaskLimits): string {
  if (signal?.aborted === true || error instanceof ApiError) throw error
  if (!(error instanceof ChildStopped)) return explainFault(pages)
  if (error.reason.kind === 'closed') throw closed()
  if (error.reason.kind === 'unstarted') throw unstarted(error)
  const sentence = explainStop(error, pages)
  if (isGivenUp(error.reason)) onGivenUp?.(sentence)
  return sentence
}

/** Nothing is known of the file then, and it may be read a moment later. */
function unstarted(cause: ChildStopped): ApiError {
  return new ApiError('service_unavailable', { message: 'No process could be started to read the file.', cause })
}

function unprocessable(message: string, cause: unknown): ApiError {
  return new ApiError('unprocessable_document', { message, cause })
}

/** Why the rest of a file was not read, as the caller is told it: a sentence. `pages`: how many were read before. */
function explainStop({ reason }: ChildStopped, pages: number): string {
  const after = afterPages(pages)
  if (reason.kind === 'time')
    return `Reading the file took more than ${Math.round(reason.limitMs / 1000)} s and was stopped${after}.`
  if (reason.kind === 'memory') {
    const mb = Math.round(reason.limitBytes / 1024 / 1024)
    return `Reading the file took more than ${mb} MB of memory and was stopped${after}.`
  }
  return `Reading the file failed${after}: the process that read it ended.`
}

/** The same where the process lives, but its reader threw what it should not. */
function explainFault(pages: number): string {
  return `Reading the file failed${afterPages(pages)}: it is damaged in a way that its reader does not know.`
}

function afterPages(pages: number): string {
  return pages === 0 ? '' : ` after ${pages === 1 ? 'page 1' : `${pages} pages`}`
}
