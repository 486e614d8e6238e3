/** The documentation in a browser: search, columns, theme, and the pages without JavaScript. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { useService } from '../spec/service.ts'
import { assertUsable } from './assert-usable.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openTab } from './open-console.ts'
import { until } from './until.ts'

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

browserTest('an endpoint found by search is shown and marked, from its own page and from others', async () => {
  const { page, close } = await openTab(browser())
  const arrive = async (id: string) => {
    await page.locator(`.endpoints a[href="#${id}"][aria-current]`).waitFor()
    const { y = -1 } = (await page.locator(`#${id} h3`).boundingBox()) ?? {}
    assert.ok(y > 0 && y < 400, `${id} is at ${y}`)
  }
  await page.goto(`${service.url}/docs/reference`)
  for (const [words, id] of [
    ['evaluate', 'evaluate'],
    ['verify a memory', 'verifyMemory'],
  ] as const) {
    await page.getByRole('searchbox').fill(words)
    await page.locator(`.found a[href="/docs/reference#${id}"]`).click()
    await arrive(id)
    await page.locator('.found').waitFor({ state: 'hidden' })
  }
  await page.goto(`${service.url}/docs/errors`)
  await page.getByRole('searchbox').fill('POST /v1/webhooks')
  await page.locator('.found a[href="/docs/reference#createWebhook"]').click()
  await arrive('createWebhook')
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
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'API reference' }).click()
  const samples = page.locator('#find .sample')
  await samples.first().waitFor()
  assert.equal(await samples.count(), 3)
  for (const sample of await samples.all()) {
    assert.ok(await sample.locator('pre').isVisible())
    assert.ok(await sample.locator('.sample-name').isVisible())
  }
  await close()
})

browserTest('on a telephone the list of all pages is one step from the top, without a script as well', async () => {
  const narrow = { viewport: { width: 380, height: 760 }, javaScriptEnabled: false }
  const { page, close } = await openTab(browser(), narrow)
  await page.goto(`${service.url}/docs/errors`)
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'All pages' }).press('Enter')
  await page.keyboard.press('Tab')
  assert.ok(await pages.locator(':focus').count(), 'the list has the focus')
  await page.keyboard.press('Escape')
  await pages.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'All pages' }).click()
  await pages.getByRole('link', { name: 'Scanned documents' }).click()
  await page.getByRole('heading', { level: 1, name: 'Scanned documents (OCR)' }).waitFor()
  await page.getByRole('button', { name: 'On this page' }).click()
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Page results' }).click()
  assert.equal(new URL(page.url()).hash, '#page-results')
  await close()
})

for (const [width, colorScheme] of [
  [380, 'light'],
  [1024, 'dark'],
  [1440, 'light'],
  [1440, 'dark'],
  [2560, 'dark'],
] as const) {
  browserTest(`at ${width} pixels, ${colorScheme}, the pages have no finding of axe`, async () => {
    const { page, close } = await openTab(browser(), { viewport: { width, height: 900 }, colorScheme })
    await page.goto(service.url)
    await page.evaluate(`sessionStorage.setItem('recollect-key', '${service.bootstrapKey}')`)
    for (const path of ['', '/configuration', '/errors', '/reference']) {
      await page.goto(`${service.url}/docs${path}`)
      await page.getByRole('button', { name: 'Theme: system' }).waitFor()
      // One function renders all endpoints, and axe takes half a minute for 75 of them.
      await page.evaluate('document.querySelectorAll(".operation").forEach((one, at) => at % 15 && one.remove())')
      await assertUsable(page, `/docs${path}`)
    }
    await close()
  })
}

/** The boxes of elements, for comparing their places. */
async function boxesOf(page: Page, ...selectors: string[]): Promise<{ x: number; y: number; width: number }[]> {
  const boxes = await Promise.all(selectors.map((selector) => page.locator(selector).first().boundingBox()))
  return boxes.map((box, index) => {
    assert.ok(box !== null, `${selectors[index]} is not shown`)
    return box
  })
}

browserTest('a wide screen has three columns, and the samples beside their endpoint', async () => {
  const { page, close } = await openTab(browser(), { viewport: { width: 1440, height: 900 } })
  await page.goto(`${service.url}/docs/guides/filters`)
  const columns = await boxesOf(page, 'nav.pages', 'article', 'nav.on-page')
  assert.ok(
    columns.every(({ x, width }, index) => x + width <= (columns[index + 1]?.x ?? 1440)),
    JSON.stringify(columns),
  )
  assert.ok((columns[1]?.width ?? 0) <= 760, 'the text has a readable width')
  assert.equal(await page.locator('.pages [aria-current="page"]').textContent(), 'Filters and several memories')

  for (const width of [1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${service.url}/docs/reference#ask`)
    const [text, samples] = await boxesOf(page, '#ask .about', '#ask .beside')
    assert.ok(text !== undefined && samples !== undefined && samples.x >= text.x + text.width, `${width}`)
  }
  // They stay while the fields scroll.
  await page.mouse.move(600, 400)
  await page.mouse.wheel(0, 500)
  await until(async () => ((await page.locator('#ask .about').boundingBox())?.y ?? 0) < -300)
  const [kept] = await boxesOf(page, '#ask .beside')
  assert.ok(kept !== undefined && kept.y > 0, `the samples are at ${kept?.y}`)
  await close()
})

browserTest('the contents of a page follow the scroll to its last section', async () => {
  const { page, close } = await openTab(browser(), { viewport: { width: 1440, height: 900 } })
  await page.goto(`${service.url}/docs/guides/filters`)
  const contents = page.getByRole('navigation', { name: 'On this page' })
  const marked = contents.locator('[aria-current="location"]')
  assert.equal(await marked.textContent(), 'Parts')
  await contents.getByRole('link', { name: 'Several memories' }).click()
  await contents.locator('[aria-current]', { hasText: 'Several memories' }).waitFor()
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  const last = contents.getByRole('link').last()
  await until(async () => (await last.getAttribute('aria-current')) === 'location')
  assert.equal(await marked.count(), 1)
  await close()
})

browserTest('the theme is the one of the console, and is there before the page is painted', async () => {
  const { page, close } = await openTab(browser(), { colorScheme: 'light' })
  const background = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
  await page.goto(`${service.url}/docs`)
  const light = await background()
  await page.getByRole('button', { name: 'Theme: system' }).click()
  await page.getByRole('button', { name: 'Theme: light' }).click()
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
  const dark = await background()
  assert.notEqual(dark, light)
  await page.goto(service.url)
  await page.getByLabel('API key').waitFor()
  assert.equal(await background(), dark)
  // Only the script in the head runs.
  await page.route(/\/docs\/site\/(frame|code|search)\.js$/, (route) => route.abort())
  await page.goto(`${service.url}/docs/errors`)
  assert.equal(await background(), dark)
  await page.unrouteAll()
  await page.reload()
  await page.getByRole('button', { name: 'Theme: dark' }).click()
  await page.getByRole('button', { name: 'Theme: system' }).waitFor()
  assert.equal(await background(), light)
  await close()
})
