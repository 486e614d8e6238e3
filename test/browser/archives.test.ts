/** The console exports a memory as a file and imports the file again. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { useService } from '../spec/service.ts'
import { addText, makeMemory } from '../spec/steps.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'

const browser = useBrowser()
const service = useService({}, async (started) => {
  await addText(started, await makeMemory(started, 'Harbour'), 'The crane lifts nine tonnes.', { title: 'Crane' })
})

browserTest('a memory is exported to a file and imported under another name', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  await page.locator('main').getByRole('link', { name: 'Harbour' }).click()
  await page.getByRole('link', { name: 'Manage' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'Harbour.tar.gz')
  const archive = {
    name: 'Harbour.tar.gz',
    mimeType: 'application/gzip',
    buffer: await readFile(await download.path()),
  }
  await page.goto(`${service.url}/#/memories`)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Import an archive' }).click()
  await page.getByLabel('Archive', { exact: true }).setInputFiles(archive)
  await page.getByLabel('Name optional').fill('Quay')
  await page.getByRole('button', { name: 'Import archive' }).click()
  await page.getByRole('heading', { name: 'Quay' }).waitFor()
  await page.getByText('1 document').first().waitFor()
  await close()
})

browserTest('the dialog reports a chosen file that is not an archive', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Import an archive' }).click()
  const file = { name: 'notes.gz', mimeType: 'application/gzip', buffer: Buffer.from('hello') }
  await page.getByLabel('Archive', { exact: true }).setInputFiles(file)
  await page.getByRole('button', { name: 'Import archive' }).click()
  await page.getByText('is not a memory archive').waitFor()
  await close()
})

browserTest('closing the import dialog keeps the view, and the list shows the memory', async () => {
  const [{ json }, { page, close }] = await Promise.all([
    service.get<{ memories: { id: string }[] }>('/v1/memories'),
    openConsole(browser(), { url: service.url, key: service.bootstrapKey }),
  ])
  const headers = { authorization: `Bearer ${service.bootstrapKey}` }
  const exported = await fetch(`${service.url}/v1/memories/${json.memories[0]?.id}/export`, { headers })
  const buffer = Buffer.from(await exported.arrayBuffer())
  const closed = Promise.withResolvers<void>()
  await page.route('**/v1/memories/import', async (request) => {
    await closed.promise
    await request.continue()
  })
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Import an archive' }).click()
  const archive = { name: 'Harbour.tar.gz', mimeType: 'application/gzip', buffer }
  await page.getByLabel('Archive', { exact: true }).setInputFiles(archive)
  await page.getByLabel('Name optional').fill('Mole')
  await page.getByRole('button', { name: 'Import archive' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  closed.resolve()
  await page.locator('main').getByRole('link', { name: 'Mole' }).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Memories' }).waitFor()
  await close()
})
