/** Titles and names from untrusted users are plain text in the console. */
import assert from 'node:assert/strict'
import { useService } from '../spec/service.ts'
import { addText, makeMemory } from '../spec/steps.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'

const MARKUP = '<img src=x onerror="alert(1)"><script>alert(2)</script>'
const TITLES: readonly string[] = [MARKUP, '‮תכתבו כאן kciuq eht ‬', 'W'.repeat(1000), 'javascript:alert(3)#/../..%2F%']

const browser = useBrowser()
const service = useService()

browserTest(
  'a hostile title is shown as it is written, runs nothing and breaks no view, also on a narrow screen',
  async () => {
    const memoryId = await makeMemory(service)
    const documents = TITLES.map((title) => ({
      title,
      text: `Plovers of ${title} nest on the shingle.`,
      tags: [MARKUP],
    }))
    const added = await service.post<{ documentIds: string[] }>(`/v1/memories/${memoryId}/documents`, { documents })
    const view = { viewport: { width: 380, height: 760 }, path: `#/memories/${memoryId}/documents` }
    const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, view)
    const width = () => page.evaluate<number>('document.documentElement.scrollWidth')
    for (const title of TITLES) await page.getByRole('link', { name: title, exact: true }).waitFor()
    assert.equal(await width(), 380)
    for (const [index, id] of added.json.documentIds.entries()) {
      await page.goto(`${service.url}/#/memories/${memoryId}/documents/${id}`)
      await page.getByRole('heading', { level: 1, name: TITLES[index] ?? '', exact: true }).waitFor()
      assert.equal(await width(), 380)
    }
    await page.goto(`${service.url}/#/memories/${memoryId}/search`)
    await page.getByRole('searchbox').fill('plovers onerror')
    await page.locator('.hits mark').first().waitFor()
    assert.equal(await width(), 380)
    await page.getByRole('button', { name: MARKUP, exact: true }).click()
    await page.locator('.pane mark').first().waitFor()
    assert.equal(await page.locator('main img, main script').count(), 0)
    await close()
  },
)

browserTest('a very long word stays within its card, tag and row on wide and narrow screens', async () => {
  const word = 'W'.repeat(150)
  const made = await service.post<{ id: string }>('/v1/memories', {
    name: word,
    description: `Of a ${word}`,
    projectName: word,
  })
  const memory = `#/memories/${made.json.id}`
  const title = word.repeat(6)
  await addText(service, made.json.id, 'Plovers nest on the shingle.', { title, tags: [word] })
  await service.post(`/v1/memories/${made.json.id}/correct`, { statement: `Not ${word}.`, topics: [word] })
  const places = {
    '#/memories': 'td.named',
    '#/memories?look=cards': '.cards .card',
    [`${memory}/search?q=plovers`]: '.hits .tag',
    [`${memory}/corrections`]: '.tag',
    [`${memory}/documents`]: 'td',
  }
  for (const width of [1200, 380]) {
    const view = { viewport: { width, height: 760 } }
    const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, view)
    for (const [path, ready] of Object.entries(places)) {
      await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
      await page.locator(ready).filter({ hasText: word }).first().waitFor()
      assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), width, path)
      for (const table of await page.locator('.scroll, .table-frame').all()) {
        const [shown, needed] = await table.evaluate((element) => [element.clientWidth, element.scrollWidth])
        assert.equal(needed, shown, path)
      }
    }
    await close()
  }
})
