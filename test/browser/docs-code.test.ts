/** The code of the documentation in a browser: languages, copying, and the own key. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { useService } from '../spec/service.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole, openTab, signIn } from './open-console.ts'
import { until } from './until.ts'

const browser = useBrowser()
const service = useService()

/** Allows to read the clipboard, and copies a block of code. */
async function copied(page: Page, block: string): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.locator(block).getByRole('button', { name: 'Copy', exact: true }).click()
  await page.locator(block).getByRole('button', { name: 'Copied', exact: true }).waitFor()
  return page.evaluate<string>('navigator.clipboard.readText()')
}

browserTest('a language is chosen by keyboard for all samples, on other pages and later as well', async () => {
  const { page, close } = await openTab(browser())
  await page.goto(`${service.url}/docs/reference`)
  const find = page.locator('#find').getByRole('tab')
  assert.deepEqual(await find.allTextContents(), ['curl', 'TypeScript', 'Python'])
  await find.first().focus()
  await page.keyboard.press('ArrowLeft')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Python')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  for (const id of ['find', 'ask', 'listKeys']) {
    const selected = page.locator(`#${id} [role=tab][aria-selected=true]`)
    assert.equal(await selected.textContent(), 'TypeScript', id)
    assert.equal(await page.locator(`#${id} [role=tabpanel]:visible`).count(), 1, id)
    assert.match((await page.locator(`#${id} [role=tabpanel]:visible`).textContent()) ?? '', /createClient/, id)
    const panel = await selected.getAttribute('aria-controls')
    assert.ok(await page.locator(`#${panel}`).isVisible(), id)
  }
  // One stop of the Tab key a sample. A sample without the language shows its first.
  assert.equal(await page.locator('#find [role=tab][tabindex="0"]').count(), 1)
  for (const single of await page.locator('.samples:has([role=tab]:only-child)').all()) {
    assert.ok(await single.locator('pre').isVisible())
  }
  await page.goto(`${service.url}/docs`)
  await page.locator('[role=tab][aria-selected=true]', { hasText: 'TypeScript' }).first().waitFor()
  assert.equal(await page.locator('[role=tab][aria-selected=true]', { hasText: 'curl' }).count(), 0)
  await close()
})

browserTest('every block of code is copied with the address of this service', async () => {
  const { page, close } = await openTab(browser())
  for (const path of ['/docs', '/docs/mcp', '/docs/errors', '/docs/reference']) {
    await page.goto(`${service.url}${path}`)
    const blocks = page.locator('.code:has(pre)')
    assert.ok((await blocks.count()) > 0, path)
    const buttons = page.locator('.code').getByRole('button', { name: 'Copy', exact: true })
    assert.equal(await buttons.count(), await blocks.count(), path)
    assert.equal(await page.locator('pre').count(), await page.locator('.code pre').count(), path)
  }
  assert.match(await copied(page, '#find .samples'), new RegExp(`^curl -s "${service.url}/v1/memories/\\$ID/find"`))
  await page.locator('#find').getByRole('tab', { name: 'TypeScript' }).click()
  assert.match(await copied(page, '#ask .samples'), new RegExp(`baseUrl: '${service.url}', apiKey: process.env.KEY`))
  await page.locator('#find').getByRole('tab', { name: 'Python' }).click()
  assert.match(await copied(page, '#listKeys .samples'), new RegExp(`Recollect\\("${service.url}", os.environ`))
  await page.goto(`${service.url}/docs/production`)
  assert.match((await page.locator('article').textContent()) ?? '', /proxy_pass http:\/\/127\.0\.0\.1:8080;/)
  await close()
})

browserTest('code is copied without TLS, by the name of another machine', async () => {
  const url = service.url.replace('127.0.0.1', 'recollect.test')
  const { page, close } = await openTab(browser())
  await page.goto(`${url}/docs/reference`)
  assert.equal(await page.evaluate('isSecureContext'), false)
  const block = page.locator('#getHealth .samples')
  await block.getByRole('button', { name: 'Copy', exact: true }).click()
  await block.getByRole('button', { name: 'Copied', exact: true }).waitFor()
  await page.getByRole('searchbox').focus()
  await page.keyboard.press('Control+v')
  assert.equal(await page.getByRole('searchbox').inputValue(), `curl -s "${url}/health"`)
  await close()
})

browserTest('without a signed-in console no key is offered', async () => {
  const { page, close } = await openTab(browser())
  await page.goto(`${service.url}/docs/reference`)
  await page.getByRole('button', { name: 'Copy', exact: true }).first().waitFor()
  // An open console would have answered in this time.
  await page.waitForTimeout(300)
  assert.equal(await page.getByRole('button', { name: 'Use my key' }).count(), 0)
  await close()
})

browserTest('the key of the console is shown masked, copied whole, and goes nowhere else', async () => {
  const key = service.bootstrapKey
  const { page: signedIn, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  // A page that the console did not open has the key from its tab.
  const page = await signedIn.context().newPage()
  const sent: string[] = []
  page.on('request', (request) =>
    sent.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData()}`),
  )
  await page.goto(`${service.url}/docs/reference`)
  await page.locator('#find').getByRole('button', { name: 'Use my key' }).click()
  const masked = `${key.slice(0, 4)}••••••••${key.slice(-4)}`
  for (const id of ['find', 'ask']) {
    assert.match(
      (await page.locator(`#${id} [role=tabpanel]:visible`).textContent()) ?? '',
      new RegExp(`Bearer ${masked}"`),
    )
  }
  assert.match(await copied(page, '#find .samples'), new RegExp(`-H "Authorization: Bearer ${key}"`))
  await page.locator('#find').getByRole('tab', { name: 'TypeScript' }).click()
  assert.match(await copied(page, '#find .samples'), new RegExp(`apiKey: '${key}'`))
  await page.locator('#find').getByRole('tab', { name: 'Python' }).click()
  assert.match(await copied(page, '#find .samples'), new RegExp(`, "${key}"\\)`))
  await page.goto(`${service.url}/docs`)
  assert.match(await copied(page, '.code:has-text("export URL=")'), new RegExp(`KEY=${key}$`))
  assert.ok(!(await page.content()).includes(key), 'the page has the key')
  assert.ok(!page.url().includes(key))
  assert.deepEqual(
    sent.filter((each) => each.includes(key)),
    [],
  )
  assert.equal(
    await page.evaluate(`Object.values({ ...localStorage, ...sessionStorage }).join().includes('${key}')`),
    false,
  )

  await page.getByRole('button', { name: 'Use my key' }).first().click()
  assert.match(await copied(page, '.samples >> nth=0'), /os\.environ\["KEY"\]/)
  await page.getByRole('button', { name: 'Use my key' }).first().click()
  await signedIn.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Use my key' }).first().waitFor({ state: 'hidden' })
  assert.match(await copied(page, '.samples >> nth=0'), /os\.environ\["KEY"\]/)
  await close()
})

browserTest('a page of the tab of the console forgets the key when another tab signs out', async () => {
  const { page: signedIn, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  const page = await signedIn.context().newPage()
  await page.goto(service.url)
  await page.locator('main#content').waitFor()
  // A page without samples of the key as well.
  await page.goto(`${service.url}/docs/licences`)
  await page.getByRole('searchbox').waitFor()
  assert.equal(await page.evaluate("sessionStorage.getItem('recollect-key')"), service.bootstrapKey)
  await signedIn.getByRole('button', { name: 'Sign out' }).click()
  await until(async () => (await page.evaluate("sessionStorage.getItem('recollect-key')")) === null)
  await close()
})

browserTest('a page offers the key of a later sign-in without a reload', async () => {
  const { json } = await service.post<{ key: string }>('/v1/keys', { name: 'Later', role: 'reader' })
  const { page: signedIn, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  const page = await signedIn.context().newPage()
  await page.goto(`${service.url}/docs/reference`)
  await page.locator('#find').getByRole('button', { name: 'Use my key' }).click()
  await signedIn.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Use my key' }).first().waitFor({ state: 'hidden' })
  await signIn(signedIn, json.key)
  await page
    .locator('#find .filled')
    .getByText(`${json.key.slice(0, 4)}••••••••${json.key.slice(-4)}`)
    .first()
    .waitFor()
  await close()
})
