import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { value } from '../../../test/support/find-value.ts'
import { runSync } from '../../concurrency/event-loop-yield.ts'
import { createFieldFinder } from '../find-field.ts'
import { readTable } from './read-tables.ts'
import type { Line } from './split-cells.ts'

test('reads rows below an empty Markdown header as labels and values', () => {
  const policy = '| | |\n|---|---|\n| Policy number | WM-66-20417 |\n| Policyholder | Hannah Brightwell |'
  assert.equal(value('Policy number', policy), 'WM-66-20417')
  assert.equal(value('Policyholder', policy), 'Hannah Brightwell')
})

test('reads digits in a header as years, in any script', () => {
  const table = '| Товар | Выручка 2025 | Выручка 2024 |\n|---|---|---|\n| Чай | 120 | 130 |\n| Кофе | 200 | 210 |'
  assert.deepEqual(value('Товар', table, { type: 'list', language: 'ru' }), ['Чай', 'Кофе'])
})

test('skips the separator line of a CSV file', () => {
  const file = 'sep=;\r\nCustomer;Due date;Amount\nMeyer GmbH;01.03.2026;5\n'
  assert.equal(value('Customer', file), 'Meyer GmbH')
  assert.equal(value('Due date', file, { type: 'date' }), '2026-03-01')
})

test('reads a column of a complete table as a list, without totals', () => {
  const note =
    'Item      Description          Ordered    Delivered\n1021      Oak board 2.4 m      30         30\n1044      Pine batten 3 m      100        80\n\nTotal packages: 3'
  const list = { type: 'list' }
  assert.deepEqual(value('Items', note, list), ['Oak board 2.4 m', 'Pine batten 3 m'])
  assert.deepEqual(value('Delivered', note, list), ['30', '80'])
  assert.equal(value('Pine batten delivered', note, { type: 'integer' }), 80)
  assert.equal(value('Description', note), null)
  const sums =
    'Article     Qty    Amount\nRope        4      152.00\nJacket      10     549.00\nTotal       14     701.00\n\nThanks.'
  assert.deepEqual(value('Articles', sums, list), ['Rope', 'Jacket'])
  const tours =
    '| Tour | Price |\n|---|---|\n| Harbour | 20.00 |\n| Taxi | 30.00 |\n| Ivan the Great | 15.00 |\n| MwSt. | 6.50 |'
  assert.deepEqual(value('Tours', tours, list), ['Harbour', 'Taxi', 'Ivan the Great'])
  const cut = `${'Words of a note that stands above the table. '.repeat(15)}\n\nArticle     Qty    Amount\nRope        4      152.00\nJacket      10     549.00`
  assert.equal(value('Articles', cut, list), null)
})

test('finds a cell by any row name and its column, never by column alone', () => {
  const list =
    '| Article no. | Product | Weight (kg) | Price | In stock |\n| --- | --- | --- | --- | --- |\n' +
    '| 1001 | Hiking boot Alta | 1.2 | 129.00 € | yes |\n| 1002 | Trail shoe Brisa | 0.7 | 99.50 € | no |'
  assert.deepEqual(value('Price of the trail shoe', list, { type: 'currency' }), { amount: 99.5, currency: 'EUR' })
  assert.equal(value('Weight of the hiking boot (kg)', list, { type: 'number' }), 1.2)
  assert.equal(value('Is the trail shoe in stock', list, { type: 'boolean' }), false)
  assert.equal(value('Article number of Hiking boot Alta', list), '1001')
  for (const label of ['Price', 'Price of the sandal', 'Product price'])
    assert.equal(value(label, list, { type: 'currency' }), null, label)
  const csv = 'order_id,customer,sku,description,qty\nA-1001,Linde,KX-20,Desk lamp,12\nA-1002,Bodega,KX-31,Wall clock,3'
  assert.equal(value('Quantity of wall clocks', csv, { type: 'integer' }), 3)
  assert.equal(value('Customer of order A-1002', csv), 'Bodega')
  assert.equal(value('Customer of order 1009', csv.replaceAll('A-', 'Order ')), null)
})

test('ignores cells of other columns', () => {
  const list = 'Item          Weight     Pages\nAtlas         2.10       320\nPrimer        0.40       96'
  assert.equal(value('Price of the atlas', list, { type: 'currency' }), null)
})

test('knows that a continued table has more rows', () => {
  const passage = { section: null, title: null, isFirst: false, isCorrection: false }
  const rest = { ...passage, text: 'Clock,2026-02-09,40', header: 'item,order date,quantity' }
  const field = { key: 'date', dataType: 'date', sectionName: '', context: null }
  const dateOf = (label: string) => runSync(createFieldFinder(['en']).find({ ...field, label }, [rest]))?.value ?? null
  assert.deepEqual([dateOf('Order date'), dateOf('Order date of the clock')], [null, '2026-02-09'])
})

test('assigns adjacent labels to the blocks below', () => {
  const invoice =
    'Bill To:                     Ship To:\nMaple Dental LLC             Harbor Clinic\n410 Elm St                   Dock 2'
  assert.equal(value('Bill to', invoice), 'Maple Dental LLC')
  assert.equal(value('Ship to', invoice), 'Harbor Clinic')
  assert.equal(value('Customer', invoice), 'Maple Dental LLC')
  const form = 'Name:               Date:\nAda Lind            3 May 2026'
  assert.equal(value('Name', form), 'Ada Lind')
  assert.equal(value('Date', form, { type: 'date' }), '2026-05-03')
  assert.equal(value('Name', 'Name:               Date:\n\nWe thank you for your visit.'), null)
  assert.equal(value('Lieferung an', 'Rechnung an:       Lieferung an:\nAlster GmbH        Hafen Depot'), 'Hafen Depot')
})

test('reads CSV rows as cells, not sentences', () => {
  const csv = 'id,name,order date,shipped\nA-1,Desk lamp,2026-02-03,yes\nA-2,Wall clock,2026-02-05,no'
  assert.equal(value('Delivery date', csv, { type: 'date' }), null)
})

test('reads party labels with and without a colon, and white-space cells in linear time', {
  timeout: 20_000,
}, async () => {
  const rowOf = (...texts: string[]): Line => {
    const cells = texts.map((text, index) => ({ text, start: 20_000 * index, end: 20_000 * index + text.length }))
    return { text: texts.join('  '), start: 0, end: 40_000, cells }
  }
  const blocks = (...head: string[]) =>
    readTable([rowOf('Ada Lind', 'Harbor Clinic'), rowOf('Elm St', 'Dock')], rowOf(...head))
  const wide = '\u00a0'.repeat(500)
  for (const end of ['', ':', ' :', '： ', `${wide}:${wide}`]) {
    const labels = blocks(`Bill to${end}`, 'Ship to').map(({ label }) => label)
    assert.deepEqual(labels, [], end)
  }
  // A thousand times the time of a cell with 500 spaces, if white space, colon and white space were
  // one pattern.
  assert.ok(blocks(`Bill${'\u00a0'.repeat(5000)}to`, 'Ship to').length > 0)
  // The test is late where its clock says so before it ends.
  await nextTurn()
})
