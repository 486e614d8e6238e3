/** What became of the pages of a memory's documents, and what is done about those that failed. */
import { useService } from '../spec/service.ts'
import { makeMemory, upload } from '../spec/steps.ts'
import { makeScannedPdf } from '../support/sample-pictures.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'

const browser = useBrowser()
const service = useService()

browserTest('the pages of all documents are one chart, which leads to the documents whose pages failed', async () => {
  const memoryId = await makeMemory(service)
  const scans = ['Boats wait here', 'The crane lifts nine tonnes', 'Ropes hang on the wall'].map((scan) => ({ scan }))
  const path = `#/memories/${memoryId}/documents`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByText('No documents yet').waitFor()
  const content = await makeScannedPdf([{ text: 'Rules of the quay' }, ...scans])
  await upload(service, memoryId, { content, filename: 'quay.pdf', options: { ocrMaxPages: 2, async: true } })
  await page.reload()
  await page.getByRole('img', { name: '1 text, 2 recognised, 1 failed' }).waitFor()
  await page.getByRole('region', { name: 'Pages of all documents' }).getByRole('link', { name: 'quay' }).click()
  await page.getByText('Not recognised: ocrMaxPages is 2.').waitFor()
  await page.getByRole('button', { name: 'Read what is missing' }).click()
  await page.locator('.state.completed').waitFor()
  await page.getByRole('link', { name: 'Adding documents' }).click()
  await page.getByRole('img', { name: '1 text, 3 recognised' }).waitFor()
  await close()
})
