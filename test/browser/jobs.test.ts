/** Background jobs in the console: progress, cancellation, retry, re-embedding, and plan limits. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { useService } from '../spec/service.ts'
import { addTexts, makeMemory, readMemory, upload } from '../spec/steps.ts'
import { startGate } from '../support/model-server/gate.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { makeScannedPdf } from '../support/sample-pictures.ts'
import { assertUsable } from './assert-usable.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'

const models = await startModelServer()
const gate = await startGate(models.url)
after(async () => {
  await gate.close()
  await models.close()
})

let memoryId = ''
const browser = useBrowser()
const service = useService(
  { RECOLLECT_PLAN: 'free', RECOLLECT_EMBEDDER: 'openai:mini', OPENAI_BASE_URL: gate.url },
  async (started) => {
    memoryId = await makeMemory(started, 'Tides')
    const documents = [{ title: 'Tide', text: 'High water is at nine.' }]
    await addTexts(started, memoryId, documents, { embeddingModel: 'embedded' })
  },
)

browserTest('a memory switches to another embedding model, and an unknown model is refused', async () => {
  const path = `#/memories/${memoryId}/manage`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByText('static-multi').waitFor()
  await page.getByLabel('With the model').fill('openai:nowhere')
  await page.getByRole('button', { name: 'Re-embed' }).click()
  await page.getByRole('alert').waitFor()
  gate.shut()
  await page.getByLabel('With the model').fill('openai:mini')
  await page.getByRole('button', { name: 'Re-embed' }).click()
  await gate.arrived()
  await page.getByRole('status').filter({ hasText: '%' }).waitFor()
  await assertUsable(page, 're-embedding')
  gate.open()
  await page.locator('main code').getByText('mini', { exact: true }).waitFor()
  await close()
})

browserTest('a job is seen at work, cancelled, and done when it is retried', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  gate.shut()
  const documents = [{ title: 'Ebb', text: 'Low water is at three.' }]
  await addTexts(service, memoryId, documents, { async: true })
  await gate.arrived()
  await page.getByRole('link', { name: 'Jobs' }).click()
  await page.getByRole('progressbar').waitFor()
  await page.locator('.state.processing').waitFor()
  await assertUsable(page, 'a job at work')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.locator('.state.failed').waitFor()
  await page.getByLabel('Status').selectOption('partial')
  await page.getByRole('heading', { name: 'No partial jobs' }).waitFor()
  await page.getByLabel('Status').selectOption('')
  await page.locator('.state.failed').waitFor()
  assert.equal(await page.getByRole('progressbar').count(), 0)

  gate.open()
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.locator('.state.failed').waitFor({ state: 'detached' })
  await page.locator('.state.completed').nth(1).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Retry' }).count(), 0)
  await page.getByLabel('Status').selectOption('failed')
  await page.getByText('No failed jobs').waitFor()
  await close()
})

browserTest(
  'a job that starts appears in the list, and opens at its address with its reason and attempts',
  async () => {
    const { page, close } = await openConsole(
      browser(),
      { url: service.url, key: service.bootstrapKey },
      { path: '#/jobs?status=processing' },
    )
    await page.getByText('No processing jobs').waitFor()
    await addBehindGate({ title: 'Slack', text: 'Slack water lasts an hour.' })
    await page.getByText('1 running, 0 waiting').waitFor()
    const opener = page.getByRole('row').getByRole('link', { name: 'Adding documents' })
    const crumb = page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Jobs' })
    await opener.click()
    await page.waitForURL(/#\/jobs\/job_/)
    await crumb.click()
    assert.equal(await page.getByLabel('Status').inputValue(), 'processing')
    await opener.click()
    await page.waitForURL(/#\/jobs\/job_/)
    await page.reload()
    await page.getByRole('progressbar').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.locator('.state.failed').waitFor()
    await page
      .locator('.notice')
      .getByText(/cancel/i)
      .waitFor()
    await assertUsable(page, 'a job that failed')
    gate.open()
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText(/1 document added/).waitFor()
    assert.match((await page.locator('.facts').textContent()) ?? '', /Attempts1/)
    await page.getByRole('link', { name: 'Open the document' }).click()
    await page.getByRole('heading', { level: 1, name: 'Slack' }).waitFor()
    await page.goBack()
    await crumb.click()
    await page.getByRole('heading', { name: 'Jobs' }).waitFor()
    await close()
  },
)

browserTest('the list of jobs is updated also if it loads longer than the time between updates', async () => {
  await addBehindGate({ title: 'Swell', text: 'The swell comes from the west.' })
  const view = { path: '#/jobs?status=processing' }
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, view)
  await page.getByRole('progressbar').waitFor()
  await page.route('**/v1/jobs?*', async (route) => {
    await pause(2000)
    // A load that was aborted has no response to wait for.
    await route.continue().catch(() => undefined)
  })
  gate.open()
  await page.getByText('No processing jobs').waitFor({ timeout: 15_000 })
  await close()
})

browserTest('a partial job names the missing parts, and a retry adds them', async () => {
  const content = await makeScannedPdf([{ scan: 'The tide turns' }, { scan: 'The moon is full' }])
  const options = { async: true, ocrMaxPages: 1 }
  await upload(service, memoryId, { content, filename: 'tables.pdf', options })
  const { page, close } = await openConsole(
    browser(),
    { url: service.url, key: service.bootstrapKey },
    { path: '#/jobs' },
  )
  const job = page.getByRole('row').filter({ hasText: 'ocrMaxPages' })
  await job.locator('.state.partial').waitFor()
  await job.getByRole('button', { name: 'Retry' }).click()
  await page.locator('.state.partial').waitFor({ state: 'detached' })
  await page.locator('.state.completed').nth(2).waitFor()
  await close()
})

browserTest('usage is shown beside the plan limits, and a full plan is explained', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.getByText('plan Free').waitFor()
  await page.getByText('1 of 1').waitFor()
  await page.getByText(/ of 50 MB/).waitFor()
  await page.getByRole('progressbar', { name: 'Memories: 100 %' }).waitFor()
  await page.getByRole('progressbar', { name: 'Storage: 0 %' }).waitFor()
  await page.getByText('no limit').first().waitFor()
  await assertUsable(page, 'usage')
  await page.getByRole('link', { name: 'Memories' }).click()
  await page.getByRole('button', { name: 'New memory' }).click()
  await page.getByLabel('Name', { exact: true }).fill('One too many')
  await page.getByRole('button', { name: 'Create memory' }).click()
  const refused = page.getByRole('dialog').getByRole('alert')
  await refused.waitFor()
  assert.match((await refused.textContent()) ?? '', /plan.*delete/is)
  await close()
})

browserTest('the month of the queries begins on the same day for readers west and east of Greenwich', async () => {
  const { json } = await service.get<{ usage: { period: { start: string } } }>('/v1/account')
  const day = new Date(json.usage.period.start).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
  for (const timezoneId of ['America/Los_Angeles', 'Asia/Tokyo']) {
    const there = { timezoneId, path: '#/usage' }
    const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, there)
    const told = page.getByText('Queries count since')
    assert.ok((await told.textContent())?.includes(`Queries count since ${day}`), timezoneId)
    await close()
  }
})

browserTest('the progress of a re-embedding resumes when its memory is reopened', async () => {
  const path = `#/memories/${memoryId}/manage`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  gate.shut()
  await service.post(`/v1/memories/${memoryId}/reembed`, { embeddingModel: 'openai:mini' })
  await gate.arrived()
  await page.goto(`${service.url}/${path}`)
  const progress = page.getByRole('status').filter({ hasText: '%' })
  await progress.waitFor()
  await page.getByRole('link', { name: 'Jobs' }).first().click()
  await page.getByRole('progressbar').waitFor()
  await page.goBack()
  await progress.waitFor()
  gate.open()
  await progress.getByText('100 %').waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)
  await close()
})

browserTest('the view of a document updates when its job finishes', async () => {
  const documentId = await addBehindGate({ title: 'Neap', text: 'The neap tide is the lowest.' })
  const path = `#/memories/${memoryId}/documents/${documentId}`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.locator('.state.processing').waitFor()
  gate.open()
  await page.locator('.state.ready').waitFor()
  await page.getByText('1 passage').waitFor()
  await page.getByLabel('Extracted text').getByText('The neap tide is the lowest.').waitFor()
  await close()
})

browserTest('the counts of a memory update with its document list', async () => {
  await addBehindGate({ title: 'Spring', text: 'The spring tide is the highest.' })
  const path = `#/memories/${memoryId}/documents`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  const counted = (passages: number) => page.locator('.head').getByText(new RegExp(`· ${passages} passages?$`))
  await page.locator('.state.processing').waitFor()
  const { chunkCount } = await readMemory(service, memoryId)
  await counted(chunkCount).waitFor()
  gate.open()
  await page.locator('.state.processing').waitFor({ state: 'detached' })
  await counted(chunkCount + 1).waitFor()
  await close()
})

/** Adds a document by a job that waits at the gate, and closes the gate. */
async function addBehindGate(document: { title: string; text: string }): Promise<string> {
  gate.shut()
  await addTexts(service, memoryId, [document], { async: true })
  await gate.arrived()
  const { json } = await service.get<{ documents: { id: string }[] }>(`/v1/memories/${memoryId}/documents?limit=1`)
  return json.documents[0]?.id ?? ''
}
