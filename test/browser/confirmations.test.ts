/** What cannot be taken back is asked for first, wherever it stands in the console. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { useService } from '../spec/service.ts'
import { addText, makeMemory } from '../spec/steps.ts'
import { assertUsable } from './assert-usable.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'

const browser = useBrowser()
const service = useService()

/** A place with one thing that can be deleted: what stands there while it is there, and what once it is gone. */
type Deletable = { path: string; label: string; there: string; gone: string }

async function makeDeletables(): Promise<Deletable[]> {
  const [memoryId, other] = [await makeMemory(service, 'Lighthouses'), await makeMemory(service, 'Buoys')]
  const documentId = await addText(service, memoryId, 'The lamp turns once a minute.', { title: 'Lamp' })
  await service.post(`/v1/memories/${memoryId}/correct`, { statement: 'The lamp stands still.' })
  await service.post('/v1/projects', { name: 'Coast' })
  await service.post('/v1/keys', { name: 'spare' })
  await service.post('/v1/webhooks', { url: 'https://hooks.example.com/jobs' })
  const memory = `#/memories/${memoryId}`
  return [
    { path: `${memory}/corrections`, label: 'Delete', there: 'The lamp stands still.', gone: 'No corrections' },
    { path: `${memory}/documents/${documentId}`, label: 'Delete', there: 'once a minute', gone: 'No documents yet' },
    { path: '#/projects', label: 'Delete', there: 'Coast', gone: 'No projects' },
    { path: '#/webhooks', label: 'Delete', there: 'https://hooks.example.com/jobs', gone: 'No webhooks' },
    { path: `#/memories/${other}/manage`, label: 'Delete', there: 'Buoys', gone: 'Lighthouses' },
  ]
}

browserTest('nothing is deleted before it was said what will be gone, and Escape keeps it', async () => {
  const deletables = await makeDeletables()
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  for (const { path, label, there, gone } of deletables) {
    await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
    await page.getByText(there).first().waitFor()
    const button = page.locator('main').getByRole('button', { name: label, exact: true })
    await assertAsksFirst(page, () => button.click(), path)
    await page.getByText(there).first().waitFor()
    await button.click()
    await page.getByRole('dialog').locator('button[type=submit]').click()
    await page.getByText(gone).first().waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0, path)
  }
  await close()
})

browserTest('a key is revoked when that was confirmed, and no other one with it', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  await page.getByRole('link', { name: 'Keys' }).click()
  const spare = page.getByRole('listitem').filter({ hasText: 'spare' })
  await assertAsksFirst(page, () => spare.getByRole('button', { name: 'Revoke' }).click(), 'keys')
  const keys = await page.getByRole('button', { name: 'Revoke' }).count()
  await spare.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await spare.waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('button', { name: 'Revoke' }).count(), keys - 1)
  await close()
})

/** A dialog opens that says what will be gone, keeps the keyboard inside, and goes by Escape, back to the button. */
async function assertAsksFirst(page: Page, open: () => Promise<void>, what: string): Promise<void> {
  await open()
  const dialog = page.getByRole('dialog')
  await dialog.locator('button[type=submit]').waitFor()
  assert.ok(((await dialog.locator('p').first().textContent()) ?? '').length > 15, what)
  await assertUsable(page, what)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'BUTTON', what)
}
