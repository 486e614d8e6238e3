import assert from 'node:assert/strict'
import { test } from 'node:test'
import { value } from '../../../../test/support/find-value.ts'

test('the rows below an empty head of Markdown are labels and values, the first as well', () => {
  const policy = '| | |\n|---|---|\n| Policy number | WM-66-20417 |\n| Policyholder | Hannah Brightwell |'
  assert.equal(value('Policy number', policy), 'WM-66-20417')
  assert.equal(value('Policyholder', policy), 'Hannah Brightwell')
})

test('figures in the head of a table tell years, in whatever letters', () => {
  const table = '| Товар | Выручка 2025 | Выручка 2024 |\n|---|---|---|\n| Чай | 120 | 130 |\n| Кофе | 200 | 210 |'
  assert.deepEqual(value('Товар', table, { type: 'list', language: 'ru' }), ['Чай', 'Кофе'])
})

test('a column is a list where its table is whole, without the rows of sums', () => {
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
