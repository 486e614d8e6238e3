import { setTimeout as pause } from 'node:timers/promises'
import { isConflict } from './store-errors.ts'

/** Eight tries with pauses of 10 ms to 1.3 s outlast any single optimize step seen; two handles with 40 writes needed two. */
const MOST_TRIES = 8
const FIRST_PAUSE_MS = 10

/**
 * Runs `work` again while another commit came first, telling `onConflict` each time. Rejects with the last conflict when that does not end, and as soon as
 * the signal fires between two tries.
 */
export async function retryConflicts<T>(
  work: () => Promise<T>,
  onConflict = () => {},
  signal?: AbortSignal,
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isConflict(error)) throw error
      onConflict()
      if (tried >= MOST_TRIES) throw error
      // Spread out at random, or both sides meet again.
      const pauseMs = FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.5 + Math.random())
      await pause(pauseMs, undefined, { signal }).catch(() => undefined)
      if (signal?.aborted) throw error
    }
  }
}
