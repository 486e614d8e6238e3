/** Extracted fields, each with its source passage. */
import assert from 'node:assert/strict'
import { useService } from '../spec/service.ts'
import { addText, makeMemory } from '../spec/steps.ts'
import { assertUsable } from './assert-usable.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole, signIn } from './open-console.ts'

const LEASE = `Lease of the boat house
Tenant: Ada Birch
Monthly rent: EUR 1,250.00
Start date: 1 March 2027
Deposit paid: yes`

let memoryId = ''
const browser = useBrowser()
const service = useService({}, async (started) => {
  memoryId = await makeMemory(started, 'Leases')
  await addText(started, memoryId, LEASE, { title: 'Boat house' })
})

browserTest('a schema is built and filled, and each value opens its source', async () => {
  const path = `#/memories/${memoryId}/extract`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  const wanted = [
    ['Monthly rent', 'currency'],
    ['Colour of the roof', 'text'],
    ['Start date', 'date'],
    ['Wind speed', 'number'],
  ] as const
  for (const [index, [label, type]] of wanted.entries()) {
    if (index > 0) await page.getByRole('button', { name: 'Add field' }).click()
    await page.getByRole('textbox', { name: `Field ${index + 1}` }).fill(label)
    await page.getByLabel(`Type of field ${index + 1}`).selectOption(type)
  }
  await page.getByRole('button', { name: 'Remove field 4' }).click()
  await page.getByLabel('Description of the documents').fill('Leases of boat houses')
  await page.getByRole('button', { name: 'Extract values' }).click()
  await page.getByText('2 of 3 found').waitFor()
  const cells = (label: string) => page.getByRole('row').filter({ hasText: label }).getByRole('cell').allTextContents()
  assert.deepEqual((await cells('Monthly rent')).slice(0, 2), ['Monthly rent', '1250 EUR'])
  assert.deepEqual((await cells('Start date')).slice(0, 2), ['Start date', '2027-03-01'])
  assert.match((await cells('Start date'))[2] ?? '', /^1 March 2027/)
  assert.deepEqual((await cells('Colour')).slice(0, 2), ['Colour of the roof', 'not found'])
  await page.getByText('Schema (JSON)').click()
  await assertUsable(page, 'values')
  await page.setViewportSize({ width: 380, height: 760 })
  await assertUsable(page, 'values on a narrow screen')
  const schema = JSON.parse((await page.locator('main pre').textContent()) ?? '')
  const extracted = await service.post<{ fieldsFound: number }>(`/v1/memories/${memoryId}/extract`, schema)
  assert.deepEqual([extracted.status, extracted.json.fieldsFound], [200, 2])
  const [section] = (schema as { sections: { fields: { key: string }[] }[] }).sections
  assert.deepEqual(
    section?.fields.map(({ key }) => key),
    ['monthly_rent', 'colour_of_the_roof', 'start_date'],
  )

  await page.getByRole('row').filter({ hasText: 'Start date' }).getByRole('button', { name: 'Boat house' }).click()
  await page.locator('.pane mark').waitFor()
  assert.match((await page.locator('.pane mark').textContent()) ?? '', /1 March 2027/)
  await page.getByRole('link', { name: 'Open the document' }).click()
  await page.getByRole('heading', { level: 1, name: 'Boat house' }).waitFor()
  await page.locator('main mark').waitFor()
  await page.goBack()
  await page.getByText('2 of 3 found').waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Field 3' }).inputValue(), 'Start date')
  assert.equal(await page.getByLabel('Description of the documents').inputValue(), 'Leases of boat houses')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await signIn(page, service.bootstrapKey)
  await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
  assert.equal(await page.getByRole('textbox', { name: 'Field 1' }).inputValue(), '')
  assert.equal(await page.getByText('2 of 3 found').count(), 0)
  await close()
})

browserTest('extraction asks for a field before it starts', async () => {
  const path = `#/memories/${memoryId}/extract`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByRole('textbox', { name: 'Field 1' }).fill(' ')
  await page.getByRole('button', { name: 'Extract values' }).click()
  await page.getByRole('alert').getByText('Enter at least one field name.').waitFor()
  assert.equal(await page.getByRole('table').count(), 0)
  await page.getByRole('textbox', { name: 'Field 1' }).fill('Tenant')
  await page.getByRole('button', { name: 'Extract values' }).click()
  await page.getByText('1 of 1 found').waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)
  await close()
})
