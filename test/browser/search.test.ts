/** Search and passages in the console: what opens, closes and is copied. */
import assert from 'node:assert/strict'
import { useService } from '../spec/service.ts'
import { addText, makeMemory, upload } from '../spec/steps.ts'
import { makeScannedPdf } from '../support/sample-pictures.ts'
import { assertUsable } from './assert-usable.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'
import { until } from './until.ts'

const browser = useBrowser()
const service = useService()

const TIDES = `# Tides\n\n| port | high water |\n|---|---|\n| Hull | nine |\n\n${'Ebb.\n'.repeat(30)}The crane waits for the tide; the crane is **slow**.`

browserTest('an opened passage begins at the words of its snippet, not at the first that matches', async () => {
  const memoryId = await makeMemory(service)
  const between = 'Gulls rest on the wall of the quay. '.repeat(20)
  await addText(service, memoryId, `The crane is green. ${between}This crane lifts nine tonnes with its hook.`)
  const path = `#/memories/${memoryId}/search?q=crane%20lifts%20tonnes`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.locator('.hits h2 button').first().click()
  await page.locator('.pane').getByText('2 of 4 matches').waitFor()
  assert.equal(await page.locator('.pane mark.current').textContent(), 'crane')
  await close()
})

browserTest('an open passage is in the URL, keys move it, and back closes it', async () => {
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, 'The crane lifts nine tonnes. A crane is painted in May.', { title: 'Crane' })
  await addText(service, memoryId, TIDES, { title: 'Tides' })
  const path = `#/memories/${memoryId}/search?q=crane`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  const [field, pane] = [page.getByLabel('Search this memory'), page.locator('.pane')]
  await page.locator('.hits mark').first().waitFor()
  await field.press('ArrowDown')
  await page.keyboard.press('Enter')
  await pane.getByRole('heading', { name: 'Crane' }).waitFor()
  await pane.locator('mark').first().waitFor()
  assert.deepEqual(await pane.locator('mark').allTextContents(), ['crane', 'crane'])
  await pane.getByRole('button', { name: 'Next match' }).click()
  await pane.getByText('2 of 2 matches').waitFor()
  await page.locator('.hits h2 button').first().focus()
  await page.keyboard.press('ArrowDown')
  await pane.getByRole('heading', { name: 'Tides' }).waitFor()
  assert.match(page.url(), /open=doc_/)
  await assertUsable(page, 'an open passage')
  await page.reload()
  await pane.getByRole('heading', { name: 'Tides' }).waitFor()
  await pane.getByRole('button', { name: 'Previous hit' }).click()
  await pane.getByRole('heading', { name: 'Crane' }).waitFor()
  await page.goBack()
  await pane.waitFor({ state: 'detached' })
  assert.equal(await field.inputValue(), 'crane')
  await close()
})

browserTest('a snippet is read without the syntax of Markdown and has four lines at most', async () => {
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, TIDES, { title: 'Tides' })
  const path = `#/memories/${memoryId}/search?q=tides%20at%20hull`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  const snippet = page.locator('.hits .snippet').first()
  await snippet.waitFor()
  assert.doesNotMatch((await snippet.textContent()) ?? '', /[#|*]|--/)
  const box = await snippet.boundingBox()
  assert.ok(box !== null && box.height < 90, `the snippet is ${box?.height} high`)
  await close()
})

browserTest('the text is at the passage and nothing moves when a late picture of the page arrives', async () => {
  const memoryId = await makeMemory(service)
  const lines = Array.from({ length: 30 }, (_, index) => `Line ${index} about ropes`).join('. ')
  const content = await makeScannedPdf([{ text: `${lines}. The crane lifts nine tonnes.` }])
  await upload(service, memoryId, { content, filename: 'quay.pdf', options: { storeSource: true } })
  const path = `#/memories/${memoryId}/search?q=tonnes`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.route('**/pages/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await route.continue()
  })
  await page.locator('.hits h2 button').first().click()
  const mark = page.locator('.pane mark').first()
  await page.locator('.pane .sheet').waitFor()
  const before = await mark.boundingBox()
  await page.getByRole('img', { name: 'Page 1 with the passage highlighted' }).waitFor()
  assert.deepEqual(await mark.boundingBox(), before)
  const section = await page.locator('.passage-text').boundingBox()
  assert.ok(before !== null && section !== null && before.y > section.y && before.y < section.y + section.height)
  await close()
})

browserTest('a search is copied as code that returns its hits', async () => {
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, "The crane's hook lifts nine tonnes.", { title: 'Crane', tags: ['gear'] })
  const path = `#/memories/${memoryId}/search?q=crane's%20hook&tags=gear`
  const view = { path, permissions: ['clipboard-read', 'clipboard-write'] }
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, view)
  const copyAs = async (language: string) => {
    await page.getByRole('button', { name: 'Copy as' }).click()
    await page.getByRole('menuitem', { name: `Copy as ${language}` }).click()
    await page.getByText(`Copied as ${language}.`).waitFor()
    return page.evaluate<string>('navigator.clipboard.readText()')
  }
  await page.locator('.hits mark').first().waitFor()
  const curl = await copyAs('curl')
  const body = /-d '(.*)'\n$/s.exec(curl)?.[1]?.replaceAll("'\\''", "'") ?? ''
  const found = await service.post<{ hits: unknown[] }>(`/v1/memories/${memoryId}/find`, JSON.parse(body))
  assert.equal(found.json.hits.length, 1)
  assert.match(curl, /Bearer \$RECOLLECT_API_KEY/)
  assert.match(
    await copyAs('TypeScript'),
    /recollect\.find\('mem_\w+', 'crane\\'s hook', \{ filter: \{ tags: \['gear'\] \} \}\)/,
  )
  assert.match(
    await copyAs('Python'),
    /client\.find\(\n {4}"mem_\w+",\n {4}query="crane's hook",\n {4}filter=\{"tags": \["gear"\]\},/,
  )
  await until(async () => (await page.locator('.toast').count()) > 0)
  await close()
})
