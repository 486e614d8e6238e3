import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWordReader } from './label-words.ts'
import { scoreLabel } from './score-label.ts'

const words = createWordReader(['en', 'de', 'fr'])

function score(asked: string, label: string, { besides = '', surroundings = [] as string[] } = {}): number {
  return scoreLabel(words.read(asked), {
    words: words.read(label),
    besides: words.read(besides),
    surroundings: new Set(surroundings),
  })
}

test('labels that mean the same score high, also in another language or a compound', () => {
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

test('labels that share a word and mean another thing score low', () => {
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

test('a label that means the opposite scores nothing, however much else it shares', () => {
  assert.equal(score('Contract start date', 'Contract end date'), 0)
  assert.equal(score('Invoice total', 'Invoice subtotal'), 0)
})

test('what the document says of itself need not stand in the label', () => {
  assert.ok(score('Invoice date', 'Date') < 0.6)
  assert.ok(score('Invoice date', 'Date', { surroundings: ['invoice'] }) >= 0.65)
  assert.ok(score('Delivery date', 'Invoice date', { surroundings: ['shipping', 'invoice'] }) < 0.6)
})

test('row and column together name a cell', () => {
  assert.ok(score('Natural gas cost', 'Natural gas', { besides: 'Cost' }) > score('Natural gas cost', 'Natural gas'))
})

test('words of one language are no stems of another', () => {
  assert.equal(score('Duration', 'during'), 0)
  assert.ok(score('Duration', 'Durée') > 0.9)
})
