import assert from 'node:assert/strict'
import { test } from 'node:test'
import { value } from '../../test/support/find-value.ts'

test('removes contact data and birth dates from a name', () => {
  const letter =
    'Ansprechpartner: Ralf Albrecht, Tel. 07361 889900\nPatient: Herr Bernd Schuster, geb. 30.06.1961, Ahornweg 3'
  assert.equal(value('Ansprechpartner', letter, { language: 'de' }), 'Ralf Albrecht')
  assert.equal(value('Name des Patienten', letter, { language: 'de' }), 'Herr Bernd Schuster')
  assert.equal(value('Contact details', 'Contact: Ann Lee, tel. 555 0101'), 'Ann Lee, tel. 555 0101')
})

test('accepts names in scripts without case', () => {
  const text = 'Customer: 山田商店\nSupplier: شركة النور\nManager: none given'
  assert.deepEqual(
    ['Customer', 'Supplier', 'Manager'].map((label) => value(label, text)),
    ['山田商店', 'شركة النور', null],
  )
})

test('joins the lines of an address', () => {
  const text = 'Address:            41 Weir Lane\n                    Shrewsbury SY2 6HT\nInspector:          Colm'
  assert.equal(value('Address', text), '41 Weir Lane, Shrewsbury SY2 6HT')
})

test('rejects sentences and headings as strings', () => {
  assert.equal(value('Law', '## Law\n\nThis agreement has a clause on courts. Disputes go to Amsterdam.'), null)
})

test('ignores brackets after words, and removes the date from an order number', () => {
  const flat = "Deposit: five weeks' rent (£1,326.92)\nLoss: (£1,326.92)"
  const amounts = ['Deposit', 'Loss'].map((label) => value(label, flat, { type: 'currency' }))
  assert.deepEqual(amounts, [
    { amount: 1326.92, currency: 'GBP' },
    { amount: -1326.92, currency: 'GBP' },
  ])
  assert.equal(value('Bestellnummer', 'Ihre Bestellung: BE-1902 vom 12.05.2026', { language: 'de' }), 'BE-1902')
})
