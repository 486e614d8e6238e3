import type { CountRequest } from './count-request.ts'

/** Windows kept at most; beyond it the oldest are forgotten, so that a flood of addresses costs bounded memory. */
const MAX_WINDOWS = 20_000

/** Counts the requests of this process; all windows of a counter have one length. */
export function createLocalCounter(now: () => Date): CountRequest {
  const windows = new Map<string, { requests: number; endsAt: Date }>()

  function openWindow(name: string, at: Date, windowMs: number) {
    const window = { requests: 0, endsAt: new Date(at.getTime() + windowMs) }
    // Deleted first, so that the order of the map is the order in which the windows end.
    windows.delete(name)
    windows.set(name, window)
    for (const [other, { endsAt }] of windows) {
      if (endsAt > at && windows.size <= MAX_WINDOWS) break
      windows.delete(other)
    }
    return window
  }

  return (name, windowMs) => {
    const at = now()
    const known = windows.get(name)
    // One that ends later than a new one would was opened before the clock was set back.
    const leftMs = (known?.endsAt.getTime() ?? 0) - at.getTime()
    const window = known !== undefined && leftMs > 0 && leftMs <= windowMs ? known : openWindow(name, at, windowMs)
    window.requests += 1
    return window
  }
}
