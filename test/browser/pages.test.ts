/** Page processing of a memory's documents, and retries of failed pages. */
import assert from 'node:assert/strict'
import { useService } from '../spec/service.ts'
import { makeMemory, upload } from '../spec/steps.ts'
import { makeScannedPdf } from '../support/sample-pictures.ts'
import { assertUsable } from './assert-usable.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'
import { until } from './until.ts'

const browser = useBrowser()
const service = useService()

browserTest('one chart shows the pages of all documents and links to documents with failed pages', async () => {
  const memoryId = await makeMemory(service)
  const scans = ['Boats wait here', 'The crane lifts nine tonnes', 'Ropes hang on the wall'].map((scan) => ({ scan }))
  const path = `#/memories/${memoryId}/documents`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByText('No documents yet').waitFor()
  const content = await makeScannedPdf([{ text: 'Rules of the quay' }, ...scans])
  await upload(service, memoryId, { content, filename: 'quay.pdf', options: { ocrMaxPages: 2, async: true } })
  await page.reload()
  const totals = page.getByRole('region', { name: 'Pages of all documents' })
  await totals.getByRole('img', { name: '1 text, 2 recognised, 1 failed' }).waitFor()
  await page.getByRole('row', { name: 'quay' }).getByRole('img', { name: '1 text, 2 recognised, 1 failed' }).waitFor()
  await totals.getByRole('link', { name: 'quay' }).click()
  await page.getByRole('list', { name: 'Receipts' }).getByText('Not recognised: ocrMaxPages is 2.').waitFor()
  await page.getByRole('button', { name: 'Process missing pages' }).click()
  await page.locator('.state.completed').waitFor()
  await page.getByRole('link', { name: 'Open the document' }).click()
  await page.getByRole('img', { name: '1 text, 3 recognised' }).waitFor()
  await close()
})

browserTest('rows say how their pages were read without a request each', async () => {
  const memoryId = await makeMemory(service)
  for (const name of ['bow', 'keel', 'stern']) {
    const content = await makeScannedPdf([{ text: `Rules of the ${name}` }, { text: `Care of the ${name}` }])
    await upload(service, memoryId, { content, filename: `${name}.pdf`, options: {} })
  }
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  const asked: string[] = []
  page.on('request', (request) => {
    if (/\/documents\/doc_/.test(request.url())) asked.push(request.url())
  })
  await page.goto(`${service.url}/#/memories/${memoryId}/documents`)
  const bars = page.getByRole('row').getByRole('img', { name: '2 text' })
  await bars.nth(2).waitFor()
  // Rows would ask after they were in view for a moment.
  await page.waitForTimeout(600)
  assert.deepEqual(asked, [])
  await close()
})

browserTest('a passage over several pages says so, and its drawn pages can be turned', async () => {
  const memoryId = await makeMemory(service)
  const content = await makeScannedPdf([{ text: 'Rules of the quay' }, { scan: 'The crane lifts nine tonnes' }])
  await upload(service, memoryId, { content, filename: 'quay.pdf', options: { storeSource: true } })
  const path = `#/memories/${memoryId}/search?q=crane`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByText('pages 1 to 2').waitFor()
  await page.getByRole('button', { name: 'quay' }).click()
  await page.getByRole('img', { name: 'Page 1 with' }).waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByRole('img', { name: 'Page 2 with' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Next page' }).isDisabled(), true)
  await page.getByRole('button', { name: 'Previous page' }).click()
  await page.getByRole('img', { name: 'Page 1 with' }).waitFor()
  await close()
})

browserTest('a document shows its pages beside the text, jumps to one, and takes tags and metadata', async () => {
  const memoryId = await makeMemory(service, 'Quays')
  const texts = ['Rules of the quay', 'The crane lifts nine tonnes', 'Ropes hang on the wall'].map((text) => ({ text }))
  const content = await makeScannedPdf(texts)
  const added = await upload(service, memoryId, { content, filename: 'quay.pdf', options: { storeSource: true } })
  const [documentId = ''] = (added.json as { documentIds: string[] }).documentIds
  const document = `/v1/memories/${memoryId}/documents/${documentId}`
  const path = `#/memories/${memoryId}/documents/${documentId}`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.locator('img').nth(2).waitFor()
  await pages.getByRole('button', { name: 'Page 3, text' }).click()
  await until(async () => page.url().endsWith('?page=3'))
  await page.reload()
  await pages.locator('[aria-current]').getByText('3').waitFor()
  await page.getByLabel('Show passages').check()
  await page.getByTitle('Passage 1').first().waitFor()
  await page.getByLabel('New tag').fill('harbour')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove the tag harbour' }).waitFor()
  await page.getByLabel('Name of new metadata').fill('year')
  await page.getByLabel('Value of new metadata').fill('2026')
  await page.keyboard.press('Enter')
  await page.getByLabel('Value of year').fill('2027')
  await page.keyboard.press('Tab')
  const read = async () => (await service.get<{ tags: string[]; metadata: object }>(document)).json
  await until(async () => JSON.stringify((await read()).metadata) === '{"year":2027}')
  assert.deepEqual((await read()).tags, ['harbour'])
  // An earlier change is no longer undone: that would take back the later one as well.
  await page.getByText('Metadata changed.').waitFor()
  assert.equal(await page.getByText('Metadata changed.').count(), 1)
  await page.getByRole('button', { name: 'Edit title and tags' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Rules')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'Rules' }).waitFor()
  await assertUsable(page, 'document')
  await page.getByRole('link', { name: 'Find in this document' }).click()
  await until(async () => page.url().includes(`documentId=${documentId}`))
  await close()
})

browserTest('a long name and description are shortened, and shown in full in the settings', async () => {
  const [name, description] = ['Quays of the north '.repeat(50).trim(), 'Ropes and buoys. '.repeat(290).trim()]
  const { json } = await service.post<{ id: string }>('/v1/memories', { name, description })
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  const card = await page.locator('main').getByRole('link', { name: 'Quays of the north' }).boundingBox()
  assert.ok(card !== null && card.height < 320, `the card is ${card?.height} high`)
  await page.evaluate(`location.hash = '/memories/${json.id}/manage'`)
  const tabs = await page.getByRole('navigation', { name: 'Memory' }).boundingBox()
  assert.ok(tabs !== null && tabs.y < 320, `the tabs are at ${tabs?.y}`)
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), name)
  assert.equal(await page.getByLabel('Description').inputValue(), description)
  await close()
})

browserTest('a title wider than a phone breaks no view', async () => {
  const memoryId = await makeMemory(service, 'M'.repeat(200))
  const content = await makeScannedPdf([{ scan: 'Boats wait here' }, { scan: 'Ropes hang here' }])
  await upload(service, memoryId, { content, filename: `${'W'.repeat(200)}.pdf`, options: { ocrMaxPages: 1 } })
  await service.post(`/v1/memories/${memoryId}/correct`, { statement: 'Boats wait at the north quay.' })
  const view = { viewport: { width: 380, height: 760 }, path: `#/memories/${memoryId}/documents` }
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, view)
  await page.getByText('Failed pages in').waitFor()
  const width = () => page.evaluate<number>('document.documentElement.scrollWidth')
  assert.equal(await width(), 380)
  for (const [tab, ready] of Object.entries({
    evaluate: '.questions',
    manage: '.facts',
    corrections: '.overridden a',
  })) {
    await page.evaluate(`location.hash = '/memories/${memoryId}/${tab}'`)
    await page.locator(ready).first().waitFor({ state: 'attached' })
    assert.equal(await width(), 380, tab)
  }
  await close()
})
