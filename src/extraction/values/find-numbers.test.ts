import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDecimalMark, findIntegers, findNumbers, findPercents } from './find-numbers.ts'
import { readConventions } from './read-conventions.ts'

const ENGLISH = readConventions('', 'en')
const GERMAN = { ...ENGLISH, decimalMark: ',' } as const

function values(found: readonly { value: unknown }[]): unknown[] {
  return found.map(({ value }) => value)
}

test('distinguishes thousands and decimal marks in any language', () => {
  for (const text of ['1,234.5', '1.234,5', '1 234.5', "1'234,5", '1\u202f234,5']) {
    assert.deepEqual(values(findNumbers(text, ENGLISH)), [1234.5], text)
  }
  assert.deepEqual(values(findNumbers('1,234,567', ENGLISH)), [1234567])
})

test('reads an ambiguous mark as the document does', () => {
  assert.deepEqual(values(findNumbers('1.234 and 1,234', ENGLISH)), [1.234, 1234])
  assert.deepEqual(values(findNumbers('1.234 and 1,234', GERMAN)), [1234, 1.234])
  assert.equal(findDecimalMark('8.450,00 und 74,5'), ',')
  assert.equal(findDecimalMark('8,450.00'), '.')
  assert.equal(findDecimalMark('1,234'), null)
})

test('reads lakhs and crores', () => {
  const found = findNumbers('12,50,000.00 and 1,23,45,678, 1,20,000 or -2,00,000', ENGLISH)
  assert.deepEqual(values(found), [1250000, 12345678, 120000, -200000])
  assert.deepEqual(values(findNumbers('12,50,000', GERMAN)), [1250000])
  assert.deepEqual(values(findNumbers('(12,50,000)', ENGLISH)), [-1250000])
  assert.equal(findDecimalMark('12,50,000'), null)
})

test('reads brackets as negative in accounts, but not after the number word', () => {
  assert.deepEqual(values(findNumbers('(1,200)', ENGLISH)), [-1200])
  assert.deepEqual(values(findNumbers('ninety (90) days', ENGLISH)), [90])
  assert.deepEqual(values(findNumbers('-3.5', ENGLISH)), [-3.5])
})

test('applies scale words', () => {
  assert.deepEqual(values(findNumbers('3 million parcels, 1,5 Mio. Stück', ENGLISH)), [3e6, 1.5e6])
})

test('ignores parts of codes and words', () => {
  assert.deepEqual(values(findNumbers('HP-2026-0117 A4 3D #17 14:35', ENGLISH)), [])
})

test('reads small numbers in words, and skips fractions and percentages', () => {
  assert.deepEqual(values(findIntegers('six months, 2.5 days, 20 %, 31,480 pieces', ENGLISH)), [6, 31480])
})

test('returns percentages in percent', () => {
  assert.deepEqual(
    values(findPercents('VAT (20%), 1.5 percent, 19 % MwSt., 2,5 Prozent, -3%', ENGLISH)),
    [20, 1.5, 19, 2.5, -3],
  )
})

test('reads numbers in unspaced text, but not in dates or ordinals', () => {
  assert.deepEqual(values(findIntegers('共1,200件', ENGLISH)), [1200])
  assert.deepEqual(values(findIntegers('수량 30개', ENGLISH)), [30])
  assert.deepEqual(values(findNumbers('人口3.5万人', ENGLISH)), [35000])
  assert.deepEqual(values(findPercents('税率13%', ENGLISH)), [13])
  for (const text of ['2024年9月12日', '第5条', '2万5000人', '14時30分', 'A5判', '2024년 3월'])
    assert.deepEqual(values(findNumbers(text, ENGLISH)), [], text)
})

test('ignores Korean and Chinese numerals that start the next word or line', () => {
  assert.deepEqual(values(findIntegers('수량: 5 만기일: 내일', ENGLISH)), [5])
  assert.deepEqual(values(findIntegers('数量 5\n万科', ENGLISH)), [5])
  assert.deepEqual(values(findIntegers('예산 5만 원, 10 万', ENGLISH)), [50000, 100000])
})
