import assert from 'node:assert/strict'
import test from 'node:test'
import { areEditions, compareAge, findEditions } from './editions.ts'

test('alike sentences with other values are editions', () => {
  for (const [one, other] of [
    ['Probation lasts three months.', 'Probation lasts six months.'],
    ['Refunds are paid within thirty days.', 'From March 2026 refunds are paid within fourteen days.'],
    ['Rękawice kosztują 4 zł.', 'Rękawice kosztują 6 zł.'],
    ['La cuota fija es de 4,10 € al mes.', 'La cuota fija es de 5,35 € al mes.'],
  ] as const) {
    assert.equal(areEditions(one, other, 'How long is it?'), true, other)
  }
})

test('siblings and equal sentences are no editions', () => {
  for (const [one, other] of [
    ['The shop in Hull opens at nine.', 'The shop in Leeds opens at ten.'],
    ['Probation lasts three months.', 'Probation lasts three months.'],
    ['Probation lasts three months.', 'Parking costs four euros.'],
  ] as const) {
    assert.equal(areEditions(one, other, 'When does it open?'), false, other)
  }
  const quarters = ['Sales in the first quarter were 5 tons.', 'Sales in the second quarter were 7 tons.'] as const
  assert.equal(areEditions(...quarters, 'What were the sales in the first quarter?'), false)
})

test('the newer edition has the later date in title, text or time', () => {
  const plain = { text: '', title: null, passage: '', createdAt: null }
  assert.ok(compareAge({ ...plain, title: 'Handbook 2025' }, { ...plain, title: 'Handbook 2023' }) > 0)
  assert.ok(compareAge({ ...plain, passage: 'From March 2026 refunds …' }, plain) > 0)
  const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']
  assert.ok(compareAge({ ...plain, createdAt: early }, { ...plain, createdAt: late }) < 0)
  assert.equal(compareAge(plain, plain), 0)
})

test('documents whose titles differ in a name are siblings', () => {
  const sentence = (title: string, text: string) => ({ title, text, passage: text, createdAt: null, document: title })
  const [short, long] = ['Probation lasts three months.', 'Probation lasts six months.'] as const
  const find = (one: string, other: string) => findEditions(sentence(one, short), [sentence(other, long)], 'Probation?')
  assert.equal(find('Handbook Hull', 'Handbook Leeds'), null)
  assert.equal(find('Report quarter 1 2026', 'Report quarter 2 2026'), null)
  assert.equal(find('Policy, version 3 (2024)', 'Policy, version 4 (2026)')?.newer.text, long)
  assert.equal(find('Handbook 2025', 'Handbook 2023')?.newer.text, short)
  assert.equal(find('Letter of 9 March 2026', 'Letter of 2 April 2026')?.older.text, short)
})
