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

test('removes an identifier after a name, which has its own field', () => {
  const bill = 'Поставщик: ООО «Южный берег», ИНН 7801234567\nПокупатель: ИП Белова (ИНН 780500998877)'
  assert.equal(value('Поставщик', bill, { language: 'ru' }), 'ООО «Южный берег»')
  assert.equal(value('Покупатель', bill, { language: 'ru' }), 'ИП Белова')
  assert.equal(value('Supplier', 'Supplier: Acme Tools Ltd, VAT no. GB 123 4567 82'), 'Acme Tools Ltd')
})

test('removes an address after a name, and a full stop of a script without spaces', () => {
  const lease = 'Locataire : Mme Aude Morel, 7 chemin du Bac, 73000 Chambéry, tél. 04 79 55 01 10'
  assert.equal(value('Locataire', lease, { language: 'fr' }), 'Mme Aude Morel')
  assert.equal(value('Supplier', 'Supplier: Ward & Sons, Mill Street 8, Otley'), 'Ward & Sons')
  assert.equal(value('质保期', '质保期：24个月。', { language: 'zh' }), '24个月')
})

test('takes no amount for another period than asked for', () => {
  const lease = 'Rent: £9,600 a year\nParking: £80 per month'
  const of = (label: string) => value(label, lease, { type: 'currency' })
  assert.deepEqual([of('Monthly rent'), of('Annual parking')], [null, null])
  assert.deepEqual(
    [of('Rent'), of('Annual rent'), of('Monthly parking')],
    [
      { amount: 9600, currency: 'GBP' },
      { amount: 9600, currency: 'GBP' },
      { amount: 80, currency: 'GBP' },
    ],
  )
})

test('takes no row without the number that is asked for', () => {
  const table =
    '| Model | Price | Weight |\n|---|---|---|\n| Lark 2 | £40 | 90 g |\n| Lark 2 Pro | £55 | 95 g |\n| Lark Mini | £30 | 70 g |'
  assert.equal(value('Price of the Lark 3', table, { type: 'currency' }), null)
  assert.deepEqual(value('Price of the Lark 2', table, { type: 'currency' }), { amount: 40, currency: 'GBP' })
})

test('takes no phone number of customer service for that of the customer', () => {
  const order = 'Service client : 02 99 55 01 43'
  assert.equal(value('Téléphone de la cliente', order, { type: 'phone', language: 'fr' }), null)
  assert.equal(value('Téléphone du service client', order, { type: 'phone', language: 'fr' }), '0299550143')
})

test('takes no date for a place', () => {
  assert.equal(value('Place of the next meeting', 'Next meeting: 4 May 2026, 8 pm, in the barn'), null)
  assert.equal(value('Next meeting', 'Next meeting: 4 May 2026, 8 pm', { type: 'date' }), '2026-05-04')
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
