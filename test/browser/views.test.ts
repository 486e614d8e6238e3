/**
 * Every view of the console, light and dark, wide and as narrow as a telephone: can everybody use
 * it?
 */
import assert from 'node:assert/strict'
import { useService } from '../spec/service.ts'
import { addText, makeMemory } from '../spec/steps.ts'
import { makeScannedPdf } from '../support/sample-pictures.ts'
import { assertUsable } from './assert-usable.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole, openTab } from './open-console.ts'
import { until } from './until.ts'

const NARROW = { width: 380, height: 760 }
const WIDE = { width: 1200, height: 800 }

const browser = useBrowser()
const service = useService()
/** Filled by the first test, from an empty service. */
let documentPath = ''

browserTest(
  'the sign-in and the first steps have no serious fault, and a click makes a sample to look around in',
  async () => {
    const tab = await openTab(browser(), { viewport: NARROW })
    await tab.page.goto(service.url)
    await tab.page.getByLabel('API key').waitFor()
    await assertUsable(tab.page, 'sign-in')
    await tab.close()
    const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
    await page.getByRole('button', { name: 'Create your first memory' }).waitFor()
    await assertUsable(page, 'first steps')
    await page.getByRole('button', { name: 'Try a sample' }).click()
    await page.getByRole('heading', { name: 'Sample: Seabrook Sailing Club' }).waitFor()
    await page.getByRole('link', { name: 'Documents' }).click()
    const content = await makeScannedPdf([{ text: 'Rules of the slip' }, { scan: 'Boats wait here' }, { scan: '' }])
    const file = { name: 'slip.pdf', mimeType: 'application/pdf', buffer: Buffer.from(content) }
    await page.getByLabel('Choose files').setInputFiles(file)
    await page.locator('main').getByRole('link', { name: 'slip' }).click()
    await page.getByText('1 recognised').waitFor()
    documentPath = new URL(page.url()).hash
    await service.post('/v1/webhooks', { url: `https://hooks.example.com/${'a-long-path'.repeat(9)}` })
    await close()
  },
)

for (const colorScheme of ['light', 'dark'] as const) {
  for (const viewport of [WIDE, NARROW]) {
    browserTest(
      `every view has no serious fault and no sideways scrolling, ${colorScheme}, ${viewport.width} wide`,
      async () => {
        const look = { colorScheme, viewport }
        const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, look)
        for (const [path, ready] of Object.entries(listViews())) {
          await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
          await page.locator(ready).first().waitFor()
          await assertUsable(page, path)
        }
        await close()
      },
    )
  }
}

browserTest('documentation links in the views lead to existing sections', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  const pages = new Set<string>()
  for (const [path, ready] of Object.entries(listViews())) {
    await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
    await page.locator(ready).first().waitFor()
    const links = page.locator('main a[href^="/docs/"]')
    for (const link of await links.all()) pages.add((await link.getAttribute('href')) ?? '')
  }
  assert.ok(pages.size > 5)
  for (const path of pages) assert.equal((await fetch(service.url + path)).status, 200, path)
  await close()
})

browserTest('each view names its place in the tab and the heading, also without content', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  const views: Readonly<Record<string, readonly [title: RegExp, heading: RegExp]>> = {
    '#/memories': [/^Memories · Recollect$/, /^Memories$/],
    '#/jobs': [/^Jobs · Recollect$/, /^Jobs$/],
    [`${memoryPath()}/ask`]: [/^Ask · .+ · Recollect$/, /./],
    [`${memoryPath()}/documents`]: [/^Documents · .+ · Recollect$/, /./],
    '#/nowhere': [/^Page not found · Recollect$/, /^Page not found$/],
    '#/memories/mem_none/search': [/^Memory · Recollect$/, /^Memory$/],
    [`${memoryPath()}/documents/doc_none`]: [/^Document · Recollect$/, /^Document$/],
  }
  for (const [path, [title, heading]] of Object.entries(views)) {
    await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await until(async () => title.test(await page.title()))
  }
  await close()
})

browserTest('opening a deleted document hides the previous one', async () => {
  const view = { path: documentPath }
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, view)
  await page.getByRole('heading', { level: 1, name: 'slip' }).waitFor()
  await page.evaluate(`location.hash = ${JSON.stringify(`${memoryPath()}/documents/doc_none`)}`)
  await page.getByRole('alert').getByText('Document not found').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Document', exact: true }).waitFor()
  assert.equal(await page.getByText('1 recognised').count(), 0)
  await close()
})

browserTest('a hit explains its rank, and a document explains why it is missing', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  await page.goto(`${service.url}/${memoryPath()}/search?q=boat%20house`)
  await page.getByText('Why?').first().click()
  await page.locator('.reasons dd').first().waitFor()
  await page.getByText('Why is a document missing?').click()
  await page.getByLabel('Document a recent title').fill('doc_01m7yr0fdrf21vdwyrjzjpfjva')
  await page.keyboard.press('Tab')
  await page.getByText('This memory has no such document.').waitFor()
  await assertUsable(page, 'explanations')
  await close()
})

browserTest('the questions of the sample compare the modes, and each opens its search', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  await page.goto(`${service.url}/${memoryPath()}/evaluate`)
  await page.getByRole('button', { name: 'Use sample questions' }).click()
  await page.getByRole('button', { name: 'Run evaluation' }).click()
  await page.getByRole('rowheader', { name: 'Hybrid' }).waitFor()
  assert.equal(await page.locator('tbody th').count(), 3)
  await assertUsable(page, 'evaluation')
  await page.getByRole('button', { name: 'All 9' }).click()
  await page.getByRole('link', { name: 'When is the regatta?' }).click()
  await page.locator('.hits mark').first().waitFor()
  assert.equal(await page.getByLabel('Search this memory').inputValue(), 'When is the regatta?')
  await close()
})

browserTest(
  'a search and a question say what they do before anything was asked, and the sample has some to try',
  async () => {
    const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
    await page.goto(`${service.url}/${memoryPath()}/search`)
    await page.getByRole('heading', { name: 'Search as you type' }).waitFor()
    await page.getByRole('button', { name: 'When is the regatta?' }).click()
    await page.locator('.hits mark').first().waitFor()
    assert.equal(await page.getByLabel('Search this memory').inputValue(), 'When is the regatta?')
    await page.getByRole('link', { name: 'Ask', exact: true }).click()
    await page.getByRole('button', { name: 'When is the regatta?' }).click()
    await page.getByRole('button', { name: 'Citation 1' }).first().waitFor()
    await page.getByRole('complementary', { name: 'Sources' }).getByText('spring meeting').first().waitFor()
    await assertUsable(page, 'an answer')
    assert.equal(await page.getByRole('list', { name: 'Example questions' }).count(), 0)
    // The tab returns to the previous search, and a link to another search of the memory opens that
    // search.
    await page.getByRole('link', { name: 'Search', exact: true }).click()
    const search = page.getByLabel('Search this memory')
    await page.locator('.hits mark').first().waitFor()
    assert.equal(await search.inputValue(), 'When is the regatta?')
    await page.evaluate(`location.hash = '${memoryPath()}/search?q=rescue'`)
    await until(async () => (await search.inputValue()) === 'rescue')
    await page.goBack()
    await until(async () => (await search.inputValue()) === 'When is the regatta?')
    await close()
  },
)

browserTest('everything is reached by keyboard, and the focus comes back from a dialog', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  const focused = () => page.evaluate<string>('document.activeElement.textContent || document.activeElement.name')
  await page.goto(`${service.url}/${memoryPath()}/search?q=boat%20house`)
  await page.locator('.hits mark').first().waitFor()
  const hit = page.locator('.hits button').first()
  await hit.focus()
  await page.keyboard.press('Enter')
  await page.locator('.pane mark').first().waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.pane').waitFor({ state: 'detached' })
  assert.equal(await focused(), await hit.textContent())
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Memories' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'New memory' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New memory' }).waitFor()
  assert.equal(await focused(), 'name')
  await close()
})

function memoryPath(): string {
  return documentPath.split('/').slice(0, 3).join('/')
}

/** The address of each view, and a text of the complete view. */
function listViews(): Record<string, string> {
  return {
    '#/memories': 'td.named',
    '#/memories?look=cards': '.cards .card',
    [`${memoryPath()}/search?q=boat%20house`]: '.hits mark',
    [`${memoryPath()}/ask`]: '[name=question]',
    [`${memoryPath()}/documents`]: 'td a',
    [`${memoryPath()}/corrections`]: '.corrections > li',
    [`${memoryPath()}/extract`]: 'fieldset',
    [`${memoryPath()}/evaluate`]: '.questions',
    [`${memoryPath()}/manage`]: '.facts',
    [documentPath]: '.tall',
    '#/jobs': 'section.empty, td.named',
    '#/projects': 'section.empty',
    '#/webhooks': 'td.named',
    '#/keys': 'td.named',
    '#/usage': '.meter',
  }
}

browserTest('the first key of the keyboard skips to the content of the place one is in', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  await page.evaluate("location.hash = '/keys'")
  await page.getByRole('heading', { name: 'Keys' }).waitFor()
  await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
  await page.locator('main:focus').waitFor()
  await page.getByRole('heading', { name: 'Keys' }).waitFor()
  await close()
})

browserTest('a truncated address shows that nothing is found, and the console keeps working', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  await page.evaluate("location.hash = '/memories/%E0%A4%A'")
  await page.getByRole('alert').getByText('Memory not found').waitFor()
  await page.evaluate("location.hash = '/constructor'")
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  assert.equal(await page.title(), 'Page not found · Recollect')
  await page.evaluate("location.hash = '/memories?project=prj_x'")
  await page.getByRole('alert').getByText('Project not found').waitFor()
  assert.equal(await page.getByText('No memories in this project').count(), 0)
  await page.getByRole('link', { name: 'Keys' }).click()
  await page.getByRole('heading', { name: 'Keys' }).waitFor()
  await close()
})

browserTest('a very long text says how much of it is shown', async () => {
  const longId = await makeMemory(service, 'Long')
  await addText(service, longId, 'High water is at nine. '.repeat(50_000), { title: 'Tides' })
  const path = `#/memories/${longId}/documents`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByRole('link', { name: 'Tides', exact: true }).click()
  await page.getByText(/Showing 1,000,000 of 1,1\d\d,\d+ characters/).waitFor()
  await close()
})
