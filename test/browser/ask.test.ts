/** Questions in the console, and the display of their answers. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { useService } from '../spec/service.ts'
import { addText, makeMemory } from '../spec/steps.ts'
import { startModelServer } from '../support/model-server/model-server.ts'
import { assertUsable } from './assert-usable.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'

const models = await startModelServer()
after(() => models.close())
models.respond(() => 'The crane lifts nine tonnes [1][7].\n  if so, call it')

const browser = useBrowser()
const service = useService({ RECOLLECT_LLM: 'openai:test-model', OPENAI_BASE_URL: models.url, OPENAI_API_KEY: 'none' })

browserTest('an answer, its citations and its warnings are there when the user returns', async () => {
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
  await page.locator('main p').filter({ hasText: 'By ' }).filter({ hasText: '[7]' }).waitFor()
  await page.getByRole('heading', { name: 'What does the crane lift?' }).waitFor()
  assert.match(await page.locator('.answer').innerText(), /\nif so, call it$/)
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
  const [question, tabs] = [page.locator('.asked'), page.locator('.tabs')]
  await page.emulateMedia({ media: 'print' })
  assert.deepEqual(await areShown(question, citation, tabs, page.locator('.side')), [true, true, false, false])
  await page.emulateMedia({ media: 'screen' })
  await citation.click()
  await page.locator('.pane mark').waitFor()
  await page.emulateMedia({ media: 'print' })
  assert.deepEqual(await areShown(page.locator('.pane mark'), question, tabs), [true, true, false])
  const hiddenPx =
    "document.querySelector('.passage-text').scrollHeight - document.querySelector('.passage-text').clientHeight"
  assert.equal(await page.evaluate(hiddenPx), 0)
  await close()
})

browserTest(
  'an answer is shown as Markdown with its citations in place, and no HTML of a model is inserted',
  async () => {
    const memoryId = await makeMemory(service)
    await addText(service, memoryId, 'The crane lifts nine tonnes. It is painted in May.', { title: 'Crane' })
    const text =
      '## The crane\n\n- lifts **nine tonnes [1]**\n- <img src=x onerror=alert(1)> stays text\n\n| a | b |\n|--|--|\n| `x` | 2 |'
    models.respond(() => text)
    const path = `#/memories/${memoryId}/ask`
    const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
    await ask(page, 'What does the crane lift?')
    await page.locator('.answer li strong').getByRole('button', { name: 'Citation 1' }).waitFor()
    assert.equal(await page.locator('.answer td code').textContent(), 'x')
    assert.equal(await page.locator('main img').count(), 0)
    assert.doesNotMatch(await page.locator('.answer').innerText(), /[#*|[]/)
    await assertUsable(page, 'an answer')
    await close()
  },
)

browserTest('a conversation continues, survives a reload, and is gone after the sign-out', async () => {
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, 'The crane lifts nine tonnes. The crane is painted in May.', { title: 'Crane' })
  models.respond(() => 'The crane is painted in May [1].')
  const path = `#/memories/${memoryId}/ask`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  const asked: string[] = []
  page.on('request', (request) => request.url().endsWith('/ask') && asked.push(request.postData() ?? ''))
  await ask(page, 'When is the crane painted?')
  await page.getByRole('button', { name: 'Citation 1' }).waitFor()
  await ask(page, 'And why?')
  await page.getByRole('button', { name: 'Ask again' }).nth(1).waitFor()
  const [first, second] = asked.map((body) => JSON.parse(body) as { question?: string; messages?: { role: string }[] })
  assert.equal(first?.question, 'When is the crane painted?')
  assert.deepEqual(
    second?.messages?.map(({ role }) => role),
    ['user', 'assistant', 'user'],
  )
  await page.reload()
  await page.getByRole('heading', { name: 'And why?' }).waitFor()
  await page.getByRole('link', { name: 'New conversation' }).click()
  await page.getByText('Answers with citations').waitFor()
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('link', { name: 'When is the crane painted?' }).click()
  await page.getByRole('heading', { name: 'And why?' }).waitFor()
  assert.equal(asked.length, 2, 'nothing is asked again without a press')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('API key').waitFor()
  assert.equal(await page.evaluate("localStorage.getItem('recollect-conversations')"), null)
  await close()
})

browserTest('a question of a link waits for a press, and a declined answer shows what was found instead', async () => {
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, 'The crane lifts nine tonnes.', { title: 'Crane' })
  models.respond(() => 'NO_ANSWER')
  const path = `#/memories/${memoryId}/ask?q=Who%20painted%20the%20crane%3F`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  const field = page.getByLabel('Your question')
  await field.waitFor()
  assert.equal(await field.inputValue(), 'Who painted the crane?')
  assert.equal(await page.locator('.turn').count(), 0)
  await field.press('Enter')
  await page.getByText('Looked for “Who painted the crane?”').waitFor()
  await page.locator('.declined').getByRole('button', { name: 'Crane' }).waitFor()
  assert.equal(await page.getByText('Quoted, without').count(), 0)
  await close()
})

browserTest('an answer is stopped and keeps its text', async () => {
  const memoryId = await makeMemory(service)
  await addText(service, memoryId, 'The crane lifts nine tonnes.', { title: 'Crane' })
  const path = `#/memories/${memoryId}/ask`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  models.script({ stall: 'before-headers' })
  await ask(page, 'What does the crane lift?')
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Stopped. The text is incomplete.').waitFor()
  await page.getByRole('button', { name: 'Ask', exact: true }).waitFor()
  await close()
})

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Your question').fill(question)
  await page.keyboard.press('Enter')
}
