import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage, quote } from '../../../../test/support/ask-passages.ts'

test('a statement about a sibling is no answer, in any language', () => {
  const declined: [question: string, text: string, language: string][] = [
    ['Who runs the archive team?', 'Ola Brandt runs the catering team. Per Holm runs the cleaning team.', 'en'],
    ['How many desks does floor D have?', 'Floor B has 14 desks. Floor C has 22 desks.', 'en'],
    ['What were the visits in the fourth quarter?', 'Visits in the first quarter were 310.', 'en'],
    ['Combien coûte la location du canoë ?', 'La location du pédalo coûte 12 €.', 'fr'],
    ['Сколько стоит аренда палатки?', 'Аренда байдарки стоит 900 рублей.', 'ru'],
    ['会議室Cの定員は何人ですか。', '会議室Aの定員は8人です。会議室Bの定員は12人です。', 'ja'],
  ]
  for (const [question, text, language] of declined)
    assert.equal(ask(question, [passage(text)], language).answered, false, question)
})

test('the statement about the thing asked for is quoted without its siblings', () => {
  const cases: [question: string, text: string, said: string, language: string][] = [
    [
      'What does a seat in row 1 cost?',
      'A seat in row 2 costs 1 euro. A seat in row 1 costs 2 euros.',
      'A seat in row 1 costs 2 euros.',
      'en',
    ],
    [
      'When does the kiosk in Bray open?',
      'The kiosk in Howth opens at 8:00. The kiosk in Bray opens at 10:00.',
      'The kiosk in Bray opens at 10:00.',
      'en',
    ],
    [
      'Когда закрывается музей?',
      'Библиотека закрывается в 18 часов. Музей закрывается в 17 часов.',
      'Музей закрывается в 17 часов.',
      'ru',
    ],
  ]
  for (const [question, text, said, language] of cases)
    assert.deepEqual(quote(question, [passage(text)], language).quotes, [said], question)
})

test('a section about a sibling is no answer for another section', () => {
  const menu = passage('## Lentil stew\n\nContains celery.\n\n## Almond tart\n\nContains milk and nuts.')
  assert.equal(ask('Does the lentil stew contain nuts?', [menu]).answered, false)
  assert.deepEqual(quote('Does the almond tart contain nuts?', [menu]).quotes.at(-1), 'Contains milk and nuts.')
})

test('a row belongs to the text above its table, and not to the row above', () => {
  const rows =
    '| tonnes | 2025 | 2024 |\n| --- | --- | --- |\n| Pears | 1,120 | 1,060 |\n| Production | 5,140 | 5,300 |'
  const table = passage(`Production fell by 3 % to 5,140 tonnes.\n\n${rows}`)
  const { quotes } = ask('What was the production of pears in 2024?', [table])
  assert.deepEqual(quotes, ['| Pears | 1,120 | 1,060 |'])
})

test('a word that the memory has elsewhere is no synonym of a related word', () => {
  const news = passage('Profit fell by 8 % because wheat became dearer. Revenue rose by 2 %.')
  assert.equal(ask('Why did profit fall?', [news]).answered, true)
  assert.equal(ask('Why did revenue fall?', [news]).answered, false)
})

test('a synonym counts if the memory has the word in another place', () => {
  const shop = passage('The price of the bicycle is 300 euros. The bike shop is in Hull.')
  assert.deepEqual(ask('What does the bike cost?', [shop]).quotes, ['The price of the bicycle is 300 euros.'])
  const lounge = passage('The couch costs 450 euros. A sofa needs two people to carry.')
  assert.deepEqual(ask('How much does the sofa cost?', [lounge]).quotes, ['The couch costs 450 euros.'])
})

test('a number beside a verb names a thing, if the memory has it or its sibling', () => {
  const ferries = passage('Ferry 4 leaves every 9 minutes. Ferry 9 leaves every 4 minutes. Ferry 14 is out of order.')
  assert.deepEqual(ask('How often does ferry 9 leave?', [ferries]).quotes, ['Ferry 9 leaves every 4 minutes.'])
  assert.deepEqual(ask('How often does ferry 14 leave?', [ferries]).quotes, [])
  const tables = passage('Table 6 seats 8 guests. Table 8 seats 6 guests.')
  assert.deepEqual(ask('How many guests does table 8 seat?', [tables]).quotes, ['Table 8 seats 6 guests.'])
  const matches = passage('Den 2 juni möter laget Alvik. Den 9 juni möter laget Solna.')
  assert.deepEqual(ask('Vilka möter laget den 16 juni?', [matches], 'sv').quotes, [])
})

test('a statement with a name of the question takes nothing over from the one before', () => {
  const boats = passage('Łódź Mewa waży 90 kg. Łódź Fala ma dwa wiosła.')
  assert.deepEqual(ask('Ile waży łódź Fala?', [boats], 'pl').quotes, [])
  const lease = passage('Le contrat est signé. Dupont paie 300 euros par mois.')
  assert.deepEqual(ask('Combien paie Dupont pour le contrat ?', [lease], 'fr').quotes, [
    'Dupont paie 300 euros par mois.',
  ])
})
