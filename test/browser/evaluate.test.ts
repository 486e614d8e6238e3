/** Users measure a memory with questions, and a missed question links to its search. */
import assert from 'node:assert/strict'
import { useService } from '../spec/service.ts'
import { addText, makeMemory } from '../spec/steps.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'
import { until } from './until.ts'

const browser = useBrowser()
const service = useService()

browserTest('questions are generated from document titles, sorted worst first, and link to their search', async () => {
  const memoryId = await makeMemory(service)
  const path = `#/memories/${memoryId}/evaluate`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByText('No searchable documents yet').waitFor()
  await addText(service, memoryId, 'The crane lifts nine tonnes.', { title: 'Crane' })
  await addText(service, memoryId, 'Ropes hang on the red wall.', { title: 'Ropes' })
  await page.reload()
  const add = async (question: string, document: string) => {
    await page.getByLabel('Question', { exact: true }).fill(question)
    await page.getByLabel('Answered by').selectOption({ label: document })
    await page.getByRole('button', { name: 'Add question' }).click()
    await until(async () => (await page.locator('input[name=query]').inputValue()) === '')
  }
  await add('what does the crane lift', 'Crane')
  await add('where is the crane', 'Ropes')
  await page.getByLabel('Documents to evaluate').fill('1')
  await page.getByRole('checkbox', { name: 'Semantic', exact: true }).uncheck()
  await page.getByRole('button', { name: 'Run evaluation' }).click()
  const first = page.getByRole('table').last().getByRole('row').nth(1)
  await first.getByText('where is the crane').waitFor()
  await first.getByText('missed').last().click()
  await page.locator('.hits mark').first().waitFor()
  await page.getByRole('button', { name: 'Remove filter Mode Keyword' }).waitFor()
  assert.equal(await page.getByLabel('Search this memory').inputValue(), 'where is the crane')
  await page.getByRole('link', { name: 'Evaluate' }).click()
  await first.getByText('missed').last().waitFor()
  assert.match(await page.getByLabel('Questions').inputValue(), /what does the crane lift/)
  await page.getByRole('link', { name: 'Search', exact: true }).click()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Mode' }).click()
  await page.getByRole('combobox', { name: 'Mode' }).selectOption('Semantic')
  await page.reload()
  await page.getByRole('button', { name: 'Remove filter Mode Semantic' }).waitFor()
  await close()
})

browserTest('malformed questions and unknown documents are reported by line with what to do', async () => {
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, 'The crane lifts nine tonnes.')
  const path = `#/memories/${memoryId}/evaluate`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  const ask = async (lines: string) => {
    await page.getByLabel('Questions').fill(lines)
    await page.getByRole('button', { name: 'Run evaluation' }).click()
  }
  await ask('what does the crane lift')
  await page.getByRole('alert').filter({ hasText: 'Line 1 is neither JSON nor' }).waitFor()
  await ask('what does the crane lift\tcrane-manual')
  await page.getByRole('alert').filter({ hasText: 'crane-manual' }).waitFor()
  await close()
})
