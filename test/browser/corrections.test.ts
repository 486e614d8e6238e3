/** Corrections in the console: beside what they override, added in a dialog, edited in place. */
import assert from 'node:assert/strict'
import { useService } from '../spec/service.ts'
import { addText, find, makeMemory } from '../spec/steps.ts'
import { assertUsable } from './assert-usable.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole } from './open-console.ts'

const browser = useBrowser()
let memoryId = ''
const service = useService({}, async (started) => {
  memoryId = await makeMemory(started, 'Harbour')
  await addText(started, memoryId, 'The crane lifts nine tonnes.', { title: 'Crane' })
})

browserTest('a correction is beside the passage that it overrides, with the words that differ', async () => {
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey })
  await page.goto(`${service.url}/#/memories/${memoryId}/corrections`)
  await page.getByRole('button', { name: 'New correction' }).click()
  await page.getByLabel('Correct statement').fill('The crane lifts eleven tonnes.')
  await page.getByLabel('Topics').fill('crane, weight,')
  await page.getByRole('button', { name: 'Remove topic weight' }).waitFor()
  await assertUsable(page, 'a new correction')
  await page.getByRole('button', { name: 'Add correction' }).click()
  await page.getByText('It overrides 1 passage.').waitFor()
  await page.locator('.statement ins').getByText('eleven').waitFor()
  assert.deepEqual(await page.locator('.overridden del').allTextContents(), ['nine'])
  await page.getByText('1 correction').waitFor()
  await find(service, memoryId, 'how much does the crane lift')
  await page.reload()
  await page.getByText('Last overrode').waitFor()
  await assertUsable(page, 'corrections')
  await page.getByRole('button', { name: 'Crane' }).click()
  const opened = page.locator('.pane mark').getByText('The crane lifts nine tonnes.')
  await opened.waitFor()
  await page.reload()
  await opened.waitFor()
  await page.goBack()
  await opened.waitFor({ state: 'detached' })
  await page.getByText('Last overrode').waitFor()
  await close()
})

browserTest('a statement that is there already is pointed out before it is added again', async () => {
  const otherId = await makeMemory(service, 'Slipway')
  await service.post(`/v1/memories/${otherId}/correct`, { statement: 'The slipway is closed.' })
  const path = `#/memories/${otherId}/corrections`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByRole('button', { name: 'New correction' }).click()
  await page.getByLabel('Correct statement').fill('the slipway  is closed')
  await page.getByText('This statement is already there').waitFor()
  await page.getByRole('button', { name: 'Add anyway' }).click()
  await page.getByRole('listitem').filter({ hasText: 'the slipway is closed' }).nth(1).waitFor()
  await close()
})

browserTest('a correction is edited in place, with an end, and expired ones are filtered', async () => {
  const otherId = await makeMemory(service, 'Quay')
  await service.post(`/v1/memories/${otherId}/correct`, { statement: 'The quay is dry.', topics: ['quay'] })
  const expiresAt = new Date(Date.now() + 1500).toISOString()
  await service.post(`/v1/memories/${otherId}/correct`, { statement: 'The buoy is red.', expiresAt })
  const path = `#/memories/${otherId}/corrections`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  const quay = page.locator('.corrections > li').filter({ hasText: 'The quay' })
  await quay.getByRole('button', { name: 'Actions of the correction' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByLabel('Correct statement').fill('The quay is wet.')
  await page.getByRole('button', { name: 'Remove topic quay' }).click()
  await page.getByRole('button', { name: 'A week' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await quay.getByText('The quay is wet.').waitFor()
  await quay.getByText(/in 6 days|next week|in 1 week/).waitFor()
  assert.equal(await quay.locator('.tags').count(), 0)
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, Date.parse(expiresAt) - Date.now()) + 100))
  await page.reload()
  await page.getByRole('button', { name: 'Expired' }).click()
  await page.getByText('The buoy is red.').waitFor()
  assert.equal(await quay.count(), 0)
  await page.getByRole('button', { name: 'Active' }).click()
  await quay.waitFor()
  assert.equal(await page.getByText('The buoy is red.').count(), 0)
  await close()
})
