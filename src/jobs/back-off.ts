/**
 * The pause after the first attempt; each further one is {@link GROWTH} times as long. Our choice:
 * 1, 5, 25, 125 s.
 */
const FIRST_PAUSE_MS = 1000
const GROWTH = 5
/** Longest pause. */
const MAX_PAUSE_MS = 125_000
/**
 * Pauses differ by up to this part either way, so that jobs which failed together do not come back
 * together.
 */
const JITTER = 0.2
/** No job that waits for its turn does so for longer. */
export const LONGEST_PAUSE_MS = MAX_PAUSE_MS * (1 + JITTER)
/** Longest pause after an interruption: after a restart, work is to go on within seconds. */
const MAX_INTERRUPTED_PAUSE_MS = 5000

/**
 * The pause in milliseconds after `attempts` failed attempts (1 or more); `random` gives numbers
 * from 0 to under 1.
 */
export function backOffMs(attempts: number, random: () => number): number {
  const pauseMs = Math.min(FIRST_PAUSE_MS * GROWTH ** (attempts - 1), MAX_PAUSE_MS)
  return Math.round(pauseMs * (1 + JITTER * (2 * random() - 1)))
}

/** The pause in milliseconds after an attempt whose worker died. */
export function interruptedPauseMs(attempts: number, random: () => number): number {
  return Math.min(backOffMs(attempts, random), MAX_INTERRUPTED_PAUSE_MS)
}
