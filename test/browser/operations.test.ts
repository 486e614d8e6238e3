/** Usage over time, health and sources in the console. */
import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useService } from '../spec/service.ts'
import { addText, makeMemory } from '../spec/steps.ts'
import { assertUsable } from './assert-usable.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'

const folder = mkdtempSync(join(tmpdir(), 'recollect-source-'))
const browser = useBrowser()
const service = useService({ RECOLLECT_SOURCE_FOLDERS: folder })

browserTest('the usage shows searches and declined questions by day and by memory', async () => {
  const memoryId = await makeMemory(service, 'Pilots')
  await addText(service, memoryId, 'The pilot boat leaves at six.', { title: 'Rules' })
  for (let time = 0; time < 3; time += 1) await service.post(`/v1/memories/${memoryId}/find`, { query: 'pilot boat' })
  await service.post(`/v1/memories/${memoryId}/ask`, { question: 'Who painted the ceiling?' })
  const view = { path: '#/usage' }
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, view)
  await page.getByRole('img', { name: 'Searches by day: 3, at most 3 a day' }).waitFor()
  await page.getByRole('img', { name: 'Questions by day: 1 · 1 declined' }).waitFor()
  const row = page.getByRole('region', { name: 'By memory' }).getByRole('row').filter({ hasText: 'Pilots' })
  assert.match((await row.textContent()) ?? '', /Pilots3110/)
  await page.getByRole('region', { name: 'By key' }).getByRole('row').nth(1).waitFor()
  await page.getByRole('button', { name: '7 days' }).click()
  await page.reload()
  assert.equal(await page.getByRole('button', { name: '7 days' }).getAttribute('aria-pressed'), 'true')
  await page.getByRole('img', { name: 'Searches by day: 3' }).waitFor()
  await assertUsable(page, 'usage')
  await close()
})

browserTest('the health names every part of the service and the queue', async () => {
  const view = { path: '#/health' }
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, view)
  await page.getByText('All parts work.').waitFor()
  for (const name of ['Database', 'Object store', 'Embedding model', 'Text recognition', 'Worker', 'Queue'])
    await page.getByRole('heading', { name }).waitFor()
  await assertUsable(page, 'health')
  await close()
})

browserTest('a folder is followed, its run reported, and its documents go with it', async () => {
  writeFileSync(join(folder, 'tides.txt'), 'High water is at nine.')
  const memoryId = await makeMemory(service, 'Followed')
  const view = { path: `#/memories/${memoryId}/sources` }
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, view)
  await page.getByText('No sources').waitFor()
  await page.getByRole('button', { name: 'New source' }).click()
  await page.getByRole('button', { name: 'Folder on the server' }).click()
  await page.getByLabel('Folder').fill('/')
  await page.getByRole('button', { name: 'Add source' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Folder').fill(folder)
  await page.getByLabel('Name').fill('Tides')
  await page.getByRole('button', { name: 'Add source' }).click()
  await page.getByText('Last run completed').waitFor()
  await page.getByText('1 added').waitFor()
  await assertUsable(page, 'sources')
  await page.getByRole('button', { name: 'Actions for Tides' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  assert.equal(await page.getByLabel('Folder').inputValue(), folder)
  await page.getByLabel('Name').fill('Ebb')
  await page.getByLabel('Runs').selectOption('Every week')
  await assertUsable(page, 'a source that is edited')
  await page.getByRole('button', { name: 'Save source' }).click()
  await page.getByText(/next run in (6 days|1 week|next week)|next run next week/).waitFor()
  await page.getByRole('button', { name: 'Actions for Ebb' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('checkbox', { name: 'Delete its 1 document as well' }).check()
  await page.getByRole('button', { name: 'Delete source' }).click()
  await page.getByText('No sources').waitFor()
  await close()
})

browserTest('a website is followed as deep as the API allows, and a secret needs its access key ID', async () => {
  const memoryId = await makeMemory(service, 'Deep')
  const view = { path: `#/memories/${memoryId}/sources` }
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, view)
  await page.getByRole('button', { name: 'New source' }).click()
  await page.getByRole('button', { name: 'Bucket (S3)' }).click()
  await page.getByLabel('Bucket', { exact: true }).fill('reports')
  await page.getByLabel('Secret access key').fill('secret')
  await page.getByRole('button', { name: 'Add source' }).click()
  await page.getByRole('alert').getByText('Enter the access key ID as well.').waitFor()
  await page.getByRole('button', { name: 'Website' }).click()
  await page.getByLabel('Start at').fill('https://recollect.invalid/')
  await page.getByLabel('Links to follow').fill('50')
  await page.getByLabel('Name').fill('Manual')
  await page.getByRole('button', { name: 'Add source' }).click()
  await page.getByRole('button', { name: 'Actions for Manual' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  assert.equal(await page.getByLabel('Links to follow').inputValue(), '50')
  await page.getByRole('button', { name: 'Save source' }).click()
  await page.getByText('“Manual” was changed.').waitFor()
  await close()
})

browserTest('the size of passages is chosen with a new memory, and shown where it is managed', async () => {
  const view = { path: '#/memories?new=1' }
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, view)
  const dialog = page.getByRole('dialog', { name: 'New memory' })
  await dialog.getByLabel('Name', { exact: true }).fill('Short passages')
  await dialog.getByText('Passage size', { exact: true }).click()
  await dialog.getByLabel('Maximum characters').fill('600')
  await assertUsable(page, 'a new memory')
  await dialog.getByRole('button', { name: 'Create memory' }).click()
  await page.getByRole('heading', { level: 1, name: 'Short passages' }).waitFor()
  await page.getByRole('link', { name: 'Manage' }).click()
  await page.getByText('At most 600 characters, nothing repeated').waitFor()
  await close()
})
