import { createSemaphore } from '../../concurrency/semaphore.ts'
import {
  createIdleThread,
  type IdleThreadOptions,
  type RunningThread,
  startThread,
} from '../../concurrency/worker-thread.ts'
import { ApiError, type ErrorCode } from '../../errors.ts'
import { parseJsonBody } from './json-body.ts'

/** Request to the thread: a body in shared memory, or the next elements of the last body. */
export type JsonRequest = { body: Uint8Array } | 'next'

/**
 * Reply of the thread. Long top-level arrays, named in `arrays`, arrive empty; their elements
 * follow on request, array by array. Or the error of {@link parseJsonBody}.
 */
export type JsonReply =
  | { value: unknown; arrays: readonly string[] }
  | { refused: ErrorCode; message: string }
  | { elements: readonly unknown[]; isLast: boolean }

/** Parser for large JSON bodies. */
export type JsonParser = {
  /**
   * Resolves and rejects like {@link parseJsonBody}. Rejects with the signal's reason if aborted
   * before the body's turn.
   */
  parse(body: Buffer, signal: AbortSignal): Promise<unknown>
  close(): Promise<void>
}

/**
 * Creates a parser with its own thread, for one body at a time. Parsing 150 MB blocked the event
 * loop for half a second. The value is transferred in pieces of a few milliseconds each. If the
 * thread fails, the body is parsed in the event loop.
 */
export function createJsonParser(options: Omit<IdleThreadOptions<JsonRequest, JsonReply>, 'name'>): JsonParser {
  const thread = createIdleThread({ ...options, name: 'JSON' })
  const { run } = createSemaphore(1)

  /**
   * Wraps the value, because `null` is a valid JSON value. Resolves with `null` if the thread
   * failed.
   */
  async function parseThere(body: Buffer): Promise<{ value: unknown } | null> {
    const reply = await thread.call({ body })
    if (reply !== null && 'refused' in reply) throw new ApiError(reply.refused, { message: reply.message })
    if (reply === null || !('value' in reply)) return null
    const arrays: [string, unknown[]][] = []
    for (const name of reply.arrays) {
      const elements = await takeOver()
      if (elements === null) return null
      arrays.push([name, elements])
    }
    return { value: arrays.length === 0 ? reply.value : { ...(reply.value as object), ...Object.fromEntries(arrays) } }
  }

  async function takeOver(): Promise<unknown[] | null> {
    const pieces: (readonly unknown[])[] = []
    for (;;) {
      const reply = await thread.call('next')
      if (reply === null || !('elements' in reply)) return null
      pieces.push(reply.elements)
      if (reply.isLast) return pieces.flat()
    }
  }

  return {
    parse: (body, signal) =>
      run(
        async () => {
          const parsed = await parseThere(body)
          return parsed === null ? parseJsonBody(body) : parsed.value
        },
        { signal },
      ),
    close: thread.close,
  }
}

/** Room for a text of 150 MB with two bytes per character, and all of its values. */
const MAX_HEAP_MB = 1024

/** Starts the thread, which takes about 0.1 s. */
export function startJsonThread(): RunningThread<JsonRequest, JsonReply> {
  return startThread({ main: './json-thread-main', baseUrl: import.meta.url, maxHeapMb: MAX_HEAP_MB })
}
