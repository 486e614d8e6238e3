import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CALENDARS } from '../languages/calendars.ts'
import { createAnalyzer } from './analyzer.ts'
import { listAskedPeriods, listPeriodTerms, sharePeriods } from './find-periods.ts'

function read(text: string, language = 'en'): string[] {
  return listAskedPeriods(text, language).map(({ values }) => values.join(' '))
}

test('reads a day in any form', () => {
  const forms: [text: string, language: string][] = [
    ['21 March 2026', 'en'],
    ['March 21st, 2026', 'en'],
    ['2026-03-21T22:47Z', 'en'],
    ['3/21/26', 'en'],
    ['21-Mar-26', 'en'],
    ['21.03.2026', 'de'],
    ['21. März 2026', 'de'],
    ['21 mars 2026', 'en'],
    ['21 de març de 2026', 'ca'],
    ['21. maaliskuuta 2026', 'fi'],
    ['2026. március 21.', 'hu'],
    ['2026 m. kovo 21 d.', 'lt'],
    ['ngày 21 tháng 3 năm 2026', 'vi'],
    ['21 มีนาคม 2569', 'th'],
    ['٢١ مارس ٢٠٢٦', 'ar'],
    ['21 במרץ 2026', 'he'],
    ['2026年3月21日', 'ja'],
    ['２０２６年３月２１日', 'ja'],
    ['二〇二六年三月二十一日', 'zh'],
    ['2026년 3월 21일', 'ko'],
  ]
  for (const [text, language] of forms) assert.deepEqual(read(text, language), ['2026-03-21'], text)
})

test('reads a quarter in any form', () => {
  const forms = [
    'Q4 2025, 2025-Q4, 2025Q4, 4Q25, Q4/25, fourth quarter of 2025, 4. Quartal 2025, im vierten Quartal 2025, viertes Quartal 2025',
    '4e trimestre 2025, T4 2025, cuarto trimestre de 2025, 4º trimestre de 2025, IV квартал 2025 года',
    'в четвёртом квартале 2025 года, w czwartym kwartale 2025, quý IV/2025, ไตรมาส 4 ปี 2568',
    '2025. negyedik negyedév, 2025 yılının dördüncü çeyreği',
    '2025年第四四半期、2025年第4四半期、2025年四季度、2025년 4분기',
  ]
  for (const form of forms.flatMap((line) => line.split(/, |、/))) assert.deepEqual(read(form, 'xx'), ['2025-q4'], form)
  assert.deepEqual(read('the fourth quarter, 第四四半期, Q4'), ['--q4', '--q4', '--q4'])
})

test('reads halves and weeks of a year', () => {
  assert.deepEqual(read('H1 2026; first half of 2026; 1. Halbjahr 2026'), ['2026-h1', '2026-h1', '2026-h1'])
  assert.deepEqual(read('KW 12/2026; week 12 of 2026; 2026-W12'), ['2026-w12', '2026-w12', '2026-w12'])
})

test('reads an ambiguous date both ways unless the text or its language decides', () => {
  assert.deepEqual(read('3/4/2026'), ['2026-04-03 2026-03-04'])
  assert.deepEqual(read('3/4/2026, 3/21/2026'), ['2026-03-04', '2026-03-21'])
  assert.deepEqual(read('3/4/2026', 'fr'), ['2026-04-03'])
})

test('reads months by the language of the text first', () => {
  assert.deepEqual(read('3. listopada 2026', 'hr'), ['2026-10-03'])
  assert.deepEqual(read('3 listopada 2026', 'pl'), ['2026-11-03'])
  assert.deepEqual(read('sold out 2026, a set 2026'), [])
})

test('knows the twelve months of every language with names of months', () => {
  for (const [language, { monthNames }] of Object.entries(CALENDARS)) {
    const names = monthNames?.split(',').map((forms) => forms.trim().split(/\s+/)[0] ?? '') ?? []
    assert.ok(names.length === 0 || names.length === 12, language)
    for (const [index, name] of names.entries()) {
      const month = String(index + 1).padStart(2, '0')
      if (name !== '') assert.deepEqual(read(`5 ${name} 2026`, language), [`2026-${month}-05`], `${language} ${name}`)
    }
  }
})

test('reads no period from other words and numbers', () => {
  assert.deepEqual(read('three quarters of users, quarterback 4, H2O, Room 2026, week 99 of 2026, the first half'), [])
})

test('indexes a day with its month and as the day of any year', () => {
  assert.deepEqual(listPeriodTerms('21 March 2026', 'en'), ['2026-03-21', '2026-03', '*-03-21'])
  assert.deepEqual(listPeriodTerms('on 21 March', 'en'), ['--03-21'])
  assert.deepEqual(listPeriodTerms('Q4 2025', 'en'), ['2025-q4', '*-q4'])
})

test('shares a period with texts of another form, and half with texts without the year', () => {
  const share = (query: string, text: string) =>
    sharePeriods(listAskedPeriods(query, 'en'), new Set(listPeriodTerms(text, 'en')))
  assert.equal(share('21 March 2026', 'since 2026-03-21'), 1)
  assert.equal(share('21 March 2026', 'since March 21'), 0.5)
  assert.equal(share('21 March', 'since 2026-03-21'), 1)
  assert.equal(share('March 2026', 'since 2026-03-21'), 1)
  assert.equal(share('21 March 2026', 'since 4 March 2026'), 0)
  assert.equal(share('Q4', 'fourth quarter of 2025'), 1)
  assert.equal(share('Q4 2025', 'fourth quarter of 2024'), 0)
  assert.equal(share('no date', 'since 2026-03-21'), 0)
})

test('finds a date of a query in another form, with its place', () => {
  const analyzer = createAnalyzer()
  const { terms, forms, languages } = analyzer.queryTerms('21 March 2026', ['en'])
  const text = 'Since 3/21/26 it is closed.'
  const marked = analyzer
    .findTerms(text, [...terms, ...forms], languages)
    .map(({ start, end }) => text.slice(start, end))
  assert.ok(marked.includes('3/21/26'))
})
