import { createSemaphore } from '../../concurrency/semaphore.ts'
import {
  createIdleThread,
  type IdleThreadOptions,
  type RunningThread,
  startThread,
} from '../../concurrency/worker-thread.ts'
import { ApiError, type ErrorCode } from '../../errors.ts'
import { parseJsonBody } from './json-body.ts'

/** A body, shared and not copied; or the next elements of what is left of the last one. */
export type JsonRequest = { body: Uint8Array } | 'next'

/**
 * The value, in which the long arrays of the outermost object, named in `arrays`, are empty: their elements are to be asked for, one array after the other. Or what
 * {@link parseJsonBody} threw.
 */
export type JsonReply =
  | { value: unknown; arrays: readonly string[] }
  | { refused: ErrorCode; message: string }
  | { elements: readonly unknown[]; isLast: boolean }

/** Parses large bodies of JSON. */
export type JsonParser = {
  /** What {@link parseJsonBody} gives, or throws. Rejects with the signal's reason when it is aborted before it is the body's turn. */
  parse(body: Buffer, signal: AbortSignal): Promise<unknown>
  close(): Promise<void>
}

/**
 * A parser with a thread of its own, one body after the other: 150 MB held everybody up for half a second. Its value comes over in pieces, which take some milliseconds
 * each. What a broken thread cannot parse is parsed in this one.
 */
export function createJsonParser(options: Omit<IdleThreadOptions<JsonRequest, JsonReply>, 'name'>): JsonParser {
  const thread = createIdleThread({ ...options, name: 'JSON' })
  const { run } = createSemaphore(1)

  /** In braces, since `null` is a value; `null` where the thread failed. */
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

/** A text of 150 MB in two bytes a character, and all values of it. */
const MAX_HEAP_MB = 1024

/** Starts the thread, some 0.1 s. */
export function startJsonThread(): RunningThread<JsonRequest, JsonReply> {
  return startThread({ main: './json-thread-main', baseUrl: import.meta.url, maxHeapMb: MAX_HEAP_MB })
}
