import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage, quote } from '../../../test/support/ask-passages.ts'
import { findPlaceAboveTable, findRowLabel, isTableHead, isTableRow } from './table-rows.ts'

test('lines of values with separators are rows, prose and numbers are none', () => {
  for (const row of ['Ann;Sales;214', 'Ann\tSales\t214', '"Lee, Ann",Sales,214', 'a,b,,'])
    assert.equal(isTableRow(row), true, row)
  for (const text of [
    'We sell bread, milk, eggs.',
    'GBP 1,250,000',
    'He came; he saw; he left.',
    'Ann, Bo, Cy',
    '票价为30元,儿童免费,周一闭馆',
  ])
    assert.equal(isTableRow(text), false, text)
  assert.deepEqual(findRowLabel('Ann;Sales;214'), { start: 0, end: 3 })
})

test('names of columns above values are the header of a table of values', () => {
  const staff = passage('Staff list;;\nName;Department;Extension\nAnn Lee;Sales;214\nBo Lund;Stores;231')
  assert.deepEqual(
    staff.sentences.map((_, place) => isTableHead(staff, place)),
    [false, true, false, false],
  )
  const [quoted] = quote('What is the extension of Bo Lund?', [staff]).sentences
  assert.equal(quoted?.label, 'Name;Department;Extension')
})

test('the names of columns may be below a caption that spans the table', () => {
  const text = [
    '| Evening courses |  |  |',
    '|---|---|---|',
    '| Course | Day | Fee |',
    '| Pottery | Monday | £95 |',
    '| Italian | Tuesday | £120 |',
  ].join('\n')
  const { sentences, quotes } = quote('What is the fee for pottery?', [passage(text)])
  assert.deepEqual([sentences[0]?.label, quotes[0]], ['| Course | Day | Fee |', '| Pottery | Monday | £95 |'])
  assert.equal(ask('Which day has which fee?', [passage(text.split('\n').slice(0, 3).join('\n'))]).answered, false)
})

test('a header may have figures if a column below has only values', () => {
  const heads = (text: string) => {
    const read = passage(text)
    return read.sentences.flatMap((_, place) => (isTableHead(read, place) ? [place] : []))
  }
  const fees = 'Ticket | Adults | Children 6–14\nSingle | 2.60 € | 1.30 €\nDay ticket | 6.40 € | 3.20 €'
  assert.deepEqual(heads(fees), [0])
  assert.deepEqual(heads('Revenue | Q1 2025 | Q2 2025\nPet food | 12 | 14\nToys | 3 | 4'), [0])
  for (const first of ['Kayak | from 12 €', 'Kayak | seat 12', 'Kayak | up to 12 persons', 'Kayak | after 12:00'])
    assert.deepEqual(heads(`${first}\nCanoe | 20 €\nRaft | 30 €`), [], first)
  assert.deepEqual(heads('Brenta 600 | In stock | red\nBrenta 700 | 3 left | blue\nBrenta 800 | sold out | red'), [])
  const { sentences, quotes } = quote('How much is a day ticket for children?', [passage(fees)])
  assert.deepEqual([sentences[0]?.label, quotes], ['Ticket | Adults | Children 6–14', ['Day ticket | 6.40 € | 3.20 €']])
})

test('a row of a table is no context of the next row', () => {
  const ferries = 'line,from,to,departs\nF2,Norhaven,Ilvik,10:00\nF2,Ilvik,Norhaven,12:10\nF3,Skarsund,Ilvik,14:05'
  const { quotes } = quote('When does the ferry between Norhaven and Ilvik depart?', [passage(ferries)])
  assert.deepEqual(quotes, ['F2,Norhaven,Ilvik,10:00', 'F2,Ilvik,Norhaven,12:10'])
})

test('a row with another value in a column that the question names is not quoted', () => {
  const ferries = 'line,from,to,departs\nF2,Old Quay,Ilvik,10:00\nF2,Ilvik,Old Quay,12:10\nF3,Skarsund,Ilvik,14:05'
  const quotesFor = (question: string, text: string) => quote(question, [passage(text)]).quotes
  assert.deepEqual(quotesFor('When does the ferry from Old Quay to Ilvik depart?', ferries), [
    'F2,Old Quay,Ilvik,10:00',
  ])
  assert.deepEqual(quotesFor('When does the ferry from Ilvik to Old Quay depart?', ferries), [
    'F2,Ilvik,Old Quay,12:10',
  ])
  const fees = '| Plan | Zone | Price |\n|---|---|---|\n| Day | 1, 2 | 4 € |\n| Day | 3 | 7 € |\n| Week | 2 | 20 € |'
  assert.deepEqual(quotesFor('What is the price for the day plan in zone 2?', fees), ['| Day | 1, 2 | 4 € |'])
  assert.deepEqual(quotesFor('What is the price for the day plan in zone 3?', fees), ['| Day | 3 | 7 € |'])
})

test('a decimal comma in a sentence begins no cell', () => {
  assert.equal(isTableRow('Sales rose to 88,4 million (81,0 million the year before).'), false)
  assert.equal(isTableRow('Quince,88,4,81'), true)
  assert.equal(isTableRow('{"id":"T-1","state":"open","owner":"Ann"}'), false)
})

test('the text above a table is not above the next table', () => {
  const tables = 'Prices in Leeds are low.\n\nTea | £2 | hot\nCake | £3 | cold\n\nSauna | £7 | hot'
  const read = passage(tables)
  assert.deepEqual(
    read.sentences.map((_, place) => findPlaceAboveTable(read, place)),
    [null, 0, 0, null],
  )
})

test('a row with prices for others does not answer', () => {
  const fees = passage('Ticket | Adults | Children 6–14\nSingle | 2.60 € | 1.30 €\nDay ticket | 6.40 € | 3.20 €')
  assert.equal(ask('How much is a day ticket for seniors?', [fees]).answered, false)
  assert.equal(ask('How much is a day ticket for children?', [fees]).answered, true)
  assert.equal(ask('How much is a day ticket?', [fees]).answered, true)
  const tarife = passage('Karte;Erwachsene;Kinder\nEinzelkarte;4 €;2 €\nTageskarte;9 €;5 €')
  assert.equal(ask('Was kostet eine Tageskarte für Studenten?', [tarife]).answered, false)
  assert.equal(ask('Was kostet eine Tageskarte für Kinder?', [tarife]).answered, true)
})

test('a cell with several sentences ends neither its row nor the table', () => {
  const rows = [
    'Nr;Gerät;Raum;Notiz',
    '11;Presse;Halle 2;Öl fehlt. Bestellt.',
    '12;Waage;Halle 4;Geeicht.',
    '13;Kran;Hof;Seil alt.',
  ]
  const tools = passage(rows.join('\n'))
  const { quotes } = ask('In welchem Raum steht die Waage?', [tools], 'de')
  assert.deepEqual(quotes, [rows[2]])
  assert.equal(ask('In welchem Raum steht die Fräse?', [tools], 'de').answered, false)
  assert.equal(ask('Wie schwer ist die Presse?', [tools], 'de').answered, false)
})
