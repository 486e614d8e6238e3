/** The service goes away while the console is open, and comes back. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { after, before } from 'node:test'
import { createService, type Service } from '../spec/service.ts'
import { makeMemory } from '../spec/steps.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { chooseAdd, openConsole } from './open-console.ts'

const TYPED = 'The curlews came back on the ninth of March.'

const browser = useBrowser()
let service: Service
before(async () => {
  // The service restarts on the same port.
  service = createService({ RECOLLECT_PORT: `${await findFreePort()}` })
  await service.start()
})
after(() => service.dispose())

browserTest('a lost connection is reported, keeps input, and recovers with the service', async () => {
  const memoryId = await makeMemory(service)
  const path = `#/memories/${memoryId}/documents`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await chooseAdd(page, 'Add text')
  await page.getByRole('textbox', { name: 'Text' }).fill(TYPED)
  await service.kill()
  await page.getByRole('button', { name: 'Add document' }).click()
  await page.getByRole('alert').filter({ hasText: 'Check that it is running, then try again.' }).waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Text' }).inputValue(), TYPED)
  await page.keyboard.press('Escape')
  await page.locator('.lost').waitFor()
  const file = { name: 'curlews.txt', mimeType: 'text/plain', buffer: Buffer.from('Curlews rest on the mud flats.') }
  await page.getByLabel('Choose files').setInputFiles(file)
  await page.getByText('The connection was lost before the response arrived').waitFor()

  await service.start()
  await page.locator('.lost').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Retry curlews.txt' }).click()
  await page.getByRole('link', { name: 'curlews', exact: true }).waitFor()
  await close()
})

browserTest('a revoked key is requested again without losing input, and the new key continues', async () => {
  const memoryId = await makeMemory(service)
  const made = await service.post<{ id: string; key: string }>('/v1/keys', { name: 'short' })
  const path = `#/memories/${memoryId}/documents`
  const { page, close } = await openConsole(browser(), { url: service.url, key: made.json.key }, { path })
  await chooseAdd(page, 'Add text')
  await page.getByLabel('Title').fill('Ninth of March')
  await page.getByRole('textbox', { name: 'Text' }).fill(TYPED)
  await service.delete(`/v1/keys/${made.json.id}`)
  await page.getByRole('button', { name: 'Add document' }).click()
  const again = page.getByRole('dialog', { name: 'Sign in again' })
  await again.getByLabel('API key').fill('rcl_wrong')
  await again.getByRole('button', { name: 'Sign in' }).click()
  await again.getByRole('alert').waitFor()
  await again.getByLabel('API key').fill(service.bootstrapKey)
  await again.getByRole('button', { name: 'Sign in' }).click()
  await again.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add document' }).click()
  await page.getByRole('link', { name: 'Ninth of March' }).waitFor()
  await close()
})

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
