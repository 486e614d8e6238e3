/** The looks of the console: every view and part beside the picture that was last looked at. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleConsole, openConsoleFiles } from '../../src/web/console-files.ts'
import { spawnFromSource } from '../spec/product.ts'
import { useService } from '../spec/service.ts'
import { assertUsable } from './assert-usable.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openTab } from './open-console.ts'
import { compareSheets, photographViews, REFERENCE, SETTINGS } from './photographs.ts'

/** Share of a sheet that may differ, with the same fonts. */
const MAX_DIFFERENCE = 0.0025

/** Where the sheets that differ are written. */
const DIFFERING = join(tmpdir(), 'recollect-pictures')

const browser = useBrowser()
const service = useService(SETTINGS, async () => {}, spawnFromSource)

browserTest('every view and part looks as in its picture, at three widths, light and dark', async (t) => {
  const unseen = new Set(readdirSync(REFERENCE))
  const differing: string[] = []
  for await (const { name, sheet } of photographViews(browser(), service)) {
    unseen.delete(`${name}.webp`)
    const difference = await compareSheets(await readFile(join(REFERENCE, `${name}.webp`)), sheet)
    // In other fonts, lines break elsewhere.
    if (name === 'fonts' && difference > 0) return t.skip('the pictures were taken with other fonts')
    if (difference > MAX_DIFFERENCE) {
      await mkdir(DIFFERING, { recursive: true })
      await writeFile(join(DIFFERING, `${name}.webp`), sheet)
      differing.push(`${name}: ${(100 * difference).toFixed(2)} % differs, see ${DIFFERING}`)
    }
  }
  assert.deepEqual(differing, [], 'renew the pictures with test/browser/take-screenshots.ts')
  assert.deepEqual([...unseen], [], 'pictures of no view')
})

browserTest('the pictures of two views with the same frame differ', async () => {
  const [one, other] = await Promise.all(
    ['projects', 'not-found'].map((name) => readFile(join(REFERENCE, `${name}.webp`))),
  )
  assert.ok(one && other && (await compareSheets(one, other)) > MAX_DIFFERENCE)
})

browserTest('an installed console has no gallery', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-console-'))
  for (const [name, content] of await bundleConsole(join(import.meta.dirname, '..', '..', 'src', 'console')))
    await writeFile(join(folder, name), content)
  const names = ['console.js', 'gallery', 'gallery.js']
  const files = await Promise.all(names.map((name) => openConsoleFiles(folder).get(name)))
  assert.deepEqual(
    files.map((file) => file !== null),
    [true, false, false],
  )
  await rm(folder, { recursive: true })
})

for (const colorScheme of ['light', 'dark'] as const) {
  browserTest(`every part is usable in the gallery, also the dialogs, ${colorScheme}`, async () => {
    const { page, close } = await openTab(browser(), { colorScheme, reducedMotion: 'reduce' })
    await page.goto(`${service.url}/console/gallery`)
    await assertUsable(page, 'gallery')
    for (const button of await page.getByRole('region', { name: 'Dialogs' }).getByRole('button').all()) {
      await button.click()
      await page.locator('dialog[open]').waitFor()
      await assertUsable(page, (await button.textContent()) ?? '')
      await page.keyboard.press('Escape')
      await page.locator('dialog[open]').waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'Actions', exact: true }).click()
    await assertUsable(page, 'menu')
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await assertUsable(page, 'toast')
    await close()
  })
}
