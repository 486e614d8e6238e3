import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage, quote } from '../../../../test/support/ask-passages.ts'
import { createOtherEntityTest } from './other-entities.ts'

test('a question for one number is not answered by another', () => {
  const orders = [8812, 8830].map((order) =>
    passage(`Order ${order} was placed on 3 March 2026 by Mara. Status: open.`, { title: `Order ${order}` }),
  )
  const errors = passage('Error 12: paper jam. Open the rear cover. Error 14: toner empty. Error 15: drum worn out.')
  const windows = passage('Windows 10 is no longer supported since May.')
  const invoice = passage('Invoice date: 17 April 2026\nTotal: £1,488.00', { title: 'Invoice 2026-0417' })
  const german = passage('Die Bestellung 8830 wurde am 3. März aufgegeben.')
  assert.deepEqual(quote('When was order 8830 placed?', orders).quotes, [
    'Order 8830 was placed on 3 March 2026 by Mara.',
  ])
  assert.deepEqual(quote('What is error 14?', [errors]).quotes, ['Error 14: toner empty.'])
  assert.equal(ask('When was order 8899 placed?', orders).answered, false)
  assert.equal(ask('What is the status of order 8899?', orders).answered, false)
  assert.equal(ask('What is error 13?', [errors]).answered, false)
  assert.equal(ask('Is Windows 11 supported?', [windows]).answered, false)
  const cache = passage('Error CS-1107 is caused by a full cache.')
  assert.equal(ask('What causes error CS-1109?', [cache]).answered, false)
  assert.equal(ask('What is the total of invoice 2026-0999?', [invoice]).answered, false)
  assert.equal(ask('Wann wurden die Bestellungen 8899 aufgegeben?', [german], 'de').answered, false)
})

test('a question for one year or name is not answered by another', () => {
  const leave = passage('In 2024 staff get 25 days of paid leave. Unused days go over until March 2025.')
  const lake = passage('It has an area of 14 square kilometres. A ferry crosses the lake.', { title: 'Lake Ardal' })
  const gallery = passage('Customer: Gallery Miró, Barcelona\nCustomer number: K-20817')
  const minutes = passage('Present at the meeting: Helena Voss (chair).', { title: 'Meeting of 12 June 2024' })
  assert.equal(ask('How many days of paid leave do staff get in 2024?', [leave]).answered, true)
  assert.equal(ask('How many days of paid leave do staff get in 2023?', [leave]).answered, false)
  assert.equal(ask('What area has Lake Ardal?', [lake]).answered, true)
  assert.equal(ask('What area has Lake Morven?', [lake]).answered, false)
  assert.equal(ask('What is the customer number of Gallery Miró?', [gallery]).answered, true)
  assert.equal(ask('What is the customer number of Gallery Picasso?', [gallery]).answered, false)
  assert.equal(ask('Who was present at the meeting of 3 January 2022?', [minutes]).answered, false)
})

test('notations of a number are equal', () => {
  const answered: [string, string][] = [
    ['Who owns lot 12,500?', 'Lot 12500 is owned by Anna Berg.'],
    ['Who owns lot 12500?', 'Lot 12,500 is owned by Anna Berg.'],
    ['Who sits in room 7?', 'Anna Berg sits in Room 07.'],
    ['Who sits in room ７?', 'Anna Berg sits in Room 7.'],
    ['Who owns lot 12’500?', 'Lot 12\u00a0500 is owned by Anna Berg.'],
    ['What causes error CS-1107?', 'Error CS-1107 is caused by a full cache.'],
    ['Who wrote invoice 2026-0417?', 'Invoice 2026/0417 was written by Anna Berg.'],
  ]
  for (const [question, text] of answered) assert.equal(ask(question, [passage(text)]).answered, true, question)
})

test('a question of many numbers takes time independent of the numbers of the text', () => {
  const list = (from: number, count: number) => Array.from({ length: count }, (_, index) => `order ${from + index}`)
  const orders = passage(`${list(50_000, 48).join(', ')}, order 10799.\n`.repeat(60))
  assert.equal(ask(`What about ${list(10_000, 800).join(', ')}?`, [orders]).answered, false)
})

test('quantities, ranges, version parts and several numbers are no contradiction', () => {
  const answered: [string, string][] = [
    ['Can groups of 30 people come without booking?', 'Groups of up to 20 people come without booking.'],
    ['Does the bus take 30 people?', 'The bus takes 20 people at most.'],
    ['What is jammed at printer error 13?', 'At printer error 12–14 the tray is jammed.'],
    ['Which Node does version 4.2 need?', 'Version 4 and later need Node 20.'],
    ['Which Node does version 4 need?', 'Version 4.2 needs Node 20.'],
    ['What is the difference of version 4 and version 5?', 'The difference to version 5 is the new engine.'],
    ['What is the difference of version 4 and 5?', 'The difference to version 5 is the new engine.'],
    ['What is jammed at printer error 13?', 'At printer error 12 and 13 the tray is jammed.'],
  ]
  for (const [question, text] of answered) assert.equal(ask(question, [passage(text)]).answered, true, question)
})

function speaksOfOther(text: string, words: string, sentence: string, around = sentence): boolean {
  const question = { text, kind: 'other', words: words.split(' '), hasCapitalNouns: false } as const
  return createOtherEntityTest(question)(sentence, around)
}

test('another year is recognized after the same word, or after months', () => {
  assert.equal(speaksOfOther('paid leave in 2023?', 'paid leave', 'In 2024 staff get 25 days.'), true)
  assert.equal(speaksOfOther('бюджет на 2022 год?', 'бюджет', 'Бюджет на 2025 год принят.'), true)
  assert.equal(speaksOfOther('minutes of 3 January 2022?', 'minutes', 'Minutes, 12 June 2024'), true)
  assert.equal(speaksOfOther('paid leave in 2024?', 'paid leave', 'In 2024 staff get 25 days.'), false)
})

test('a year is no contradiction if both occur, as a limit, or if a time is asked for', () => {
  assert.equal(
    speaksOfOther('leave in 2023?', 'leave', 'In 2024 it grew.', 'In 2023 it was 5. In 2024 it grew.'),
    false,
  )
  assert.equal(speaksOfOther('who maintains it in 2030?', 'maintains', 'Stanmore maintains it until 2035.'), false)
  const question = {
    text: 'When did the war of 1939 end?',
    kind: 'date',
    words: ['war', 'end'],
    hasCapitalNouns: false,
  }
  assert.equal(createOtherEntityTest({ ...question, kind: 'date' })('It was the end of 1945.', ''), false)
})

test('another name is recognized after the same noun', () => {
  assert.equal(speaksOfOther('How deep is Lake Morven?', 'deep lake morven', 'Lake Ardal\nIt is 212 m deep.'), true)
  assert.equal(speaksOfOther('How deep is Lake Ardal?', 'deep lake ardal', 'Lake Ardal\nIt is 212 m deep.'), false)
  assert.equal(
    speaksOfOther('Who led Lake Morven Trust?', 'led lake morven trust', 'The Lake Trust was led by Ann.'),
    false,
  )
  const around = 'Lake Ardal and Lake Morven'
  assert.equal(speaksOfOther('How deep is Lake Morven?', 'deep lake morven', 'Lake Ardal is deep.', around), false)
})

test('a function word precedes any name', () => {
  assert.equal(
    speaksOfOther('Which fee has Contoso with Acme?', 'fee contoso acme', 'A contract with Brightwell.'),
    false,
  )
})

test('forms and misspellings of a name are no other name', () => {
  assert.equal(speaksOfOther('What gave John Sheeshanks?', 'gave john', 'John Sheepshanks gave 233 paintings.'), false)
  assert.equal(
    speaksOfOther('Where did Chinese Nationalists go?', 'chinese', 'Nationalist and Chinese Communist troops.'),
    false,
  )
})

test('with capitalized nouns, no capital indicates a name', () => {
  const asked = { kind: 'other', hasCapitalNouns: true, words: ['warschauer'] } as const
  const isOther = createOtherEntityTest({ ...asked, text: 'Wie groß war die Warschauer Bevölkerung?' })
  assert.equal(isOther('Warschauer Einwohner gab es viele.', ''), false)
})

const policy = passage(
  '## What is covered\n\n- Fire\n- Burst pipes\n\nBicycles are covered up to 1,000 pounds.\n\n## What is not covered\n\n- Floods',
  { title: 'Household insurance' },
)

test('coverage of one thing does not answer a question for another', () => {
  for (const question of ['Does the insurance cover earthquakes?', 'Are earthquakes covered?'])
    assert.equal(ask(question, [policy]).answered, false, question)
  assert.deepEqual(quote('Does the insurance cover burst pipes?', [policy]).quotes, ['- Burst pipes'])
  assert.deepEqual(quote('Does the insurance cover floods?', [policy]).quotes, ['## What is not covered', '- Floods'])
  assert.notDeepEqual(quote('What does the insurance cover?', [policy]).quotes, [])
  const german = passage('Die Police deckt Feuer. Die Police deckt Sturm.')
  assert.equal(ask('Deckt die Police Erdbeben?', [german], 'de').answered, false)
  assert.equal(quote('Deckt die Police Sturm?', [german], 'de').quotes[0], 'Die Police deckt Sturm.')
})

test('a part of a word mentions the thing', () => {
  const bar = passage('The bar contains oats, honey and hazelnuts.')
  assert.equal(ask('Does the bar contain nuts?', [bar]).answered, true)
  assert.equal(ask('Does the bar contain milk?', [bar]).answered, false)
  const text = 'Müsliriegel Nuss\nZutaten: Haferflocken, Haselnüsse, Honig.\nKann Spuren von Milch enthalten.'
  const riegel = passage(text, { title: 'Zutatenliste Müsliriegel' })
  assert.match(quote('Enthält der Riegel Nüsse?', [riegel], 'de').quotes.join(), /Haselnüsse/)
})
