import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listPlainNumbers, plainNumber } from './plain-number.ts'

test('a number has one normal form', () => {
  for (const written of ['12500', '12,500', '12\u00a0500', '12\u202f500', '12’500', "12'500", '１２５００', '١٢٥٠٠'])
    assert.equal(plainNumber(written), '12500', written)
  assert.equal(plainNumber('07'), '7')
  assert.equal(plainNumber('00.5'), '0.5')
  assert.equal(plainNumber('01.02.2026'), '1.2.2026')
  assert.equal(plainNumber('2026/0417'), plainNumber('2026-0417'))
  assert.equal(plainNumber('12–14'), '12-14')
})

test('different numbers have different normal forms', () => {
  const numbers = ['4.2', '4.02', '42', '4,2', '4-2', '1', '10', '0']
  assert.equal(new Set(numbers.map(plainNumber)).size, numbers.length)
})

test('numbers include inner separators, but no trailing marks', () => {
  assert.deepEqual(listPlainNumbers('Version 4.2.1, lot 12,500. Room 07/08: ３７０８!'), [
    '4.2.1',
    '12500',
    '7-8',
    '3708',
  ])
  assert.deepEqual(listPlainNumbers('5\u00a030 seats, no number: –'), ['5', '30'])
})
