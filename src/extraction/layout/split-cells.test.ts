import assert from 'node:assert/strict'
import { test } from 'node:test'
import { value } from '../../../test/support/find-value.ts'
import { splitCells } from './split-cells.ts'

const cellsOf = (text: string) => splitCells(text).flatMap(({ cells }) => cells.map((cell) => cell.text))

test('several labels on a line are cells of their own, each with its value', () => {
  assert.deepEqual(cellsOf('Berth fee: £30. Mooring fee: £18. Towing is free.'), [
    'Berth fee: £30',
    'Mooring fee: £18. Towing is free.',
  ])
  assert.deepEqual(cellsOf('Miete: 850 €; Kaution: 1.700 €, Stellplatz: 60 €'), [
    'Miete: 850 €',
    'Kaution: 1.700 €',
    'Stellplatz: 60 €',
  ])
  assert.deepEqual(cellsOf('租金：850元。押金：1700元。'), ['租金：850元', '押金：1700元。'])
})

test('each label of a line gives its own value to a field', () => {
  const texts = [
    'Berth fee: £30. Mooring fee: £18. Towing fee: £55.',
    'Berth fee: £30; Mooring fee: £18; Towing fee: £55',
    'Berth fee: £30, mooring fee: £18, towing fee: £55.',
    'Marina prices. Berth fee: £30. Mooring fee: £18. Towing fee: £55. Wi-Fi is free.',
  ]
  for (const text of texts) {
    const amounts = ['Berth fee', 'Mooring fee', 'Towing fee'].map((label) => value(label, text, { type: 'currency' }))
    assert.deepEqual(
      amounts,
      [30, 18, 55].map((amount) => ({ amount, currency: 'GBP' })),
      text,
    )
  }
})

test('values with commas, times and further sentences stay whole', () => {
  for (const text of [
    'Address: Quay House, 5 Harbour Lane, Leeds',
    'Open: Monday to Friday, 9:00 to 17:00',
    'Remark: bring boots, gloves and, in winter: a torch',
    'Contact: Mr. Tern, phone no. 5',
  ])
    assert.deepEqual(cellsOf(text), [text])
})
