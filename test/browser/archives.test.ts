/** A memory leaves by the console as a file and comes back by it. */
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

browserTest('a memory is exported to a file, which is imported under another name', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  await page.getByRole('heading', { name: 'Harbour' }).click()
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
  await page.getByRole('button', { name: 'Import an archive' }).click()
  await page.getByLabel('Archive', { exact: true }).setInputFiles(archive)
  await page.getByLabel('Name (optional').fill('Quay')
  await page.getByRole('button', { name: 'Import it' }).click()
  await page.getByRole('heading', { name: 'Quay' }).waitFor()
  await page.getByText('1 document').first().waitFor()
  await close()
})

browserTest('what is no archive is said where it was chosen', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  await page.getByRole('button', { name: 'Import an archive' }).click()
  const file = { name: 'notes.gz', mimeType: 'application/gzip', buffer: Buffer.from('hello') }
  await page.getByLabel('Archive', { exact: true }).setInputFiles(file)
  await page.getByRole('button', { name: 'Import it' }).click()
  await page.getByText('is not the archive of a memory').waitFor()
  await close()
})
