/** Questions in the console, and the display of their answers. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Locator } from 'playwright-core'
import { useService } from '../spec/service.ts'
import { addText, makeMemory } from '../spec/steps.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'

const models = await startModelServer()
after(() => models.close())
models.respond(() => 'The crane lifts nine tonnes [1][7].\n  if so, call it')

const browser = useBrowser()
const service = useService({ RECOLLECT_LLM: 'openai:test-model', OPENAI_BASE_URL: models.url, OPENAI_API_KEY: 'none' })

browserTest('feedback on an answer remains visible when the user returns', async () => {
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, 'The crane lifts nine tonnes.', { title: 'Crane' })
  const path = `#/memories/${memoryId}/ask`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByLabel('Your question').fill('What does the crane lift?')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByRole('button', { name: 'Citation 1' }).waitFor()
  await page.getByRole('link', { name: 'Documents' }).click()
  await page.getByRole('link', { name: 'Crane', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Ask', exact: true }).click()
  await page.getByRole('button', { name: 'Citation 1' }).waitFor()
  await page.locator('main p').filter({ hasText: 'By ' }).getByText('[7]').waitFor()
  assert.equal(await page.getByLabel('Your question').inputValue(), 'What does the crane lift?')
  assert.match(await page.locator('.answer').innerText(), /\n {2}if so, call it$/)
  await close()
})

browserTest('a question is printed with its answer, and a passage with all of its text', async () => {
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, 'The crane lifts nine tonnes.\n'.repeat(100), { title: 'Crane' })
  const path = `#/memories/${memoryId}/ask`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByLabel('Your question').fill('What does the crane lift?')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  const citation = page.getByRole('button', { name: 'Citation 1' })
  await citation.waitFor()
  const areShown = (...shown: Locator[]) => Promise.all(shown.map((one) => one.isVisible()))
  const [question, tabs] = [page.getByLabel('Your question'), page.locator('.tabs')]
  await page.emulateMedia({ media: 'print' })
  assert.deepEqual(await areShown(question, citation, tabs, page.locator('.side')), [true, true, false, false])
  await page.emulateMedia({ media: 'screen' })
  await citation.click()
  await page.locator('dialog mark').waitFor()
  await page.emulateMedia({ media: 'print' })
  assert.deepEqual(await areShown(page.locator('dialog mark'), question, tabs), [true, false, false])
  const hiddenPx =
    "document.querySelector('dialog .text').scrollHeight - document.querySelector('dialog .text').clientHeight"
  assert.equal(await page.evaluate(hiddenPx), 0)
  await close()
})
