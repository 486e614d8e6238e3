import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passage, quote } from '../../../test/support/ask-passages.ts'
import { hasNegation, isNegationAmbiguous } from './negation.ts'

function negates(text: string, language: string | null = null): boolean {
  return hasNegation(text, language)
}

test('negation is recognized in eleven languages', () => {
  for (const text of [
    'What is not covered?',
    "What can't be returned?",
    'Exclusions',
    'Nicht versichert',
    'Ausnahmen',
    'Ce qui n’est pas couvert',
    'Exclusiones',
    'Cosa non è coperto',
    'O que não está coberto',
    'Niet verzekerd',
    'Не входит',
    'Bez opłat',
    'Removed',
    'Entfernte Funktionen',
    '不予报销',
    '哪些费用不能报销？',
  ])
    assert.ok(negates(text), text)
  for (const text of [
    'What is covered?',
    'Order no. 5',
    'Notice',
    'Versichert',
    'Canton',
    'Exclusive offers',
    '不锈钢',
    '能不能报销？',
  ])
    assert.ok(!negates(text), text)
})

test('a day in May and a number sign are no negation', () => {
  for (const text of [
    'Sitzung vom 12. Mai 2026',
    'Réunion du 5 mai',
    'Invoice no. RE-12',
    'Invoice no.',
    '| No | Item |',
  ])
    assert.ok(!negates(text), text)
  const offer = passage('# Angebot vom 12. Mai 2026\n\n- Grüne Lampe: 30 €\n\n## Hinweise\n\nDie Lampe ist schön.')
  assert.deepEqual(quote('Was kostet die grüne Lampe?', [offer], 'de').quotes, ['- Grüne Lampe: 30 €'])
})

test('a word with another meaning in its language is no negation', () => {
  for (const [text, language] of [
    ['No balneário', 'pt'],
    ['Pas vanaf tien uur', 'nl'],
    ['Hilfe in der Not', 'de'],
  ] as const) {
    assert.ok(!negates(text, language), text)
    assert.ok(isNegationAmbiguous(text, ['en', language]), text)
    assert.ok(!isNegationAmbiguous(text, ['en', 'fr']), text)
    assert.ok(negates(text), text)
  }
  assert.ok(negates('Não no balneário', 'pt'))
  const gym = passage('## No balneário\n\n- As toalhas custam 2 euros e os cacifos funcionam com uma moeda', {
    title: 'Regulamento',
  })
  assert.deepEqual(quote('Quanto custam as toalhas?', [gym], 'pt').quotes, [
    '- As toalhas custam 2 euros e os cacifos funcionam com uma moeda',
  ])
})

test('a negated column negates all rows only if it is the first', () => {
  const course = (name: string, column: string, score: number) =>
    passage(`| Grade | Points | ${column} |\n|---|---|---|\n| B of ${name} | 75 | 11 students |`, { score })
  const courses = [course('biology', 'Not reached', 1), course('history', 'Reached', 0.9)]
  assert.equal(quote('How many points is grade B?', courses).quotes[0], '| Grade | Points | Not reached |')
  const policy = passage('| Not covered | Since |\n|---|---|\n| Floods | 2020 |\n| Rust | 2021 |')
  assert.deepEqual(quote('Are floods covered?', [policy]).quotes, ['| Not covered | Since |', '| Floods | 2020 |'])
})

const denied = '## What is not covered\n\n- Damage by floods\n- Rust'
const covered = '- Damage by fire\n- Broken glass'
const policy = passage(`${denied}\n\n## What is covered\n\n${covered}\n\n## Claims\n\nWrite to us.`)

test('a negated heading is quoted with its lines, unless the question is negated', () => {
  assert.deepEqual(quote('Are floods covered?', [policy]).quotes, ['## What is not covered', '- Damage by floods'])
  assert.deepEqual(quote('What is not covered?', [policy]).quotes, ['- Damage by floods\n- Rust'])
})

test('a statement below a negated heading needs the heading only for missing question words', () => {
  const terms = passage('## Not covered\n\n- Drones\n\nRefunds take 5 days. Toys need a receipt of the shop.')
  assert.deepEqual(quote('How long do refunds take?', [terms]).quotes, ['Refunds take 5 days.'])
  assert.deepEqual(quote('Are drones covered?', [terms]).quotes, ['## Not covered', '- Drones'])
  assert.deepEqual(quote('Are toys covered?', [terms]).quotes, ['## Not covered', 'Toys need a receipt of the shop.'])
})

test('negated and positive questions get matching answers', () => {
  assert.deepEqual(quote('What is covered?', [policy]).quotes, [covered])
})

test('removed features are recognized', () => {
  const log = passage('## 3.1.0\n\n### Removed\n\n- Support for Windows 8\n\n### Added\n\n- Support for Windows 11')
  assert.deepEqual(quote('Is Windows 8 still supported?', [log]).quotes, ['### Removed', '- Support for Windows 8'])
  assert.deepEqual(quote('What was removed in 3.1.0?', [log]).quotes[0], '- Support for Windows 8')
})

test('a question for permission quotes the prohibiting heading', () => {
  const rules = passage(
    '## Erlaubt\n\n- Fahrräder schieben\n\n## Verboten\n\n- Rauchen außerhalb der Zonen\n- Skaten und Ballspielen',
  )
  const quotes = (question: string) => quote(question, [rules], 'de').quotes
  assert.deepEqual(quotes('Darf ich hier rauchen?'), ['## Verboten', '- Rauchen außerhalb der Zonen'])
  assert.deepEqual(quotes('Ist Skaten erlaubt?'), ['## Verboten', '- Skaten und Ballspielen'])
  assert.deepEqual(quotes('Was ist erlaubt?'), ['- Fahrräder schieben'])
})
