import assert from 'node:assert/strict'
import { test } from 'node:test'
import { value } from '../../test/support/find-value.ts'
import { createWordReader } from './label-words.ts'
import { scoreLabel } from './score-label.ts'

const words = createWordReader(['en', 'de', 'fr'])

function score(asked: string, label: string, { contextWords = '', contextKeys = [] as string[] } = {}): number {
  return scoreLabel(words.read(asked), {
    words: words.read(label),
    contextWords: words.read(contextWords),
    contextKeys: new Set(contextKeys),
  })
}

test('scores synonyms, translations and compounds high', () => {
  const pairs = [
    ['Invoice number', 'Invoice No.'],
    ['Invoice number', 'Invoice #'],
    ['Invoice number', 'Rechnungsnummer'],
    ['Rechnungsnummer', 'Rechnung Nr.'],
    ['Customer', 'Bill to'],
    ['Due date', 'Zahlbar bis'],
    ['Total amount due', 'Total'],
    ['Date of birth', 'Geburtsdatum'],
    ['VAT', 'MwSt.'],
    ['Order date', 'orderDate'],
    ['Order date', 'order_date'],
  ] as const
  for (const [asked, label] of pairs)
    assert.ok(score(asked, label) >= 0.7, `${asked} ~ ${label}: ${score(asked, label)}`)
})

test('scores labels with a shared word but another meaning low', () => {
  const pairs = [
    ['Invoice date', 'Due date'],
    ['Total', 'Subtotal'],
    ['Start date', 'End date'],
    ['Customer', 'Customer number'],
    ['Signature date', 'Date'],
    ['Setup fee', 'Late fee'],
    ['Supplier name', 'Customer name'],
    ['Phone', 'Fax'],
  ] as const
  for (const [asked, label] of pairs)
    assert.ok(score(asked, label) < 0.6, `${asked} ~ ${label}: ${score(asked, label)}`)
})

test('scores opposites zero', () => {
  assert.equal(score('Contract start date', 'Contract end date'), 0)
  assert.equal(score('Invoice total', 'Invoice subtotal'), 0)
})

test('counts words of title and section', () => {
  assert.ok(score('Invoice date', 'Date') < 0.6)
  assert.ok(score('Invoice date', 'Date', { contextKeys: ['invoice'] }) >= 0.65)
  assert.ok(score('Delivery date', 'Invoice date', { contextKeys: ['shipping', 'invoice'] }) < 0.6)
})

test('matches a cell by row and column together', () => {
  assert.ok(
    score('Natural gas cost', 'Natural gas', { contextWords: 'Cost' }) > score('Natural gas cost', 'Natural gas'),
  )
})

test('keeps stems of different languages apart', () => {
  assert.equal(score('Duration', 'during'), 0)
  assert.ok(score('Duration', 'Durée') > 0.9)
})

test('distinguishes the next meeting and the start of a contract', () => {
  const minutes = 'Minutes of the meeting\n\nDate: 12 May 2026\nParticipants: Ines, Tom\nNext meeting: 26 May 2026'
  assert.equal(value('Meeting date', minutes, { type: 'date' }), '2026-05-12')
  assert.deepEqual(value('Attendees', minutes, { type: 'list' }), ['Ines', 'Tom'])
  const said = 'The board discussed the lease.\n\nThe next meeting of the board takes place on 26 May 2026.'
  assert.equal(value('Board meeting date', said, { type: 'date' }), null)
  assert.equal(value('Next meeting', said, { type: 'date' }), '2026-05-26')
  const contract = 'This Agreement is made on 4 March 2026. The Agreement commences on 1 April 2026.'
  assert.equal(value('Agreement date', contract, { type: 'date' }), '2026-03-04')
  assert.equal(value('Start date', contract, { type: 'date' }), '2026-04-01')
})

test('finds dates by labels that imply a date', () => {
  const type = 'date'
  assert.equal(value('Due date', "Date d'échéance : 05/04/2026", { type, language: 'fr' }), '2026-04-05')
  assert.equal(value('Due date', 'Fälligkeitsdatum: 5.4.2026', { type, language: 'de' }), '2026-04-05')
})

test('prefers an exact label over a synonym', () => {
  const invoice = 'Total:  £792.00\nAmount paid:  £200.00\nAmount due:  £592.00'
  const amounts = ['Total', 'Amount due'].map((label) => value(label, invoice, { type: 'currency' }))
  assert.deepEqual(amounts, [
    { amount: 792, currency: 'GBP' },
    { amount: 592, currency: 'GBP' },
  ])
})

test('distinguishes orders, customers, notes, invoices, arrivals and departures', () => {
  const note = 'Lieferschein Nr. L-5583\nBestellnummer: B-20931\nKundennummer: 40077'
  const labels = ['Lieferscheinnummer', 'Bestellnummer', 'Kundennummer']
  assert.deepEqual(
    labels.map((label) => value(label, note, { language: 'de' })),
    ['L-5583', 'B-20931', '40077'],
  )
  assert.equal(value('Número de factura', 'Ibarra\nFactura n.º 2026/117', { language: 'es' }), '2026/117')
  const stay = 'Check-in: Friday, 17 July 2026 (from 15:00)\nCheck-out: Monday, 20 July 2026 (until 11:00)'
  assert.equal(value('Check-out date', stay, { type: 'date' }), '2026-07-20')
  assert.equal(value('是否含运费', '是否含运费：否', { type: 'boolean', language: 'zh' }), false)
  assert.deepEqual(value('Attendees', 'Present: Joan Pike, Amir Shah', { type: 'list' }), ['Joan Pike', 'Amir Shah'])
})

test('treats reference and number, and price and rate as equal', () => {
  const quote = 'Your reference: K-77\nQuote ref: Q-1184\nRate: £124.00 per night'
  assert.equal(value('Quote number', quote), 'Q-1184')
  assert.equal(value('Invoice number', quote), null)
  assert.deepEqual(value('Price per night', quote, { type: 'currency' }), { amount: 124, currency: 'GBP' })
})

test('treats the date of a document as its issue date', () => {
  const invoice = 'INVOICE\n\nIssue date       1 June 2026\nDue date         1 July 2026'
  assert.equal(value('Invoice date', invoice, { type: 'date' }), '2026-06-01')
  assert.equal(value('Payment due date', invoice, { type: 'date' }), '2026-07-01')
  assert.equal(value('Delivery date', invoice, { type: 'date' }), null)
})

test('matches "until" with end dates, and periods with deadlines', () => {
  const offer = 'Das Angebot ist gültig bis zum 31. Mai 2026. Die Lieferung ist am 1. Juli 2026.'
  assert.equal(value('Gültig bis', offer, { type: 'date', language: 'de' }), '2026-05-31')
  const claims = 'Claims must be made within 28 days of your return.'
  assert.equal(value('Claims deadline (days)', claims, { type: 'integer' }), 28)
  assert.equal(
    value('Date de paiement', 'Payé le 29/05/2026 par virement', { type: 'date', language: 'fr' }),
    '2026-05-29',
  )
})

test('treats the employer before the current one as previous', () => {
  const cv =
    'EXPERIENCE\nMar 2020 – present   Principal Engineer, Calder Bridges Ltd\nSep 2015 – Feb 2020   Senior Engineer, Thorne & Partners'
  assert.equal(value('Previous employer', cv), 'Thorne & Partners')
  assert.equal(value('Current employer', cv), 'Calder Bridges Ltd')
})
