/** The documentation in a browser: search, and the pages without JavaScript. */
import assert from 'node:assert/strict'
import { useService } from '../spec/service.ts'
import { assertUsable } from './assert-usable.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openTab } from './open-console.ts'

const browser = useBrowser()
const service = useService()

browserTest('the search is reached, read and left by keyboard, and opens at the heading', async () => {
  const { page, close } = await openTab(browser())
  await page.goto(`${service.url}/docs`)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('rate limit')
  const first = page.locator('.found a').first()
  await first.waitFor()
  await page.locator('.found mark').first().waitFor()
  await assertUsable(page, 'search')
  await page.keyboard.press('Escape')
  await page.locator('.found').waitFor({ state: 'hidden' })
  assert.equal(await page.evaluate('document.activeElement.id'), 'search')

  await page.keyboard.type('page results')
  await page.getByRole('link', { name: 'Scanned documents (OCR) › Page results' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  assert.equal(await page.evaluate('document.activeElement.id'), 'search')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Scanned documents (OCR)' }).waitFor()
  assert.equal(new URL(page.url()).hash, '#page-results')
  await close()
})

browserTest('an endpoint found by search is expanded, from its own page and from others', async () => {
  const { page, close } = await openTab(browser())
  await page.goto(`${service.url}/docs/reference`)
  for (const [words, id] of [
    ['evaluate', 'evaluate'],
    ['verify a memory', 'verifyMemory'],
  ] as const) {
    await page.getByRole('searchbox').fill(words)
    await page.locator(`.found a[href="/docs/reference#${id}"]`).click()
    await page.locator(`#${id}[open]`).waitFor()
    await page.locator('.found').waitFor({ state: 'hidden' })
  }
  await page.goto(`${service.url}/docs/errors`)
  await page.getByRole('searchbox').fill('POST /v1/webhooks')
  await page.locator('.found a[href="/docs/reference#createWebhook"]').click()
  await page.locator('#createWebhook[open]').waitFor()
  await close()
})

browserTest('a search without results or connection says so and recovers', async () => {
  const { page, close } = await openTab(browser(), { viewport: { width: 380, height: 760 }, colorScheme: 'dark' })
  await page.goto(`${service.url}/docs/errors`)
  await page.route('**/search-index.gz', (route) => route.abort())
  const field = page.getByRole('searchbox', { name: 'Search the documentation' })
  await field.fill('quota')
  await page.getByText('The search does not answer').waitFor()
  await page.unroute('**/search-index.gz')
  await field.fill('xylophonists')
  await page.getByText('No results').waitFor()
  await field.fill('quota')
  await page.locator('.found mark').first().waitFor()
  await assertUsable(page, 'narrow search')
  await close()
})

browserTest('without scripts the pages are whole, and ask for none', async () => {
  const { page, close } = await openTab(browser(), { javaScriptEnabled: false })
  await page.goto(`${service.url}/docs/guides/corrections`)
  await page.getByRole('heading', { level: 1, name: 'Corrections' }).waitFor()
  assert.equal(await page.getByRole('searchbox').count(), 0)
  await page.getByRole('link', { name: 'API reference' }).click()
  await page.locator('#find summary').first().waitFor()
  await close()
})

browserTest('on a telephone the list of all pages is one step from the top, without a script as well', async () => {
  const narrow = { viewport: { width: 380, height: 760 }, javaScriptEnabled: false }
  const { page, close } = await openTab(browser(), narrow)
  await page.goto(`${service.url}/docs/errors`)
  await page.getByRole('link', { name: 'All pages' }).click()
  await page.locator('nav:focus').waitFor()
  await page.getByRole('link', { name: 'Scanned documents' }).click()
  await page.getByRole('heading', { level: 1, name: 'Scanned documents (OCR)' }).waitFor()
  await close()
})
