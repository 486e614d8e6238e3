import assert from 'node:assert/strict'
import { test } from 'node:test'
import { find, value } from '../../test/support/find-value.ts'
import { createWordReader } from './label-words.ts'

test('reads number signs and camel-case words in linear time', () => {
  const words = createWordReader(['de'])
  for (const word of ['# a ', 'MwSt ']) assert.ok(words.read(word.repeat(50_000)).length >= 50_000, word)
})

test('distinguishes total, subtotal and tax', () => {
  const invoice = 'Subtotal    £1,050.00\nVAT (20%)    £210.00\nTotal due   £1,260.00'
  assert.deepEqual(value('Total amount', invoice, { type: 'currency' }), { amount: 1260, currency: 'GBP' })
  assert.deepEqual(value('Subtotal', invoice, { type: 'currency' }), { amount: 1050, currency: 'GBP' })
  assert.deepEqual(value('VAT', invoice, { type: 'currency' }), { amount: 210, currency: 'GBP' })
  assert.equal(value('VAT rate', invoice, { type: 'percent' }), 20)
})

test('matches British and American spelling', () => {
  assert.equal(value('Color', 'Colour: dark green'), 'dark green')
  assert.equal(value('Colour', 'Color: dark green'), 'dark green')
  assert.equal(value('Cost center', 'Cost centre: Leeds'), 'Leeds')
  assert.equal(value('Colour', 'Collar: dark green'), null)
})

test('reads labels that are property names of objects', () => {
  const texts = ['Client: Acme Ltd\nConstructor: Smith Brothers', 'The constructor number is 42.']
  assert.equal(value('Constructor', texts), 'Smith Brothers')
  assert.ok((find('Constructor', texts)?.confidence ?? 0) > 0.9)
  assert.equal(value('Client constructor', 'Client: Acme Ltd'), null)
})

test('reads Spanish invoices and contracts, also for English fields', () => {
  const language = 'es'
  const invoice =
    'FACTURA\n\nCliente: Construcciones Olmo, S.A.\nNúmero de factura: 2026-0457\nFecha de vencimiento: 02/04/2026\n' +
    'Base imponible: 500,00 €\nIVA (21 %): 105,00 €\nTotal a pagar: 605,00 €'
  assert.equal(value('Customer', invoice, { language }), 'Construcciones Olmo, S.A.')
  assert.equal(value('Invoice number', invoice, { language }), '2026-0457')
  assert.equal(value('Due date', invoice, { type: 'date', language }), '2026-04-02')
  assert.deepEqual(value('Total amount', invoice, { type: 'currency', language }), { amount: 605, currency: 'EUR' })
  assert.deepEqual(value('Subtotal', invoice, { type: 'currency', language }), { amount: 500, currency: 'EUR' })
  const lease =
    'CONTRATO DE ARRENDAMIENTO\nEn Valencia, a 15 de enero de 2026\n\n' +
    'De una parte, D.ª Carmen Ortega Ruiz, mayor de edad (en adelante, "la Arrendadora").\n' +
    'De otra parte, D. Pablo Serrano Gil, con DNI 87654321X (en lo sucesivo, el Arrendatario).\n\n' +
    'El contrato tendrá una duración de doce meses y comienza el 1 de febrero de 2026. La renta mensual es de 850 euros.'
  assert.equal(value('Arrendador', lease, { language }), 'Carmen Ortega Ruiz')
  assert.equal(value('Tenant', lease, { language }), 'Pablo Serrano Gil')
  assert.equal(value('Fecha de inicio', lease, { type: 'date', language }), '2026-02-01')
  assert.equal(value('Duración (meses)', lease, { type: 'integer', language }), 12)
  assert.deepEqual(value('Monthly rent', lease, { type: 'currency', language }), { amount: 850, currency: 'EUR' })
  const undefinedParties = 'CONTRATO DE ARRENDAMIENTO\nEn Valencia, a 15 de enero de 2026\n\nLa renta es de 850 euros.'
  assert.equal(value('Arrendador', undefinedParties, { language }), null)
})

test('reads words that are inherited object properties', () => {
  assert.equal(find('Native code', 'Constructor: Bob Hill'), null)
  const delivery = find('Delivery date', 'For delivery, constructor Hill named 3 May 2026.', { type: 'date' })
  assert.ok(delivery !== null && delivery.confidence > 0)
})

test('maps synonyms to one meaning', () => {
  const stay = 'Confirmation number: AI-55210\nArrival: Thursday 6 August 2026\nDeparture: Sunday 9 August 2026'
  assert.equal(value('Booking reference', stay), 'AI-55210')
  assert.equal(value('Check-out date', stay, { type: 'date' }), '2026-08-09')
  const cv =
    'Berufserfahrung\nseit 04/2019    Teamleiterin, Nordmann GmbH, Kassel\n2014 – 2019    Trainee, Union AG, Fulda'
  assert.equal(value('Derzeitiger Arbeitgeber', cv, { language: 'de' }), 'Nordmann GmbH')
  assert.equal(value('Venue', 'Location: The Old Pump House'), 'The Old Pump House')
})

test('keeps meanings of a word separate by language', () => {
  const bail = 'Un appartement de trois pièces.'
  assert.equal(value('Nombre de pièces', bail, { type: 'integer', language: 'fr' }), 3)
  assert.equal(value('Nombre del trabajador', 'Trabajador: Lucía Romero', { language: 'es' }), 'Lucía Romero')
})

test('distinguishes insured and insurer, and reads a price line as its total', () => {
  assert.equal(value('Insurer', 'Certificate of travel insurance\n\nInsured persons: Ann Lee, Leo Lee'), null)
  const offer = 'Buffet, pro Person 18,90 €            2.268,00 €'
  assert.equal(value('Preis pro Person', offer, { type: 'currency', language: 'de' }), null)
})

test('maps German tenancy words to rent', () => {
  const lease = 'MIETVERTRAG\n\n§ 2 Mietzeit\nDas Mietverhältnis beginnt am 1. Mai 2026 und läuft auf unbestimmte Zeit.'
  assert.equal(value('Mietbeginn', lease, { type: 'date', language: 'de' }), '2026-05-01')
})
