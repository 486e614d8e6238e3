/** Users measure a memory with questions, and a missed question links to its search. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { useService } from '../spec/service.ts'
import { addText, makeMemory } from '../spec/steps.ts'
import { assertUsable } from './assert-usable.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'

const browser = useBrowser()
const service = useService()

browserTest('questions have documents from a list, are sorted worst first, and link to their search', async () => {
  const memoryId = await makeMemory(service)
  const path = `#/memories/${memoryId}/evaluate`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByText('No searchable documents yet').waitFor()
  await addText(service, memoryId, 'The crane lifts nine tonnes.', { title: 'Crane' })
  await addText(service, memoryId, 'Ropes hang on the red wall.', { title: 'Ropes' })
  await page.reload()
  await fillQuestion(page, 1, 'what does the crane lift', 'Crane')
  await page.getByRole('textbox', { name: 'Question 1' }).press('Enter')
  await fillQuestion(page, 2, 'where is the crane', 'Ropes')
  await page.getByLabel('Documents to evaluate').fill('1')
  await page.getByRole('checkbox', { name: 'Semantic', exact: true }).uncheck()
  await page.getByRole('button', { name: 'Run evaluation' }).click()
  const first = page.getByRole('region', { name: 'Questions' }).getByRole('row').nth(1)
  await first.getByText('where is the crane').waitFor()
  await first.getByRole('link', { name: 'Crane', exact: true }).waitFor()
  assert.equal(await page.getByRole('region', { name: 'Questions' }).getByRole('row').count(), 2)
  await assertUsable(page, 'results')
  // Both modes miss one of two, so none is the best.
  assert.equal(await page.getByText('best', { exact: true }).count(), 0)
  await first.getByText('missed').last().click()
  await page.locator('.hits mark').first().waitFor()
  await page.getByRole('button', { name: 'Remove filter Mode Keyword' }).waitFor()
  assert.equal(await page.getByLabel('Search this memory').inputValue(), 'where is the crane')
  await page.getByRole('link', { name: 'Evaluate' }).click()
  await first.getByText('missed').last().waitFor()
  // Questions and runs survive a reload.
  await page.reload()
  await first.getByText('missed').last().waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Question 1' }).inputValue(), 'what does the crane lift')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('API key').waitFor()
  assert.equal(await page.evaluate('Object.keys(localStorage).filter((key) => key.includes("kept")).length'), 0)
  await close()
})

async function fillQuestion(page: Page, place: number, query: string, title: string): Promise<void> {
  await page.getByRole('textbox', { name: `Question ${place}` }).fill(query)
  await page.getByRole('button', { name: `Choose documents of question ${place}` }).click()
  await page.getByRole('dialog').getByRole('checkbox', { name: title }).check()
  await page.getByRole('button', { name: 'Done' }).click()
}

browserTest('rows of a spreadsheet are pasted by title, and two runs are compared by question', async () => {
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, 'The crane lifts nine tonnes.', { title: 'Crane' })
  await addText(service, memoryId, 'Ropes hang on the red wall.', { title: 'Ropes', externalId: 'ropes' })
  const path = `#/memories/${memoryId}/evaluate`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  const rows = 'what does the crane lift\tCrane\nwhere do ropes hang\tropes\n'
  await page.getByRole('textbox', { name: 'Question 1' }).waitFor()
  await page.evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', ${JSON.stringify(rows)})
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.querySelector('.questions input').dispatchEvent(paste)
  }`)
  await page.getByText('2 questions pasted.').waitFor()
  await page.getByRole('button', { name: 'Remove Ropes' }).waitFor()
  await page.getByRole('button', { name: 'Run evaluation' }).click()
  await page.getByRole('rowheader', { name: 'Hybrid' }).waitFor()
  await page.getByRole('button', { name: 'Remove Crane' }).click()
  await page.getByRole('button', { name: 'Run evaluation' }).click()
  await page.getByRole('alert').getByText('question 1').waitFor()
  await page.getByRole('button', { name: 'Choose documents of question 1' }).click()
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Ropes' }).check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Run evaluation' }).click()
  await page.getByLabel('Compare with').selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Changed' }).click()
  const changed = page.getByRole('region', { name: 'Questions' }).getByRole('row').nth(1)
  await changed.getByText('was 1').first().waitFor()
  await page.getByRole('row').filter({ hasText: 'Hybrid' }).getByText('▼').first().waitFor()
  await assertUsable(page, 'a comparison')
  await close()
})

browserTest('malformed questions and unknown documents are reported by line with what to do', async () => {
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, 'The crane lifts nine tonnes.')
  const path = `#/memories/${memoryId}/evaluate`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByRole('button', { name: 'JSONL' }).click()
  const ask = async (lines: string) => {
    await page.getByRole('textbox', { name: 'Questions' }).fill(lines)
    await page.getByRole('button', { name: 'Run evaluation' }).click()
  }
  await ask('what does the crane lift')
  await page.getByRole('alert').filter({ hasText: 'Line 1 is neither JSON nor' }).waitFor()
  await ask('what does the crane lift\tcrane-manual')
  await page.getByRole('alert').filter({ hasText: 'crane-manual' }).waitFor()
  await page.getByRole('button', { name: 'Table', exact: true }).click()
  assert.equal(await page.getByRole('textbox', { name: 'Question 1' }).inputValue(), 'what does the crane lift')
  await close()
})
