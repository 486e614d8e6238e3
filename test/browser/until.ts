import { setTimeout as pause } from 'node:timers/promises'

const PATIENCE_MS = 30_000

/**
 * What `look` gives, as soon as that is neither false nor nothing. For what is no locator: a page that forbids `eval` refuses the conditions that Playwright
 * would wait for in it, unless they hold at once. Rejects after 30 s.
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
