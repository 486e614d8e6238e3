import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage, quote } from '../../../test/support/ask-passages.ts'

test('a table header is the parent of its rows, together with the heading above', () => {
  const rows = '| On call | Priya Nair | 555-0101 |\n| Stores | Sam Ode | 555-0102 |'
  const table = `## Contacts\n\n| Role | Name | Phone |\n| --- | --- | --- |\n${rows}`
  const staff = passage(`${table}\n\nThe stores are closed on Monday.`)
  assert.deepEqual(quote('What is the phone number of the stores?', [staff]).quotes, [
    '| Stores | Sam Ode | 555-0102 |',
  ])
  assert.deepEqual(quote('Which role has Sam Ode?', [staff]).quotes, ['| Stores | Sam Ode | 555-0102 |'])
})

test('a sentence with an anaphor includes the previous sentence', () => {
  const cases: [language: string, question: string, text: string, answer: string][] = [
    [
      'en',
      'What is the tunic worn for?',
      'The tunic is made of wool. It is worn for fishing, and for feasts.',
      'It is worn for fishing, and for feasts.',
    ],
    [
      'de',
      'Wann wurde die Mühle verkauft?',
      'Die Mühle steht am Fluss. Sie wurde 1987 verkauft. Der Fluss trat 1990 über die Ufer.',
      'Sie wurde 1987 verkauft.',
    ],
    ['ru', 'Когда продали мельницу?', 'Мельница стоит у реки. Её продали в 1987 году.', 'Её продали в 1987 году.'],
  ]
  for (const [language, question, text, answer] of cases)
    assert.equal(quote(question, [passage(text)], language).quotes[0], answer)
})

test('a date of the question is found in any form', () => {
  const log = passage(
    '2026-01-12 02:00 job nightly-db failed: disk quota exceeded\n2026-01-13 02:00 job nightly-db finished, 41.9 GB',
  )
  const [first, second] = log.sentences.map(({ start, end }) => log.text.slice(start, end))
  assert.deepEqual(ask('What happened to the job nightly-db on 12 January?', [log]).quotes[0], first)
  assert.deepEqual(ask('What happened to the job nightly-db on 13/01/2026?', [log]).quotes[0], second)
})
