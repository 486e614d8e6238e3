import { WEBHOOKS } from '../../limits.ts'

/** The pause after the first attempt; each further one is {@link GROWTH} times as long. Our choice: 5 s, 20 s, 80 s, 5 min, 21 min, 85 min, 4 h, 4 h … */
const FIRST_PAUSE_MS = 5000
const GROWTH = 4
/** Longest pause, also where the receiver asks for a longer one. */
const MAX_PAUSE_MS = 4 * 3600 * 1000
/** Pauses differ by up to this part either way, so that messages which failed together do not come back together. */
const JITTER = 0.2

/** No message is meant to wait longer than so many milliseconds. */
export const LONGEST_PAUSE_MS = MAX_PAUSE_MS * (1 + JITTER)

/** An attempt that failed: how many were made with it, when the message was made, and how long the receiver asks to be left alone. */
export type FailedAttempt = { attempts: number; createdAt: Date; now: Date; retryAfterMs: number | null }

/** When the next attempt is made; `null` when the message has been tried for as long as any is. `random` gives numbers from 0 to under 1. */
export function chooseNextAttempt(
  { attempts, createdAt, now, retryAfterMs }: FailedAttempt,
  random: () => number,
): Date | null {
  const grownMs = Math.min(FIRST_PAUSE_MS * GROWTH ** (attempts - 1), MAX_PAUSE_MS)
  const pauseMs = Math.max(grownMs * (1 + JITTER * (2 * random() - 1)), Math.min(retryAfterMs ?? 0, MAX_PAUSE_MS))
  const next = new Date(now.getTime() + Math.round(pauseMs))
  return next.getTime() - createdAt.getTime() > WEBHOOKS.triedForMs ? null : next
}

/** What a `Retry-After` says in milliseconds (RFC 9110, section 10.2.3: seconds or a date); `null` where it says nothing that is understood. */
export function readRetryAfterMs(header: string | null, now: Date): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  // V8 takes a bare number for a year or a month.
  const at = /[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
