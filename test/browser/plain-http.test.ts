/** The console over plain HTTP from another machine, where browsers restrict pages. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { useService } from '../spec/service.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'

const browser = useBrowser()
const service = useService()

browserTest('without TLS, by the name of another machine, a newcomer comes as far as on this one', async () => {
  const url = service.url.replace('127.0.0.1', 'recollect.test')
  const { page, close } = await openConsole(browser(), { url, key: service.bootstrapKey })
  assert.equal(await page.evaluate('isSecureContext'), false)
  await page.getByRole('button', { name: 'Create your first memory' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Papers')
  await page.getByRole('button', { name: 'Create memory' }).click()
  const file = { name: 'rope.txt', mimeType: 'text/plain', buffer: Buffer.from('Ropes hang on the red wall.') }
  await page.getByLabel('Choose files').setInputFiles(file)
  await page.getByText('1 passage searchable').waitFor()
  await page.getByRole('link', { name: 'Ask', exact: true }).click()
  await page.getByLabel('Your question').fill('Where do the ropes hang?')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByRole('button', { name: 'Citation 1' }).waitFor()
  await page.getByRole('link', { name: 'Keys' }).click()
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name').fill('laptop')
  await page.getByRole('button', { name: 'Create key' }).click()
  const key = (await page.locator('code.key').textContent()) ?? ''
  assert.match(key, /^rcl_/)
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Memories' }).first().click()
  assert.equal(await paste(page), key)
  await page.getByRole('link', { name: 'Papers' }).last().click()
  await page.getByRole('link', { name: 'Documents' }).click()
  await page.getByRole('row').getByRole('link', { name: /rope/ }).click()
  await page.getByRole('button', { name: 'Copy the ID' }).click()
  await page.getByText('ID copied.').waitFor()
  await page.getByRole('link', { name: 'Memories' }).first().click()
  assert.match(await paste(page), /^doc_/)
  await close()
})

/** Returns what is pasted into the search of the memories. */
async function paste(page: Page): Promise<string> {
  const field = page.getByLabel('Search memories')
  await field.fill('')
  await field.press('Control+v')
  return field.inputValue()
}
