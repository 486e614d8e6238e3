/** The console over plain HTTP from another machine, where browsers restrict pages. */
import assert from 'node:assert/strict'
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
  await page.getByText('Select the text and copy it.').waitFor()
  assert.match((await page.locator('code.key').textContent()) ?? '', /^rcl_/)
  await close()
})
