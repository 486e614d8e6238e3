/** The frame of the console: command bar, keys, first steps, theme and side bar. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { useService } from '../spec/service.ts'
import { addText, makeMemory } from '../spec/steps.ts'
import { assertUsable } from './assert-usable.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'
import { until } from './until.ts'

const browser = useBrowser()
const service = useService()

/** Types into the command bar, waits for the selected entry with this name, and presses Enter. */
async function goTo(page: Page, text: string, entry: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k')
  const bar = page.getByRole('dialog', { name: 'Command bar' })
  await bar.getByRole('combobox', { name: 'Go to' }).waitFor()
  await page.keyboard.type(text)
  await bar.getByRole('option', { name: entry, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('dialog.command-bar').waitFor({ state: 'detached' })
}

browserTest('the first steps mark what is done, and a closed list stays closed', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  const steps = page.getByRole('region', { name: 'First steps' })
  await steps.getByText('0 of 6').waitFor()
  await steps.getByRole('button', { name: 'Create a memory' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Harbour')
  await page.getByRole('button', { name: 'Create memory' }).click()
  await page.getByRole('heading', { level: 1, name: 'Harbour' }).waitFor()
  const memoryId = new URL(page.url()).hash.split('/')[2] ?? ''
  await addText(service, memoryId, 'The crane lifts nine tonnes.', { title: 'Crane' })
  await page.getByRole('link', { name: 'Memories' }).first().click()
  await steps.getByRole('listitem').filter({ hasText: 'Done: Add a document' }).waitFor()
  await steps.getByRole('link', { name: 'Search it' }).click()
  await page.getByLabel('Search this memory').fill('crane')
  await page.locator('.hits mark').first().waitFor()
  await page.getByRole('link', { name: 'Memories' }).first().click()
  await steps.getByText('3 of 6').waitFor()
  await assertUsable(page, 'first steps')
  await steps.getByRole('button', { name: 'Close' }).click()
  await steps.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('row').filter({ hasText: 'Harbour' }).waitFor()
  assert.equal(await steps.count(), 0)
  await close()
})

browserTest('the command bar finds a memory, a document and a page of the documentation by name', async () => {
  const memoryId = await makeMemory(service, 'Shipyard')
  await addText(service, memoryId, 'The dock is dry.', { title: 'Dry dock rules' })
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  await page.getByRole('row').filter({ hasText: 'Shipyard' }).waitFor()
  await goTo(page, 'shipy', 'Shipyard')
  await page.getByRole('heading', { level: 1, name: 'Shipyard' }).waitFor()
  await goTo(page, 'dry dock', /Dry dock rules/)
  await page.getByRole('heading', { level: 1, name: 'Dry dock rules' }).waitFor()
  await goTo(page, 'new key', 'New key')
  await page.getByRole('dialog', { name: 'New key' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to' }).fill('xylophonists')
  await page.getByText('Nothing has this name.').waitFor()
  await assertUsable(page, 'command bar')
  await page.keyboard.press('Escape')
  await page.locator('dialog').waitFor({ state: 'detached' })
  await goTo(page, 'page results', /Page results/)
  await page.getByRole('heading', { level: 1, name: 'Scanned documents (OCR)' }).waitFor()
  await close()
})

browserTest('Enter in the command bar waits for the results of the typed text', async () => {
  const memoryId = await makeMemory(service, 'Boatyard')
  for (const title of ['Oak planks', 'Larch spars'])
    await addText(service, memoryId, `All about the ${title}.`, { title })
  const path = `#/memories/${memoryId}/documents`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByRole('row').filter({ hasText: 'Oak planks' }).waitFor()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Go to' })
  await field.fill('oak planks')
  await page.getByRole('option', { name: /Oak planks/, selected: true }).waitFor()
  const held: (() => void)[] = []
  await page.route(/title=larch/, async (route) => {
    await new Promise<void>((resolve) => held.push(resolve))
    await route.continue()
  })
  await field.fill('larch spars')
  await page.keyboard.press('Enter')
  await until(async () => held.length > 0)
  await page.getByText('Searching …').waitFor()
  for (const release of held) release()
  await page.getByRole('heading', { level: 1, name: 'Larch spars' }).waitFor()
  await close()
})

browserTest('keys focus the search and list themselves, and are letters in a field', async () => {
  await makeMemory(service, 'Slipway')
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  const [keys, field] = [page.getByRole('dialog', { name: 'Keys' }), page.getByLabel('Search memories')]
  await field.waitFor()
  await page.keyboard.press('?')
  await keys.getByText('Ctrl K').waitFor()
  await assertUsable(page, 'keys')
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  await page.keyboard.type('slip/?')
  assert.equal(await field.inputValue(), 'slip/?')
  assert.equal(await keys.count(), 0)
  await close()
})

browserTest('the chosen theme survives a reload', async () => {
  const look = { colorScheme: 'light' } as const
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, look)
  const shade = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
  const light = await shade()
  await page.getByRole('button', { name: 'Theme: system' }).click()
  await page.getByRole('button', { name: 'Theme: light' }).click()
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
  const dark = await shade()
  assert.notEqual(dark, light)
  await page.reload()
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
  assert.equal(await shade(), dark)
  await page.getByRole('button', { name: 'Theme: dark' }).click()
  await until(async () => (await shade()) === light)
  await close()
})

browserTest('on a phone the menu opens the side bar, and Escape or a choice closes it', async () => {
  const view = { viewport: { width: 380, height: 760 } }
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, view)
  const [menu, keys] = [page.getByRole('button', { name: 'Menu' }), page.getByRole('link', { name: 'Keys' })]
  await keys.waitFor({ state: 'hidden' })
  await menu.click()
  await keys.waitFor()
  await assertUsable(page, 'side bar')
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'hidden' })
  await menu.click()
  await keys.click()
  await page.getByRole('heading', { name: 'Keys' }).waitFor()
  await keys.waitFor({ state: 'hidden' })
  await close()
})
