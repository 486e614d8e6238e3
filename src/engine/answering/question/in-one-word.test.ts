import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage } from '../../../../test/support/ask-passages.ts'
import { inOneWord } from './in-one-word.ts'

test('who was there or was not is answered by the lists of minutes', () => {
  const minutes = passage(
    'Board meeting\n\nPresent: Ann Lee, Ben Lund\nApologies: Dora Fox\n\nThe next meeting is on 9 June.',
  )
  assert.equal(ask('Who was at the meeting?', [minutes]).quotes[0], 'Present: Ann Lee, Ben Lund')
  assert.equal(ask('Who took part?', [minutes]).quotes[0], 'Present: Ann Lee, Ben Lund')
  assert.equal(ask("Who wasn't there?", [minutes]).quotes[0], 'Apologies: Dora Fox')
  const niederschrift = passage(
    'Sitzung\n\nAnwesend: Ann Lee, Ben Lund\nEntschuldigt: Dora Fox\n\nDie nächste Sitzung ist im Juni.',
  )
  assert.equal(ask('Wer war bei der Sitzung dabei?', [niederschrift], 'de').quotes[0], 'Anwesend: Ann Lee, Ben Lund')
  assert.equal(ask('Wer konnte nicht kommen?', [niederschrift], 'de').quotes[0], 'Entschuldigt: Dora Fox')
})

test('who was in charge or came up with something is not asked for at a meeting', () => {
  const staff = passage('| Task | Person |\n|---|---|\n| Payroll | Maria Sousa |\n| Post | Ben Lund |')
  assert.deepEqual(ask('Who was in charge of payroll?', [staff]).quotes, ['| Payroll | Maria Sousa |'])
  assert.equal(inOneWord('Who came up with the raffle?'), 'Who came up with the raffle?')
})

test('days off are leave', () => {
  const guide = passage('You may work from home two days a week. Everybody has 28 days of paid holiday a year.')
  assert.equal(ask('How many days off do I get?', [guide]).quotes[0], 'Everybody has 28 days of paid holiday a year.')
})
