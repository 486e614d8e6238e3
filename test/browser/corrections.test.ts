/**
 * A correction in the console: the passages it overrides when created, and the passages it overrode
 * in the latest search.
 */
import { useService } from '../spec/service.ts'
import { addText, find, makeMemory } from '../spec/steps.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'

const browser = useBrowser()
let memoryId = ''
const service = useService({}, async (started) => {
  memoryId = await makeMemory(started, 'Harbour')
  await addText(started, memoryId, 'The crane lifts nine tonnes.', { title: 'Crane' })
})

browserTest('the list shows the passages that a correction last overrode, and opens each at its text', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  await page.goto(`${service.url}/#/memories/${memoryId}/corrections`)
  await page.getByLabel('Correct statement').fill('The crane lifts ten tonnes.')
  await page.getByRole('button', { name: 'Add correction' }).click()
  await page.getByText('Overrides:').waitFor()
  await find(service, memoryId, 'how much does the crane lift')
  await page.reload()
  await page.getByText('Last overrides').waitFor()
  await page.getByRole('button', { name: 'Crane' }).click()
  await page.getByText('The crane lifts nine tonnes.').first().waitFor()
  await close()
})
