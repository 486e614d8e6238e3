import assert from 'node:assert/strict'
import { test } from 'node:test'
import { value } from '../../../test/support/find-value.ts'
import { readAuthors, readLetterhead } from './read-letterhead.ts'
import { splitCells } from './split-cells.ts'

const de = { language: 'de' }

test('reads the company as supplier of an invoice or employer on a payslip', () => {
  const invoice =
    'Elektro Wiesner e.K.\nAm Mühlbach 12, Regensburg\n\nHerrn\nThomas Aigner\nDonaulände 8\n\nRECHNUNG\n\nDatum: 09.06.2026'
  assert.equal(value('Lieferant', invoice, de), 'Elektro Wiesner e.K.')
  assert.equal(value('Kunde', invoice, de), 'Thomas Aigner')
  assert.equal(value('Arbeitgeber', invoice, de), null)
  assert.equal(value('Versicherer', invoice, de), null)
  assert.equal(value('Employer', 'Harbour View Hotel Ltd      PAYSLIP\nEmployee: Ann Lee'), 'Harbour View Hotel Ltd')
  assert.equal(value('Supplier', 'The works of the harbour\n\nINVOICE'), null)
  const works = 'Marta Nowak Consulting\n22 Albion Terrace, Leeds LS2 8QJ'
  assert.equal(value('Vendor', `INVOICE\n\n${works}\n\nInvoice date: 1 May 2026`), 'Marta Nowak Consulting')
  assert.equal(value('Supplier', `${works}\n\nDELIVERY NOTE`), 'Marta Nowak Consulting')
  assert.equal(value('Supplier', works), null)
  const policy = 'Bodensee Versicherung AG\nPostfach 1200, 78462 Konstanz\n\nVERSICHERUNGSSCHEIN'
  assert.equal(value('Versicherer', policy, de), 'Bodensee Versicherung AG')
  assert.equal(value('Lieferant', 'Herrn\nThomas Aigner\nDonaulände 8, Ulm\n\nRechnung', de), null)
  assert.equal(value('Supplier', 'Harbour View Hotel Ltd\n\nOur rooms are warm.'), null)
})

test('reads the recipient after "To", but not a date', () => {
  assert.equal(value('Customer', 'Greenleaf Ltd\n\nQUOTATION\n\nTo: Mrs Eleanor Baines'), 'Mrs Eleanor Baines')
  assert.equal(value('Customer', 'Greenleaf Ltd\n\nQUOTATION\n\nFrom: 1 May\nTo: Monday 4 May'), null)
})

test('reads the author after "by"', () => {
  const text =
    'Prepared by Owen Tarrant, Estimator.\nMinutes taken by: **Ann Lee**\nErstellt von Ines Hall. Reached by train.'
  const read = readAuthors(text).map(({ label, start, end }) => [label, text.slice(start, end)])
  assert.deepEqual(read, [
    ['Prepared by', 'Owen Tarrant'],
    ['Minutes taken by', 'Ann Lee'],
    ['Erstellt von', 'Ines Hall'],
  ])
})

test('reads heads of only names in linear time', () => {
  for (const part of ['A', 'Aa, ', 'abc ', 'To: Ann ', 'Ann Lee ', 'Prepared by ', 'Ltd ', ' '])
    assert.ok(
      readLetterhead(splitCells(`INVOICE\n${part.repeat(50_000)}`)).length + readAuthors(part.repeat(50_000)).length <
        50_000,
    )
})

test('reads the document type below its letterhead', () => {
  const letterhead = 'Malerbetrieb Sonnleitner GmbH\nGewerbering 7\n\n'
  const date = { type: 'date', language: 'de' }
  const rechnung = `${letterhead}Rechnung Nr. 2026-0187\nDatum: 12. März 2026`
  assert.equal(value('Rechnungsdatum', rechnung, date), '2026-03-12')
  const note = 'Riverside Surgery\n\nPRESCRIPTION\n\nDate: 18/03/2026'
  assert.equal(value('Prescription date', note, { type: 'date' }), '2026-03-18')
  assert.equal(
    value('Invoice number', `${letterhead}Rechnung Nr. 2026-0187\nMwSt. 19 %    284,05 €`, { language: 'de' }),
    '2026-0187',
  )
  assert.equal(
    value('Steuernummer', `${letterhead}Rechnung Nr. 2026-0187\nMwSt. 19 %    284,05 €`, { language: 'de' }),
    null,
  )
})
