import { ApiError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { createFenceWatch, type FenceWatch } from '../fence/fence-watch.ts'
import type { ParseEvent, SniffedType, SourceFile } from '../parse-event.ts'
import { ChildStopped, explainFault, explainStop } from './child-stopped.ts'
import { closed, createCrew } from './crew.ts'
import { watchChild } from './watch-child.ts'

/** Limits of one task. */
export type TaskLimits = {
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
  recycleAfterDocuments: 50,
  recycleAtBytes: 600 * MB,
  idleMs: 60_000,
  pollMs: 100,
} as const

/** A pool without children: the first comes with the first task, or with `warm`. */
export function createParserPool(given: ParserPoolOptions): ParserPool {
  const options = { ...DEFAULTS, fence: createFenceWatch(given.log), ...given }
  const crew = createCrew(options)

  async function* stream(task: string, input: unknown, limits: TaskLimits): AsyncGenerator<unknown, unknown> {
    const { signal, timeoutMs = options.parseTimeoutMs } = limits
    signal?.throwIfAborted()
    const child = await crew.acquire(signal)
    const stopWatching = watchChild(child, { ...options, timeoutMs, signal })
    let isSound = false
    try {
      const result = yield* child.run(task, input)
      isSound = true
      return result
    } catch (error) {
      signal?.throwIfAborted()
      isSound = error instanceof ApiError
      if (!isSound) options.log.warn({ err: error, task }, 'A task in a child process failed.')
      throw error
    } finally {
      stopWatching()
      crew.release(child, isSound)
    }
  }

  async function* parse(source: SourceFile, type: SniffedType, limits: TaskLimits = {}): AsyncGenerator<ParseEvent> {
    let pages = 0
    let hasBlocks = false
    try {
      for await (const event of stream('parse', { source, type }, limits)) {
        const parsed = event as ParseEvent
        if ('page' in parsed || 'scan' in parsed) pages++
        hasBlocks ||= 'block' in parsed
        yield parsed
      }
    } catch (error) {
      const sentence = explain(error, pages, limits.signal)
      if (pages === 0 && !hasBlocks) throw unprocessable(sentence, error)
      yield { cut: sentence }
    }
  }

  async function run(task: string, input: unknown, limits: TaskLimits = {}): Promise<unknown> {
    const work = stream(task, input, limits)
    try {
      for (;;) {
        const step = await work.next()
        if (step.done === true) return step.value
      }
    } catch (error) {
      throw unprocessable(explain(error, 0, limits.signal), error)
    }
  }

  return { parse, run, warm: crew.warm, close: crew.close }
}

/** Why a task did not come to its end, in a sentence: its process ended, or its reader has a fault. Throws what is no matter of the file. */
function explain(error: unknown, pages: number, signal: AbortSignal | undefined): string {
  if (signal?.aborted === true || error instanceof ApiError) throw error
  if (!(error instanceof ChildStopped)) return explainFault(pages)
  if (error.reason.kind === 'closed') throw closed()
  if (error.reason.kind === 'unstarted') throw unstarted(error)
  return explainStop(error, pages)
}

/** Nothing is known of the file then, and it may be read a moment later. */
function unstarted(cause: ChildStopped): ApiError {
  return new ApiError('service_unavailable', { message: 'No process could be started to read the file.', cause })
}

function unprocessable(message: string, cause: unknown): ApiError {
  return new ApiError('unprocessable_document', { message, cause })
}
