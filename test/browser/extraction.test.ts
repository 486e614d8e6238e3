/** Extracted fields, each with its source passage. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { useService } from '../spec/service.ts'
import { addText, makeMemory } from '../spec/steps.ts'
import { assertUsable } from './assert-usable.ts'
import { browserTest, useBrowser } from './open-browser.ts'
import { openConsole, signIn } from './open-console.ts'
import { until } from './until.ts'

const LEASE = `Lease of the boat house
Tenant: Ada Birch
Monthly rent: EUR 1,250.00
Start date: 1 March 2027
Deposit paid: yes`

/** Words of the opened place. */
const OPENED = '.pane mark'

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
  assert.deepEqual((await cells('Monthly rent')).slice(0, 2), ['Monthly rent', '1,250.00 EUR'])
  assert.deepEqual((await cells('Start date')).slice(0, 2), ['Start date', '2027-03-01'])
  assert.match((await cells('Start date'))[2] ?? '', /^1 March 2027/)
  assert.deepEqual((await cells('Colour')).slice(0, 2), ['Colour of the roof', 'not found'])
  await page.getByRole('button', { name: 'JSON', exact: true }).first().click()
  await assertUsable(page, 'values')
  await page.setViewportSize({ width: 380, height: 760 })
  await assertUsable(page, 'values on a narrow screen')
  const schema = JSON.parse(await page.getByLabel('Schema (JSON)').inputValue())
  await page.getByRole('button', { name: 'Rows' }).click()
  await page.setViewportSize({ width: 1200, height: 800 })
  const extracted = await service.post<{ fieldsFound: number }>(`/v1/memories/${memoryId}/extract`, schema)
  assert.deepEqual([extracted.status, extracted.json.fieldsFound], [200, 2])
  const [section] = (schema as { sections: { fields: { key: string }[] }[] }).sections
  assert.deepEqual(
    section?.fields.map(({ key }) => key),
    ['monthly_rent', 'colour_of_the_roof', 'start_date'],
  )

  await page.getByRole('row').filter({ hasText: 'Start date' }).getByRole('button', { name: 'Boat house' }).click()
  await page.locator(OPENED).waitFor()
  assert.match((await page.locator(OPENED).textContent()) ?? '', /1 March 2027/)
  await page.reload()
  await page.locator(OPENED).getByText('1 March 2027').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.locator('.pane').waitFor({ state: 'detached' })
  await page.getByRole('row').filter({ hasText: 'Start date' }).getByRole('button', { name: 'Boat house' }).click()
  await page.locator(OPENED).waitFor()
  await page.goBack()
  await page.locator('.pane').waitFor({ state: 'detached' })
  await page.goForward()
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

browserTest('each chosen document has a row, and the export is safe for spreadsheets', async () => {
  const otherId = await makeMemory(service, 'Invoices')
  await addText(service, otherId, 'Invoice number: A-1\nTotal amount: EUR 1,250.00', { title: '=HYPERLINK("x")' })
  await addText(service, otherId, 'Invoice number: A-2\nTotal amount: EUR 99.50', { title: 'Second, late' })
  await addText(service, otherId, 'Nothing is due.', { title: 'Note' })
  const path = `#/memories/${otherId}/extract`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByRole('button', { name: 'Templates' }).click()
  await page.getByRole('menuitem', { name: 'Invoice' }).click()
  for (const number of [6, 4, 3, 2]) await page.getByRole('button', { name: `Remove field ${number}` }).click()
  await page.getByRole('radio', { name: 'Each document' }).check()
  await page.getByRole('button', { name: 'Extract values' }).click()
  await page.getByRole('alert').getByText('Choose the documents').waitFor()
  await page.getByRole('button', { name: 'Choose documents' }).click()
  await page.getByRole('button', { name: 'Choose all' }).click()
  await assertUsable(page, 'a choice of documents')
  await page.getByRole('button', { name: 'Done' }).click()
  // The schema and the documents survive a reload.
  await page.reload()
  await page.getByRole('button', { name: 'Remove Note' }).waitFor()
  await page.getByRole('button', { name: 'Extract values' }).click()
  await page.getByText('4 of 6 found in 3 documents').waitFor()
  assert.equal(await page.locator('tbody tr').count(), 3)
  assert.equal(await page.locator('.missing').count(), 2)
  await assertUsable(page, 'values of several documents')
  const csv = await downloadFrom(page, 'CSV')
  assert.deepEqual(csv.replace('\ufeff', '').split('\r\n').slice(0, 4), [
    'Document,Invoice number,Total amount',
    'Note,,',
    '"Second, late",A-2,99.5 EUR',
    `"'=HYPERLINK(""x"")",A-1,1250 EUR`,
  ])
  const [, second] = JSON.parse(await downloadFrom(page, 'JSON'))
  assert.deepEqual(second.values.fields.total_amount, { amount: 99.5, currency: 'EUR' })
  await page.getByRole('button', { name: 'A-2' }).click()
  await page.locator(OPENED).getByText('A-2').waitFor()
  await close()
})

browserTest('fields move by dragging and by keyboard, and a pasted schema replaces them', async () => {
  const path = `#/memories/${memoryId}/extract`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByRole('button', { name: 'Templates' }).click()
  await page.getByRole('menuitem', { name: 'Receipt' }).click()
  const labels = async () => Promise.all((await page.locator('.fields input').all()).map((input) => input.inputValue()))
  await page.getByRole('button', { name: 'Move field 1', exact: true }).press('ArrowDown')
  await until(async () => (await labels()).join() === 'Date,Merchant,Total amount,Payment method')
  // The focus stays on the handle that moves.
  await page
    .locator('.handle:focus')
    .and(page.getByRole('button', { name: 'Move field 2', exact: true }))
    .press('ArrowDown')
  await until(async () => (await labels()).join() === 'Date,Total amount,Merchant,Payment method')
  const top = await page.getByRole('button', { name: 'Move field 1', exact: true }).boundingBox()
  await page.getByRole('button', { name: 'Move field 4', exact: true }).hover()
  await page.mouse.down()
  await page.mouse.move((top?.x ?? 0) + 5, (top?.y ?? 0) + 5, { steps: 8 })
  await page.mouse.up()
  await until(async () => (await labels()).join() === 'Payment method,Date,Total amount,Merchant')
  await page.getByRole('button', { name: 'JSON', exact: true }).click()
  const text = page.getByLabel('Schema (JSON)')
  await text.fill('{"sections":[{"id":"s"}]}')
  await page.getByRole('alert').getByText('sections[0] needs').waitFor()
  const field = { key: 'who', label: 'Tenant', data_type: 'text' }
  await text.fill(JSON.stringify({ sections: [{ id: 's', name: 'S', fields: [field] }], context: 'Leases' }))
  await page.getByRole('button', { name: 'Rows' }).click()
  assert.deepEqual(await labels(), ['Tenant'])
  await page.getByRole('button', { name: 'Extract values' }).click()
  await page.getByText('1 of 1 found').waitFor()
  await close()
})

browserTest('a run that a reload ends shows how far it came, and values that do not fit are not stored', async () => {
  const otherId = await makeMemory(service, 'Receipts')
  for (const total of [10, 20, 30]) await addText(service, otherId, `Total: EUR ${total}.00`, { title: `R${total}` })
  const path = `#/memories/${otherId}/extract`
  const { page, close } = await openConsole(browser(), { url: service.url, key: service.bootstrapKey }, { path })
  await page.getByRole('textbox', { name: 'Field 1' }).fill('Total')
  await page.getByRole('radio', { name: 'Each document' }).check()
  await page.getByRole('button', { name: 'Choose documents' }).click()
  await page.getByRole('button', { name: 'Choose all' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  let calls = 0
  await page.route('**/extract', async (route) => {
    calls += 1
    if (calls < 3) await route.continue()
  })
  await page.getByRole('button', { name: 'Extract values' }).click()
  await until(async () => calls === 3)
  await page.reload()
  await page.getByText('2 of 2 found in 2 of 3 documents').waitFor()
  await assertUsable(page, 'values of a part of the documents')

  await page.unroute('**/extract')
  await page.evaluate('Storage.prototype.setItem = () => { throw new Error("The storage is full.") }')
  await page.getByRole('button', { name: 'Extract values' }).click()
  await page.getByText('3 of 3 found in 3 documents').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Extract values' }).waitFor()
  assert.equal(await page.getByRole('region', { name: 'Results' }).count(), 0)
  await close()
})

async function downloadFrom(page: Page, name: string): Promise<string> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name, exact: true }).last().click()
  return readFile(await (await download).path(), 'utf8')
}
