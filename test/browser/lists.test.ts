/** Lists longer than a page, and filtered searches. */
import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { useService } from '../spec/service.ts'
import { addTexts, makeMemory } from '../spec/steps.ts'
import { assertUsable } from './assert-usable.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'
import { until } from './until.ts'

/** Three pages of the list and one more item. */
const DOCUMENTS = 151

let memoryId = ''
let otherId = ''
const browser = useBrowser()
const service = useService({}, async (started) => {
  memoryId = await makeMemory(started, 'Ferries')
  otherId = await makeMemory(started, 'Buoys')
  const numbered = Array.from({ length: DOCUMENTS }, (_, index) => ({
    title: `Ferry ${index + 1}`,
    text: `The ferry number ${index + 1} leaves the harbour at noon.`,
    tags: index % 50 === 0 ? ['night', 'every fiftieth'] : ['day'],
    metadata: { decks: index === 7 ? 3 : 1, captain: index === 7 ? 'Ruth Ekker' : 'nobody', sails: index === 9 },
  }))
  await addTexts(started, memoryId, numbered)
})

browserTest('a document list longer than a page loads as it is scrolled, with few rows in the page', async () => {
  const path = `#/memories/${memoryId}/documents`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  const rows = page.locator('main tr.one')
  await page.getByRole('link', { name: `Ferry ${DOCUMENTS}`, exact: true }).waitFor()
  await page.getByText(`${DOCUMENTS} documents · 100 loaded`).waitFor()
  assert.ok((await rows.count()) < 60)
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await page.getByRole('link', { name: 'Ferry 1', exact: true }).waitFor()
  assert.ok((await rows.count()) < 60)
  assert.equal(await page.getByText('loaded').count(), 0)
  await close()
})

browserTest('a jump in a long list makes few rows in each frame, also where the list was before', async () => {
  const path = `#/memories/${memoryId}/documents`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  const [first, last] = [`Ferry ${DOCUMENTS}`, 'Ferry 1'].map((name) =>
    page.getByRole('link', { name: name ?? '', exact: true }),
  )
  await first?.waitFor()
  await page.evaluate(`new MutationObserver((changes) => {
    const rows = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node.matches?.('tr.one'))
    window.mostRows = Math.max(window.mostRows ?? 0, rows.length)
  }).observe(document.querySelector('main tbody'), { childList: true })`)
  for (const [top, row] of [
    ['document.body.scrollHeight', last],
    ['0', first],
    ['document.body.scrollHeight', last],
  ] as const) {
    await page.evaluate(`scrollTo(0, ${top})`)
    await row?.waitFor()
  }
  const most = await page.evaluate<number>('window.mostRows')
  assert.ok(most > 0 && most <= 10, `${most} rows in a frame`)
  await close()
})

browserTest('documents are found, filtered and sorted, and the address keeps it', async () => {
  const path = `#/memories/${memoryId}/documents`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  const rows = page.locator('main tr.one')
  const name = page.getByRole('searchbox', { name: 'Title or file name' })
  await name.fill('FERRY 15')
  await page.getByText('3 documents', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Document', exact: true }).click()
  await until(async () => (await rows.first().textContent())?.includes('Ferry 15Added'))
  await page.reload()
  await until(async () => (await rows.first().textContent())?.includes('Ferry 15Added'))
  assert.equal(await name.inputValue(), 'FERRY 15')
  await page.getByRole('textbox', { name: 'Tag' }).fill('night')
  await page.getByText('1 document', { exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'State' }).selectOption('failed')
  await page.getByText('No documents match').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText(`${DOCUMENTS} documents`).first().waitFor()
  await close()
})

browserTest('the keyboard moves through documents, marks a range and opens one', async () => {
  const path = `#/memories/${memoryId}/documents`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.locator('main tr.one').first().focus()
  await page.keyboard.press('Space')
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+Space')
  await page.getByText('4 selected').waitFor()
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await page.locator('main tr.one').first().focus()
  await page.keyboard.press('End')
  await page.locator('main tr.one:focus').getByRole('link', { name: 'Ferry 1', exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Ferry 1', exact: true }).waitFor()
  await close()
})

browserTest('marked documents are tagged and deleted together', async () => {
  const bulkId = await makeMemory(service, 'Pilots')
  await addTexts(
    service,
    bulkId,
    Array.from({ length: 120 }, (_, at) => ({
      title: `Pilot ${at + 1}`,
      text: `Pilot number ${at + 1}.`,
      tags: ['old'],
    })),
  )
  const path = `#/memories/${bulkId}/documents`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByLabel('Select Pilot 120').click()
  await page.getByLabel('Select Pilot 118').click({ modifiers: ['Shift'] })
  const bar = page.getByRole('region', { name: 'Selected documents' })
  await bar.getByRole('button', { name: 'Tags' }).click()
  await page.getByLabel('Add tags').fill('night')
  await page.getByRole('dialog').getByLabel('old').check()
  await assertUsable(page, 'tagging')
  await page.getByRole('button', { name: 'Save tags' }).click()
  await page.getByText('Tags of 3 documents changed.').waitFor()
  const tagged = async (tag: string) =>
    (await service.get<{ total: number }>(`/v1/memories/${bulkId}/documents?tag=${tag}`)).json.total
  assert.deepEqual([await tagged('night'), await tagged('old')], [3, 117])
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await tagged('night')) === 0 && (await tagged('old')) === 120)
  await bar.getByRole('button', { name: 'Tags' }).click()
  await page.getByRole('button', { name: 'Save tags' }).click()
  await page.getByText('Nothing changed.').waitFor()
  await page.getByLabel('Select all').check()
  await bar.getByRole('button', { name: 'Select all 120' }).click()
  await bar.getByText('120 selected').waitFor()
  await page.getByLabel('Select Pilot 119').click()
  await bar.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete 119 documents?' })
  await dialog.getByText('within 15 minutes').waitFor()
  await dialog.getByRole('button', { name: 'Delete 119 documents' }).click()
  await page.getByText('1 document', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Pilot 119' }).waitFor()
  await close()
})

browserTest('a key that only reads sees documents and no way to change them', async () => {
  const { json } = await service.post<{ key: string }>('/v1/keys', { name: 'reads', role: 'reader' })
  const path = `#/memories/${memoryId}/documents`
  const { page, close } = await openConsole(browser(), { url: service.url, key: json.key }, { path })
  await page.getByRole('link', { name: `Ferry ${DOCUMENTS}`, exact: true }).waitFor()
  assert.equal(await page.locator('main').getByRole('checkbox').count(), 0)
  assert.equal(await page.getByRole('button', { name: 'Upload files' }).count(), 0)
  await page.getByRole('button', { name: `Actions for Ferry ${DOCUMENTS}`, exact: true }).click()
  assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Open', 'Find in this document'])
  await close()
})

browserTest('returning to a list restores its scroll position, and a new view starts at its top', async () => {
  const path = `#/memories/${memoryId}/documents`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  const low = page.getByRole('link', { name: 'Ferry 110', exact: true })
  await page.getByRole('link', { name: `Ferry ${DOCUMENTS}`, exact: true }).waitFor()
  await page.evaluate('scrollTo(0, 1900)')
  const scrolled = () => page.evaluate('scrollY') as Promise<number>
  for (const goBack of [
    () => page.goBack(),
    () => page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Documents' }).click(),
  ]) {
    await low.click()
    await page.getByRole('heading', { name: 'Ferry 110', exact: true }).waitFor()
    assert.equal(await scrolled(), 0)
    await goBack()
    await low.waitFor()
    await until(async () => ((await low.boundingBox())?.y ?? Infinity) < (page.viewportSize()?.height ?? 0))
  }
  await close()
})

browserTest('jobs and corrections that are more than a page are turned as well', async () => {
  const numbers = Array.from({ length: 52 }, (_, index) => index + 1)
  await service.post(`/v1/memories/${otherId}/corrections`, {
    corrections: numbers.map((number) => ({ statement: `Buoy ${number} is green.` })),
  })
  for (const number of numbers) {
    await addTexts(service, otherId, [{ text: `Buoy ${number}.` }], { async: true })
  }
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  for (const [path, rows, first, second] of [
    ['#/jobs', 'tbody tr', 50, 2],
    [`#/memories/${otherId}/corrections`, '.corrections > li', 20, 20],
  ] as const) {
    await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
    const items = page.locator(`main ${rows}`)
    await waitForCount(items, first)
    await page.getByRole('button', { name: 'Older' }).click()
    await waitForCount(items, second)
    await page.getByRole('button', { name: 'Newer' }).click()
    await waitForCount(items, first)
  }
  await page.getByRole('button', { name: 'Older' }).click()
  await page.getByText('21–40 of 52').waitFor()
  await page.getByRole('searchbox', { name: 'Search corrections' }).fill('buoy 51')
  await waitForCount(page.locator('.corrections > li'), 1)
  await close()
})

browserTest('beyond one page of memories, the oldest is named at its jobs and opens with a memory key', async () => {
  for (let number = 1; number <= 100; number += 1) await makeMemory(service, `Newer ${number}`)
  await addTexts(service, memoryId, [{ text: 'A ferry in the background.' }], { async: true })
  const { page, close } = await openConsole(
    browser(),
    { url: service.url, key: service.bootstrapKey },
    { path: '#/jobs' },
  )
  await page.getByRole('row', { name: 'Adding documents Ferries' }).waitFor()
  await page.getByRole('link', { name: 'Keys' }).click()
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name').fill('of the ferries')
  await page.getByRole('radio', { name: 'Only some memories' }).check()
  await page.getByRole('checkbox', { name: 'Ferries' }).check()
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.locator('code.key').waitFor()
  const { json } = await service.get<{ keys: { name: string; memoryId: string | null }[] }>('/v1/keys')
  assert.equal(json.keys.find(({ name }) => name === 'of the ferries')?.memoryId, memoryId)
  await close()
})

browserTest('a search is narrowed by tags, a document and metadata, each of which can be taken back', async () => {
  const path = `#/memories/${memoryId}/search?q=when%20does%20the%20ferry%20leave`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  const hits = page.locator('.hits li h2 button')
  const seeHits = (count: number) => waitForCount(page.locator('.hits > li'), count)
  await seeHits(20)
  const add = async (kind: string) => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('menuitem', { name: kind }).click()
  }
  const addText = async (kind: string, value: string) => {
    await add(kind)
    await page.getByRole('combobox', { name: kind }).fill(value)
    await page.keyboard.press('Enter')
  }
  const remove = (name: string) => page.getByRole('button', { name: `Remove filter ${name}` }).click()
  await addText('Tag', 'night')
  await addText('Tag', 'every fiftieth')
  await seeHits(4)
  await page.getByRole('button', { name: 'Clear all' }).click()
  await addText('Metadata', 'decks = 3')
  await addText('Metadata', 'captain = Ruth Ekker')
  await seeHits(1)
  assert.deepEqual(await hits.allTextContents(), ['Ferry 8'])
  await remove('Metadata captain')
  await remove('Metadata decks = 3')
  await addText('Metadata', 'sails')
  await page.getByText('Write it as name = value').waitFor()
  await page.getByRole('combobox', { name: 'Metadata' }).fill('decks = 4')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
  await page.getByRole('button', { name: 'Search without filters' }).click()
  await seeHits(20)
  await page.getByRole('button', { name: 'Show more passages' }).click()
  await seeHits(40)
  await add('Document')
  // The page says which of the 151 can be selected.
  await page.getByLabel('Document (recent documents)').selectOption({ label: 'Ferry 120' })
  await seeHits(1)
  assert.deepEqual(await hits.allTextContents(), ['Ferry 120'])
  await hits.click()
  await page.getByRole('link', { name: 'Open the document' }).click()
  await page.getByRole('heading', { level: 1, name: 'Ferry 120' }).waitFor()
  await page.goBack()
  await seeHits(1)
  await page.reload()
  await seeHits(1)
  assert.deepEqual(await hits.allTextContents(), ['Ferry 120'])
  await remove('Document Ferry 120')
  await seeHits(20)
  await add('Mode')
  await page.getByLabel('Mode').selectOption({ label: 'Keyword' })
  await page.getByText(/keyword search/).waitFor()
  await close()
})

browserTest('beyond 500 memories, the newest are shown with a note', async () => {
  const told = 'Showing the newest 500'
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  await page.locator('main tbody tr').first().waitFor()
  assert.equal(await page.getByText(told).count(), 0)
  for (let number = 1; number <= 500; number += 1) await makeMemory(service, `Even newer ${number}`)
  await page.reload()
  await page.getByText(told).waitFor()
  assert.equal(await page.locator('main tbody tr').count(), 500)
  await close()
})

/** Waits for exactly `count` elements. */
async function waitForCount(found: Locator, count: number): Promise<void> {
  await found.nth(count - 1).waitFor()
  await found.nth(count).waitFor({ state: 'detached' })
}
