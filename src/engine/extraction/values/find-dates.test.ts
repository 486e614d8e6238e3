import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDateOrder, findDates } from './find-dates.ts'

function dates(text: string, dateOrder: 'dmy' | 'mdy' = 'dmy'): unknown[] {
  return findDates(text, { dateOrder }).map(({ value }) => value)
}

test('dates of many forms and languages become ISO 8601', () => {
  const first = [
    '1 March 2026',
    '1st of March, 2026',
    'March 1, 2026',
    '01.03.2026',
    '1. März 2026',
    '1er mars 2026',
    '1 de marzo de 2026',
    '3 марта 2026'.replace('3', '1'),
    '2026-03-01',
    '2026/03/01',
    '2026-03-01T08:30:00Z',
    '2026年3月1日',
    '1-Mar-2026',
    '01/03/26',
  ]
  for (const text of first) assert.deepEqual(dates(text), ['2026-03-01'], text)
})

test('a month without a day stays a month', () => {
  assert.deepEqual(dates('August 2026, 09/2019 and März 2025'), ['2026-08', '2019-09', '2025-03'])
})

test('what both orders allow is read in the one given, and full stops always put the day first', () => {
  assert.deepEqual(dates('03/01/2026 or 03.01.2026', 'dmy'), ['2026-01-03', '2026-01-03'])
  assert.deepEqual(dates('03/01/2026 or 03.01.2026', 'mdy'), ['2026-03-01', '2026-01-03'])
  assert.deepEqual(dates('03/14/2026', 'dmy'), ['2026-03-14'])
  assert.deepEqual(dates('22/09/2025', 'mdy'), ['2025-09-22'])
})

test('the order is proven by a date that only one of them allows, and by no contradicting ones', () => {
  assert.equal(findDateOrder('03/01/2026 and 03/14/2026'), 'mdy')
  assert.equal(findDateOrder('03/01/2026 and 22/09/2025'), 'dmy')
  assert.equal(findDateOrder('03/14/2026 and 22/09/2025'), null)
  assert.equal(findDateOrder('03/01/2026'), null)
})

test('a span is the date as it is written', () => {
  const text = 'made on 1 March 2026.'
  const [date] = findDates(text, { dateOrder: 'dmy' })
  assert.equal(text.slice(date?.start, date?.end), '1 March 2026')
})

test('days that no month has, part numbers, versions and words are no dates', () => {
  assert.deepEqual(dates('31 February 2026, 30.02.2026, HP-2026-0117, 1.2.3, Room 2026, 28 April, IR-2026-041'), [])
})
