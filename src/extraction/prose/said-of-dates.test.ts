import assert from 'node:assert/strict'
import { test } from 'node:test'
import { value } from '../../../test/support/find-value.ts'
import { wordsOfDates } from './said-of-dates.ts'

const date = { type: 'date' }

test('a span of days in a sentence has a start and an end', () => {
  const course = 'Der Kurs fand in der Zeit vom 12.01.2026 bis 27.03.2026 statt.'
  assert.equal(value('Kursbeginn', course, { ...date, language: 'de' }), '2026-01-12')
  assert.equal(value('Kursende', course, { ...date, language: 'de' }), '2026-03-27')
})

test('a span of a CV is no start of anything else', () => {
  const cv = '# Experience\n\nEngineer at Acme, 2016-06 – 2019-05, Hull'
  assert.equal(value('Available from', cv, date), null)
})

test('a deadline is the day until which something may be done, and a due date is none', () => {
  const stay = 'Free cancellation until 30 July 2026. Lunch is on 31 July 2026.'
  assert.equal(value('Cancellation deadline', stay, date), '2026-07-30')
  assert.equal(value('Payment due date', 'The offer for payment by card stands until 30 July 2026.', date), null)
  assert.equal(
    value('Anmeldefrist', 'Die Anmeldung ist bis zum 3. Mai 2026 möglich.', { ...date, language: 'de' }),
    '2026-05-03',
  )
})

test('texts of nothing but small words take time linear in their length', () => {
  const text = 'until '.repeat(40_000)
  const places = Array.from({ length: 40_000 }, (_, index) => ({ start: 6 * index + 6, end: 6 * index + 7 }))
  assert.ok(wordsOfDates(text, places).length >= 30_000)
})
