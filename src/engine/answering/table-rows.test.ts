import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage, quote } from '../../../test/support/ask-passages.ts'
import { findPlaceAboveTable, findRowLabel, findTotal, isTableHead, isTableRow } from './table-rows.ts'

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

const REPORT = `# Annual report of Hollis Bakeries, autumn 2025

Total revenue grew to EUR 512,300 (autumn 2024: EUR 498,100). Complaints fell to 31.

| Line | Autumn 2025 (EUR) | Autumn 2024 (EUR) |
|---|---|---|
| Bread | 301,100 | 290,400 |
| Cakes | 140,700 | 139,900 |
| Coffee | 70,500 | 67,800 |
| Total | 512,300 | 498,100 |
`

test('a sentence with the total of a table names what its rows measure', () => {
  const report = passage(REPORT, { title: 'Annual report of Hollis Bakeries, autumn 2025' })
  const place = report.sentences.findIndex((_, at) =>
    report.text.slice(report.sentences[at]?.start).startsWith('| Cakes'),
  )
  assert.equal(findTotal(report, place), 'Total revenue grew to EUR 512,300 (autumn 2024: EUR 498,100).')
  assert.equal(findTotal(passage('In 2025 it rained.\n\n| a | 2025 |\n|---|---|\n| c | 9 |'), 3), null)
  assert.equal(findTotal(passage('It had 3,000 seats.\n\n| a | b |\n|---|---|\n| c | 2,000 |'), 2), null)
  for (const [question, row] of [
    ['What was the revenue of cakes in autumn 2025?', '| Cakes | 140,700 | 139,900 |'],
    ['What was the revenue of coffee in autumn 2024?', '| Coffee | 70,500 | 67,800 |'],
  ] as const)
    assert.deepEqual(ask(question, [report]).quotes, [row], question)
  for (const question of [
    'What was the profit of bread in autumn 2025?',
    'How many complaints about cakes were there in autumn 2025?',
    'What was the revenue of cakes in autumn 2023?',
    'What was the revenue of tea in autumn 2025?',
  ])
    assert.equal(ask(question, [report]).answered, false, question)
})

test('the column of a departure answers when a vehicle leaves, that of an arrival does not', () => {
  const bus = passage(
    '| Trip | Norden dep. | Mill | Hage arr. |\n|---|---|---|---|\n| 1 | 05:40 | 05:52 | 06:01 |\n| 2 | 08:10 | 08:22 | 08:31 |',
  )
  assert.deepEqual(ask('When does trip 2 leave Norden?', [bus]).quotes, ['| 2 | 08:10 | 08:22 | 08:31 |'])
  for (const question of [
    'When does trip 2 leave Hage?',
    'When does trip 2 arrive in Norden?',
    'When does trip 5 leave Norden?',
    'How much does trip 2 cost?',
    'Who drives trip 2?',
  ])
    assert.equal(ask(question, [bus]).answered, false, question)
})

test('the sentence of a record gives the reason of a state, not of a name', () => {
  const record = (job: string, state: string, log: string) => JSON.stringify({ job, owner: 'Ann Lee', state, log })
  const jobs = [
    record('deploy-12', 'failed', 'Disk quota exceeded. No retry.'),
    record('deploy-13', 'done', 'Pushed to eu-west.'),
    record('deploy-14', 'failed', 'quota'),
  ]
  const log = passage(jobs.join('\n'))
  assert.deepEqual(ask('Why did deploy-12 fail?', [log]).quotes, [jobs[0]])
  for (const question of ['Why did deploy-13 fail?', 'Why did deploy-14 fail?', 'Why is Ann Lee the owner?'])
    assert.equal(ask(question, [log]).answered, false, question)
})

test('a time of the table in a sentence is that of one row only', () => {
  const rows = [
    'Stop\tZone\tFirst bus\tLast bus',
    'Alder\t1\t05:10\t23:50',
    'Birch\t2\t05:22\t23:31',
    'Cedar\t3\t05:41\t23:05',
  ]
  const line = passage(`${rows.join('\n')}\n\nThe last bus of the line leaves at 23:50.\n`)
  assert.deepEqual(ask('When does the last bus leave Birch?', [line]).quotes, [rows[2]])
  assert.equal(ask('When does the last bus leave Elm?', [line]).answered, false)
  assert.match(ask('When does the last bus of the line leave?', [line]).quotes[0] ?? '', /23:50/)
})
