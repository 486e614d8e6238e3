import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Passes every accessibility rule of axe, and nothing overflows the screen. */
export async function assertUsable(page: Page, what: string): Promise<void> {
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  assert.ok(width <= (page.viewportSize()?.width ?? 0), `${what} is ${width} wide`)
  await page.evaluate(axe.source)
  const found = await page.evaluate<axe.Result[]>(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)",
  )
  const faults = found.map(({ id, nodes }) => `${what}: ${id} at ${nodes.map(({ target }) => target).join(', ')}`)
  assert.deepEqual(faults, [])
}
