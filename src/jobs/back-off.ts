/**
 * Pause after the first attempt; each further pause is {@link GROWTH} times as long. Our choice: 1,
 * 5, 25, 125 s.
 */
const FIRST_PAUSE_MS = 1000
const GROWTH = 5
const MAX_PAUSE_MS = 125_000
/** Pauses vary by up to this share, so that jobs that failed together do not retry together. */
const JITTER = 0.2
/** Upper bound of every pause. */
export const MAX_JITTERED_PAUSE_MS = MAX_PAUSE_MS * (1 + JITTER)
/** Upper bound of the pause after an interruption: after a restart, work resumes within seconds. */
const MAX_INTERRUPTED_PAUSE_MS = 5000

/**
 * Pause in milliseconds after `attempts` failed attempts (1 or more); `random` returns numbers from
 * 0 to under 1.
 */
export function backOffMs(attempts: number, random: () => number): number {
  const pauseMs = Math.min(FIRST_PAUSE_MS * GROWTH ** (attempts - 1), MAX_PAUSE_MS)
  return Math.round(pauseMs * (1 + JITTER * (2 * random() - 1)))
}

/** Pause in milliseconds after an attempt whose worker died. */
export function interruptedPauseMs(attempts: number, random: () => number): number {
  return Math.min(backOffMs(attempts, random), MAX_INTERRUPTED_PAUSE_MS)
}
