/** A memory is verified in the console. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { useService } from '../spec/service.ts'
import { addText, makeMemory } from '../spec/steps.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'

const browser = useBrowser()
const service = useService()

browserTest('a memory reports that it is intact, or its damage and what to do', async () => {
  const memoryId = await makeMemory(service)
  const id = await addText(service, memoryId, 'The ferry leaves at noon.', { tags: ['ferry'] })
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  await page.evaluate(`location.hash = '/memories/${memoryId}/manage'`)
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText('1 document and 1 passage verified.').waitFor()
  const database = new DatabaseSync(join(service.dataDirectory, 'recollect.sqlite'), { timeout: 10_000 })
  database.prepare('delete from document_tags where document_id = ?').run(id)
  database.close()
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText('1 problem', { exact: true }).waitFor()
  assert.match(await page.getByRole('status').getByRole('listitem').innerText(), /tags.*recollect doctor/s)
  await page.getByRole('link', { name: 'Open the document' }).click()
  await page.locator('.tall').getByText('The ferry leaves at noon.').waitFor()
  await close()
})
