import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage } from '../../../../test/support/ask-passages.ts'
import { negates } from './negates.ts'

test('what denies is told in ten languages', () => {
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
  ])
    assert.ok(negates(text), text)
  for (const text of ['What is covered?', 'Order no. 5', 'Notice', 'Versichert', 'Canton', 'Exclusive offers'])
    assert.ok(!negates(text), text)
})

test('a day in May and the sign for a number deny nothing', () => {
  for (const text of [
    'Sitzung vom 12. Mai 2026',
    'Réunion du 5 mai',
    'Invoice no. RE-12',
    'Invoice no.',
    '| No | Item |',
  ])
    assert.ok(!negates(text), text)
  const offer = passage('# Angebot vom 12. Mai 2026\n\n- Grüne Lampe: 30 €\n\n## Hinweise\n\nDie Lampe ist schön.')
  assert.deepEqual(ask('Was kostet die grüne Lampe?', [offer], 'de').quotes, ['- Grüne Lampe: 30 €'])
})

const denied = '## What is not covered\n\n- Damage by floods\n- Rust'
const covered = '- Damage by fire\n- Broken glass'
const policy = passage(`${denied}\n\n## What is covered\n\n${covered}\n\n## Claims\n\nWrite to us.`)

test('what stands below a heading that denies is quoted with it, unless that is asked for', () => {
  assert.deepEqual(ask('Are floods covered?', [policy]).quotes, ['## What is not covered', '- Damage by floods'])
  assert.deepEqual(ask('What is not covered?', [policy]).quotes, ['- Damage by floods\n- Rust'])
})

test('a statement below a heading that denies stands alone, unless the heading has a word of the question that it lacks', () => {
  const terms = passage('## Not covered\n\n- Drones\n\nRefunds take 5 days. Toys need a receipt of the shop.')
  assert.deepEqual(ask('How long do refunds take?', [terms]).quotes, ['Refunds take 5 days.'])
  assert.deepEqual(ask('Are drones covered?', [terms]).quotes, ['## Not covered', '- Drones'])
  assert.deepEqual(ask('Are toys covered?', [terms]).quotes, ['## Not covered', 'Toys need a receipt of the shop.'])
})

test('who asks what is so is not told what is not, and the other way round', () => {
  assert.deepEqual(ask('What is covered?', [policy]).quotes, [covered])
})

test('whether something is allowed is told with the heading that forbids it', () => {
  const rules = passage(
    '## Erlaubt\n\n- Fahrräder schieben\n\n## Verboten\n\n- Rauchen außerhalb der Zonen\n- Skaten und Ballspielen',
  )
  const quotes = (question: string) => ask(question, [rules], 'de').quotes
  assert.deepEqual(quotes('Darf ich hier rauchen?'), ['## Verboten', '- Rauchen außerhalb der Zonen'])
  assert.deepEqual(quotes('Ist Skaten erlaubt?'), ['## Verboten', '- Skaten und Ballspielen'])
  assert.deepEqual(quotes('Was ist erlaubt?'), ['- Fahrräder schieben'])
})
