import { ApiError } from '../../errors.ts'
import type { Log } from '../../observability/log.ts'
import type { ParseEvent, SniffedType, SourceFile } from '../parse-event.ts'
import { createSandboxMonitor, type SandboxMonitor } from '../sandbox/sandbox-monitor.ts'
import { ChildStopped, exceededLimit } from './child.ts'
import { getAccountNames, getQuantumMs, type QueuedTask, type TaskOwner } from './fair-queue.ts'
import { createClosedError, createProcessPool, type ProcessPool } from './process-pool.ts'
import { createProcessorShares, type ProcessorShares } from './processor-shares.ts'
import { type WatchOptions, watchChild } from './watch-child.ts'

/** Receives the costs of a task while it runs. */
export type TaskMeter = {
  /** Starts the waiting time of a task; the returned function ends it. */
  startWaiting(): () => void
  addWork(ms: number): void
}

/** Owner and limits of a task. */
export type TaskLimits = {
  /** Absent for work of the service itself. */
  owner?: TaskOwner
  /** True for work of a job, which never gets all children. Default: false. */
  isBackground?: boolean
  meter?: TaskMeter
  /**
   * Called when the task restarts from its first event, because its child was reassigned or its
   * memory was filled by earlier tasks. Events so far are void. If absent, a task that has yielded
   * events keeps its child.
   */
  onRestart?: () => void
  /** Called with the reason when the task exceeded its time or memory. */
  onLimitExceeded?: (sentence: string) => void
  /**
   * Work limit in milliseconds; time blocked by a slow reader does not count. Default: the pool's.
   */
  timeoutMs?: number
  /** Kills the child on abort; the task throws the signal's reason. */
  signal?: AbortSignal | undefined
}

/** Pool of child processes that read untrusted files. Failures stay inside the child. */
export type ParserPool = {
  /**
   * Reads a file in a child. A slow caller slows the child down. Throws the reader's errors.
   *
   * If the child times out, exceeds its memory or dies, the last event is `cut`. If no text or page
   * came before, throws `unprocessable_document` with the same message. Throws
   * `service_unavailable` if no child can be started or the pool is closed.
   */
  parse(source: SourceFile, type: SniffedType, options?: TaskLimits): AsyncGenerator<ParseEvent>
  /**
   * Runs another task and returns its result; events are dropped. Throws as `parse` does, and
   * `unprocessable_document` instead of `cut`.
   */
  run(task: string, input: unknown, options?: TaskLimits): Promise<unknown>
  /**
   * Keeps a spare child ready if the pool's size allows, so that a small file does not wait for a
   * process to start.
   */
  warm(): void
  /** Kills all children; running tasks throw. Resolves when all processes have ended. */
  close(): Promise<void>
}

/** Options of a pool. */
export type ParserPoolOptions = {
  /** Maximum number of children. */
  size: number
  /** URL of the module that exports the children's `tasks`. */
  tasksModule: string
  temporaryDirectory: string
  log: Log
  /** Environment of the children, beside a folder for temporary files. Never the service's own. */
  environment?: Readonly<Record<string, string>>
  /** Memory limit; a larger child is killed. */
  maxBytes?: number
  maxHeapMb?: number
  parseTimeoutMs?: number
  /**
   * Work after which a request's task yields its child to a task with a prior claim; {@link
   * getQuantumMs} after each restart.
   */
  quantumMs?: number
  /**
   * Processor time used by owners; share one instance among the pools of a process. Default: the
   * pool's own.
   */
  shares?: ProcessorShares
  /**
   * A child is replaced after this many tasks, or if its memory is larger after a task: WebAssembly
   * never releases memory.
   */
  recycleAfterDocuments?: number
  recycleAtBytes?: number
  /** An idle child ends after this time. */
  idleMs?: number
  pollMs?: number
  /** Shared by all pools, so that the sandbox outcome is logged once. Default: the pool's own. */
  sandbox?: SandboxMonitor
}

const MB = 1024 * 1024
/** For the reasons, see docs/decisions/0021. */
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

/** Processor time of a new process before its first task. */
const PROCESS_START_MS = 400

/** A single start of a task. */
type Attempt = { restarts: number; needsFresh: boolean }

const FIRST_ATTEMPT: Attempt = { restarts: 0, needsFresh: false }

/** Creates a pool without children; the first starts with the first task, or by `warm`. */
export function createParserPool(given: ParserPoolOptions): ParserPool {
  const options = { ...DEFAULTS, sandbox: createSandboxMonitor(given.log), shares: createProcessorShares(), ...given }
  const processes = createProcessPool(options)
  const stream = createStream(processes, options)

  async function* parse(source: SourceFile, type: SniffedType, limits: TaskLimits = {}): AsyncGenerator<ParseEvent> {
    for (let attempt: Attempt | null = FIRST_ATTEMPT; ; ) {
      attempt = yield* parseOnce(source, type, { limits, attempt })
      if (attempt === null) return
      limits.onRestart?.()
    }
  }

  /** Returns the next attempt; `null` if the file was read. */
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

  return { parse, run, warm: processes.prewarm, close: processes.close }
}

type StreamOptions = Omit<WatchOptions, 'signal' | 'timeoutMs' | 'onWork'> &
  Pick<Required<ParserPoolOptions>, 'parseTimeoutMs' | 'quantumMs' | 'shares' | 'log'>

/** Runs tasks in children of the pool: yields their events, returns their result. */
function createStream(processes: ProcessPool, options: StreamOptions) {
  return async function* stream(
    { task, input }: { task: string; input: unknown },
    limits: TaskLimits,
    { mayYield, ...attempt }: Attempt & { mayYield: () => boolean },
  ): AsyncGenerator<unknown, unknown> {
    const { signal, timeoutMs = options.parseTimeoutMs, owner = null, isBackground = false, meter } = limits
    signal?.throwIfAborted()
    const queued: QueuedTask = { owner, isBackground, ...attempt }
    let workedMs = 0
    const child = await processes.acquire(queued, signal).finally(meter?.startWaiting())
    const quantumMs = options.quantumMs + (child.served() === 0 ? PROCESS_START_MS : 0)
    const onWork = (ms: number) => {
      workedMs += ms
      for (const name of getAccountNames(queued)) options.shares.charge(name, ms)
      meter?.addWork(ms)
      if (isSound || workedMs < quantumMs) return
      processes.readySpare()
      if (!isBackground && mayYield()) processes.yieldPlace(child, queued, workedMs >= getQuantumMs(quantumMs, queued))
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
      if (!isSound && !wasReassigned(error)) options.log.warn({ err: error, task }, 'A task in a child process failed.')
      throw error
    } finally {
      stopWatching()
      processes.release(child, queued, isSound)
    }
  }
}

function wasReassigned(error: unknown): boolean {
  return error instanceof ChildStopped && error.reason.kind === 'yielded'
}

/**
 * Returns the next attempt of a task whose child was reassigned or filled by earlier tasks; `null`
 * for none.
 */
function nextAttempt(error: unknown, { restarts, needsFresh }: Attempt, mayRestart: boolean): Attempt | null {
  if (!(error instanceof ChildStopped)) return null
  if (wasReassigned(error)) return { restarts: restarts + 1, needsFresh }
  const { reason } = error
  if (!mayRestart || reason.kind !== 'memory' || !reason.hadServed) return null
  return { restarts: restarts + 1, needsFresh: true }
}

/** Explains a failed task in a sentence. Rethrows errors unrelated to the file. */
function explain(error: unknown, pages: number, { signal, onLimitExceeded }: TaskLimits): string {
  if (signal?.aborted === true || error instanceof ApiError) throw error
  if (!(error instanceof ChildStopped)) return explainFault(pages)
  if (error.reason.kind === 'closed') throw createClosedError()
  if (error.reason.kind === 'unstarted') throw unstarted(error)
  const sentence = explainStop(error, pages)
  if (exceededLimit(error.reason)) onLimitExceeded?.(sentence)
  return sentence
}

/** The file was not looked at; a retry may succeed. */
function unstarted(cause: ChildStopped): ApiError {
  return new ApiError('service_unavailable', { message: 'No process could be started to read the file.', cause })
}

function unprocessable(message: string, cause: unknown): ApiError {
  return new ApiError('unprocessable_document', { message, cause })
}

/**
 * Explains to the caller why the rest of a file was not read. `pages`: number of pages read before.
 */
function explainStop({ reason }: ChildStopped, pages: number): string {
  const after = afterPages(pages)
  if (reason.kind === 'time')
    return `Reading the file took more than ${Math.round(reason.limitMs / 1000)} s and was stopped${after}.`
  if (reason.kind === 'memory') {
    const mb = Math.round(reason.limitBytes / 1024 / 1024)
    return `Reading the file took more than ${mb} MB of memory and was stopped${after}.`
  }
  return `Reading the file failed${after}: the parser process crashed.`
}

/** The same for a reader that threw an unexpected error. */
function explainFault(pages: number): string {
  return `Reading the file failed${afterPages(pages)}: unexpected content; the file may be damaged.`
}

function afterPages(pages: number): string {
  return pages === 0 ? '' : ` after ${pages === 1 ? 'page 1' : `${pages} pages`}`
}
