import assert from 'node:assert/strict'
import { test } from 'node:test'
import { value } from '../../../test/support/find-value.ts'
import { readDateRoles } from './typed-candidates.ts'

test('finds values in sentences by the words nearby', () => {
  const lease =
    'The tenancy begins on 1 February 2026 and ends on 31 January 2027. The Tenant pays a deposit of £1,725 and a late charge of £25. Pets are not allowed.'
  assert.equal(value('Start date', lease, { type: 'date' }), '2026-02-01')
  assert.equal(value('End date', lease, { type: 'date' }), '2027-01-31')
  assert.deepEqual(value('Deposit', lease, { type: 'currency' }), { amount: 1725, currency: 'GBP' })
  assert.deepEqual(value('Late charge', lease, { type: 'currency' }), { amount: 25, currency: 'GBP' })
  assert.equal(value('Pets allowed', lease, { type: 'boolean' }), false)
})

test('keeps form lines separate', () => {
  assert.equal(value('Order date', 'Due date: 31 March 2026\nPurchase order: PO 88', { type: 'date' }), null)
  assert.equal(value('Net total', 'Terms        Net 30\nPlace        Leeds', { type: 'number' }), null)
})

test('leaves a field open if two sentences disagree', () => {
  const text = 'Party A may end it with a notice of 30 days. Party B may end it with a notice of 60 days.'
  assert.equal(value('Notice (days)', text, { type: 'integer' }), null)
})

test('prefers numbers with the asked unit', () => {
  const text = 'Body weight was noted, and 80 of the animals were weighed again.'
  assert.equal(value('Body weight (kg)', text, { type: 'number' }), null)
  assert.equal(value('Body weight (kg)', 'The body weight was 80 kg.', { type: 'number' }), 80)
})

test('starts a label after the previous sentence, and excludes parts of dates and telephone numbers', () => {
  const text = 'Claims must be reported within 45 days. Claims line: 0800 555 0133'
  assert.equal(value('Claims line', text, { type: 'phone' }), '08005550133')
  assert.equal(value('Claims reported', text), null)
  assert.equal(value('Claims line', text, { type: 'integer' }), null)
  assert.deepEqual(value('Total incl. VAT', 'Total incl. VAT: £20', { type: 'currency' }), {
    amount: 20,
    currency: 'GBP',
  })
})

test('reads due periods from payment terms', () => {
  const cases: [label: string, text: string, expected: number | null, language?: string][] = [
    ['Payment terms (days)', 'Please pay within 30 days to account 88120031.', 30],
    ['Payment period (days)', 'The balance must be paid within 45 days of booking.', 45],
    ['Payment due within', 'Payment is due within 45 days. Late payments are charged 1.5% per month.', 45],
    ['Zahlungsfrist (Tage)', 'Zahlbar innerhalb von 14 Tagen.', 14, 'de'],
    ['Délai de paiement (jours)', 'Paiement à 30 jours par virement.', 30, 'fr'],
    ['Payment terms (days)', 'You have 28 days of paid holiday.', null],
  ]
  for (const [label, text, expected, language] of cases)
    assert.equal(
      value(label, text, { type: 'integer', ...(language === undefined ? {} : { language }) }),
      expected,
      text,
    )
})

test('assigns a number to the noun directly after it', () => {
  const flat = 'Vermietet wird die Wohnung mit 3 Zimmern und 78 m² Wohnfläche.'
  assert.equal(value('Zimmer', flat, { type: 'integer', language: 'de' }), 3)
  assert.equal(value('Number of adults', 'Room: double\nGuests: 2 adults, 1 child', { type: 'integer' }), 2)
  assert.equal(value('Number of dogs', 'Room: double\nGuests: 2 adults, 1 child', { type: 'integer' }), null)
})

test('finds words inside unspaced text', () => {
  const text = '第三条 月租金为人民币4,500元，押金为人民币9,000元。'
  const amounts = ['月租金', '押金', '违约金'].map((label) => value(label, text, { type: 'currency', language: 'zh' }))
  assert.deepEqual(amounts, [{ amount: 4500, currency: 'CNY' }, { amount: 9000, currency: 'CNY' }, null])
})

test('distinguishes discount periods from payment terms', () => {
  const terms = 'Zahlbar innerhalb von 14 Tagen ohne Abzug. Bei Zahlung innerhalb von 7 Tagen gewähren wir 2 % Skonto.'
  assert.equal(value('Zahlungsfrist (Tage)', terms, { type: 'integer', language: 'de' }), 14)
  assert.equal(value('Skonto', terms, { type: 'percent', language: 'de' }), 2)
})

test('names a measure by the word before, except in a row of cells', () => {
  const findings = 'Befund: Gewicht 104 kg, Größe 178 cm, BMI 32,8.'
  assert.equal(value('Gewicht (kg)', findings, { type: 'number', language: 'de' }), 104)
  assert.equal(value('BMI', findings, { type: 'number', language: 'de' }), 32.8)
  const rows =
    'Art.-Nr.   Bezeichnung          Menge\n4410       KVH Fichte           48\n7703       OSB-Platte 18 mm     35'
  assert.equal(value('Menge OSB-Platte', rows, { type: 'integer', language: 'de' }), 35)
})

const date = { type: 'date' }

test('reads start and end of a date range in a sentence', () => {
  const course = 'Der Kurs fand in der Zeit vom 12.01.2026 bis 27.03.2026 statt.'
  assert.equal(value('Kursbeginn', course, { ...date, language: 'de' }), '2026-01-12')
  assert.equal(value('Kursende', course, { ...date, language: 'de' }), '2026-03-27')
})

test('ignores date ranges of a CV as start dates', () => {
  const cv = '# Experience\n\nEngineer at Acme, 2016-06 – 2019-05, Hull'
  assert.equal(value('Available from', cv, date), null)
})

test('distinguishes deadlines from due dates', () => {
  const stay = 'Free cancellation until 30 July 2026. Lunch is on 31 July 2026.'
  assert.equal(value('Cancellation deadline', stay, date), '2026-07-30')
  assert.equal(value('Payment due date', 'The offer for payment by card stands until 30 July 2026.', date), null)
  assert.equal(
    value('Anmeldefrist', 'Die Anmeldung ist bis zum 3. Mai 2026 möglich.', { ...date, language: 'de' }),
    '2026-05-03',
  )
})

test('reads texts of only small words in linear time', () => {
  const text = 'until '.repeat(40_000)
  const places = Array.from({ length: 40_000 }, (_, index) => ({ start: 6 * index + 6, end: 6 * index + 7 }))
  assert.ok(readDateRoles(text, places).length >= 30_000)
})
