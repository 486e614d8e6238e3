import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

type Impact = NonNullable<axe.ImpactValue>
const SERIOUS: readonly Impact[] = ['serious', 'critical']
/** Every finding of axe. */
export const ALL_IMPACTS: readonly Impact[] = ['minor', 'moderate', ...SERIOUS]

/**
 * Passes the accessibility rules of axe, and nothing overflows the screen. `impacts` are those that
 * count.
 */
export async function assertUsable(page: Page, what: string, impacts: readonly Impact[] = SERIOUS): Promise<void> {
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  assert.ok(width <= (page.viewportSize()?.width ?? 0), `${what} is ${width} wide`)
  await page.evaluate(axe.source)
  const found = await page.evaluate<axe.Result[]>(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)",
  )
  const counted = found.filter(({ impact }) => impact && impacts.includes(impact))
  const told = counted.map(({ id, nodes }) => `${what}: ${id} at ${nodes.map(({ target }) => target).join(', ')}`)
  assert.deepEqual(told, [])
}
