import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDateOrder, findDates } from './find-dates.ts'

function dates(text: string, dateOrder: 'dmy' | 'mdy' = 'dmy'): unknown[] {
  return findDates(text, { dateOrder }).map(({ value }) => value)
}

test('normalizes dates of many formats and languages to ISO 8601', () => {
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

test('knows month names of many languages', () => {
  const march = ['5. března 2026', '5. marts 2026', '5 Mart 2026', '5 मार्च 2026', '5 березня 2026', '5 martie 2026']
  for (const text of march) assert.deepEqual(dates(text), ['2026-03-05'], text)
  assert.deepEqual(dates('1 Ocak 2026, 3 Ağustos 2026, 9 Kasım 2026'), ['2026-01-01', '2026-08-03', '2026-11-09'])
  assert.deepEqual(dates('1. juni 2026, 1. oktober 2026, 1 desember 2026'), ['2026-06-01', '2026-10-01', '2026-12-01'])
  assert.deepEqual(dates('15. listopadu 2026 je 15 listopada 2026'), ['2026-11-15', '2026-11-15'])
  assert.deepEqual(dates('15 अगस्त 2026, 1 सितंबर 2026 या 1 सितम्बर 2026, 2 मई 2026'), [
    '2026-08-15',
    '2026-09-01',
    '2026-09-01',
    '2026-05-02',
  ])
})

test('reads East Asian dates and Japanese eras', () => {
  assert.deepEqual(dates('2026년 3월 5일부터'), ['2026-03-05'])
  assert.deepEqual(dates('2026년3월'), ['2026-03'])
  assert.deepEqual(dates('令和8年4月1日、令和元年5月1日、平成31年4月、昭和64年1月7日'), [
    '2026-04-01',
    '2019-05-01',
    '2019-04',
    '1989-01-07',
  ])
  assert.deepEqual(dates('签订于2026 年 3 月 5 日'), ['2026-03-05'])
  assert.deepEqual(dates('8年4月1日、令和100000年1月1日、令和8年13月1日'), [])
})

test('keeps a month without a day', () => {
  assert.deepEqual(dates('August 2026, 09/2019 and März 2025'), ['2026-08', '2019-09', '2025-03'])
})

test('applies the given order to ambiguous dates; full stops mean day first', () => {
  assert.deepEqual(dates('03/01/2026 or 03.01.2026', 'dmy'), ['2026-01-03', '2026-01-03'])
  assert.deepEqual(dates('03/01/2026 or 03.01.2026', 'mdy'), ['2026-03-01', '2026-01-03'])
  assert.deepEqual(dates('03/14/2026', 'dmy'), ['2026-03-14'])
  assert.deepEqual(dates('22/09/2025', 'mdy'), ['2025-09-22'])
})

test('infers the order from unambiguous dates that agree', () => {
  assert.equal(findDateOrder('03/01/2026 and 03/14/2026'), 'mdy')
  assert.equal(findDateOrder('03/01/2026 and 22/09/2025'), 'dmy')
  assert.equal(findDateOrder('03/14/2026 and 22/09/2025'), null)
  assert.equal(findDateOrder('03/01/2026'), null)
})

test('returns the range as written', () => {
  const text = 'made on 1 March 2026.'
  const [date] = findDates(text, { dateOrder: 'dmy' })
  assert.equal(text.slice(date?.start, date?.end), '1 March 2026')
})

test('rejects impossible days, part numbers, versions and words', () => {
  assert.deepEqual(dates('31 February 2026, 30.02.2026, HP-2026-0117, 1.2.3, Room 2026, 28 April, IR-2026-041'), [])
})
