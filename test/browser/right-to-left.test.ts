/** Right-to-left texts of users beside the left-to-right texts of the console. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { useService } from '../spec/service.ts'
import type { Accepted } from '../spec/shapes.ts'
import { endOfJob } from '../spec/steps.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'
import { until } from './until.ts'

const NAME = 'בית הסירות (2027)'
const TEXT = 'שוכר: דנה לוי.\n\nבית הסירות נסגר בשעה תשע בערב (21:00).'

/** The texts of the page that begin with a Hebrew letter. */
const READ_TEXTS = String.raw`(() => {
  const found = []
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { data: text, parentElement } = texts.currentNode
    const { direction } = getComputedStyle(parentElement)
    if (/^\P{L}*\p{sc=Hebrew}/u.test(text)) found.push({ text, direction })
  }
  return found
})()`

let memoryId = ''
const browser = useBrowser()
const service = useService({}, async (started) => {
  const made = await started.post<{ id: string }>('/v1/memories', { name: NAME, description: NAME, projectName: NAME })
  memoryId = made.json.id
  const documents = [{ title: NAME, text: TEXT, tags: [NAME] }]
  const { json } = await started.post<Accepted>(`/v1/memories/${memoryId}/documents`, {
    documents,
    options: { async: true },
  })
  await endOfJob(started, json.jobId)
  await started.post(`/v1/memories/${memoryId}/correct`, { statement: `${TEXT}.`, topics: [NAME] })
  await started.post('/v1/keys', { name: NAME })
})

browserTest('right-to-left texts of users are displayed right to left in every view', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  const places = {
    '#/memories': 3,
    '#/jobs': 1,
    '#/projects': 1,
    '#/keys': 1,
    [`#/memories/${memoryId}/search?q=%D7%94%D7%A1%D7%99%D7%A8%D7%95%D7%AA`]: 5,
    [`#/memories/${memoryId}/documents`]: 3,
    [`#/memories/${memoryId}/corrections`]: 4,
    [`#/memories/${memoryId}/manage`]: 3,
  }
  for (const [path, count] of Object.entries(places)) {
    await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
    await assertReadsFromTheRight(page, path, count)
  }
  await page.getByRole('link', { name: 'Corrections' }).click()
  await page.getByRole('button', { name: 'Actions of the correction' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await assertReadsFromTheRight(page, 'a warning', 5)
  await close()
})

browserTest('an answer, its sources and its question are displayed right to left', async () => {
  const path = `#/memories/${memoryId}/ask`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByLabel('Your question').fill('מתי נסגר בית הסירות?')
  assert.equal(await page.locator('[name=question]:dir(rtl)').count(), 1)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByRole('button', { name: 'Citation 1' }).waitFor()
  await page.getByRole('complementary', { name: 'Sources' }).waitFor()
  await assertReadsFromTheRight(page, 'an answer', 5)
  await close()
})

browserTest('an extracted value, its field and its document are displayed right to left', async () => {
  const path = `#/memories/${memoryId}/extract`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByRole('textbox', { name: 'Field 1' }).fill('שוכר')
  await page.getByRole('button', { name: 'Extract values' }).click()
  await page.getByText('1 of 1 found').waitFor()
  await assertReadsFromTheRight(page, 'values', 6)
  await close()
})

/**
 * Waits for `count` texts that begin with a Hebrew letter, each in an element with right-to-left
 * direction.
 */
async function assertReadsFromTheRight(page: Page, what: string, count: number): Promise<void> {
  const texts = await until(async () => {
    const seen = await page.evaluate<{ text: string; direction: string }[]>(READ_TEXTS)
    return seen.length >= count && seen
  })
  const wrong = texts.filter(({ direction }) => direction !== 'rtl').map(({ text }) => `${what}: ${text}`)
  assert.deepEqual(wrong, [])
}
