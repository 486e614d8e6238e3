import { setTimeout as pause } from 'node:timers/promises'

const PATIENCE_MS = 30_000

/**
 * Polls `look` and returns its first value that is neither false nor null. For conditions without a
 * locator: Playwright evaluates its own conditions in the page, and a page that forbids `eval`
 * refuses to wait. Rejects after 30 s.
 */
export async function until<Value>(look: () => Promise<Value | false | null | undefined>): Promise<Value> {
  const endMs = performance.now() + PATIENCE_MS
  for (;;) {
    const seen = await look()
    if (seen !== false && seen !== null && seen !== undefined) return seen
    if (performance.now() > endMs) throw new Error('what is waited for does not come')
    await pause(20)
  }
}
