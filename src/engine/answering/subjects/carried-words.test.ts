import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage } from '../../../../test/support/ask-passages.ts'

test('the sentence before counts with a pronoun, and not for another person', () => {
  const rota = passage('Helen is on parental leave until August. Bashir looks after her clients.')
  const who = ask('Who looks after the clients while Helen is on parental leave?', [rota])
  assert.deepEqual(who.quotes, ['Bashir looks after her clients.'])
  const other = ask('Who looks after the clients while Omar is on parental leave?', [rota])
  assert.equal(other.answered, false)
  const german = passage('Jonas ist im Juli im Urlaub. Ayşe vertritt ihn.')
  assert.deepEqual(ask('Wer vertritt Jonas, während er im Urlaub ist?', [german], 'de').quotes, ['Ayşe vertritt ihn.'])
  assert.equal(ask('Wer vertritt Karin, während sie im Urlaub ist?', [german], 'de').answered, false)
})

test('a statement about a sibling takes no subject over, even with a pronoun', () => {
  const declined: [question: string, text: string, language?: string][] = [
    ['When does the blue line stop?', 'The blue line starts at 5. The red line has its last stop at 23:00.'],
    [
      'What is the salary of Mara Lind?',
      'Mara Lind joined in May. Omar Falk has a salary of 40,000 euros, and he works from home.',
    ],
    [
      'What is the phone number of Mara Lind?',
      'Mara Lind leads sales. Omar Falk leads support; his phone number is 0113 496 0001.',
    ],
    ['What does Helen pay for the room?', 'Helen rents the red room. Omar pays 40 euros for his room.'],
    ['What is the fee for adults?', 'Adults need a card. Children pay a fee of 3 euros for it.'],
    ['When does the tour in Leeds start?', 'Leeds is a city. In Hull the tour starts at 9, and it ends at noon.'],
    [
      'Wie hoch ist die Gebühr für Erwachsene?',
      'Erwachsene zahlen mehr. Kinder zahlen dafür eine Gebühr von 3 €.',
      'de',
    ],
    [
      'Quel est le salaire de Mara Lind ?',
      'Mara Lind est arrivée en mai. Omar Falk a un salaire de 40 000 euros, et il travaille à la maison.',
      'fr',
    ],
  ]
  for (const [question, text, language = 'en'] of declined)
    assert.equal(ask(question, [passage(text)], language).answered, false, question)
})

test('a person who does it for another one is not asked for', () => {
  const declined: [question: string, text: string, language?: string][] = [
    ['Who teaches Anna?', 'Anna learns the piano. Mira teaches Ben and his sister.'],
    ['Who parks Helen’s red car?', 'Helen drives a red car. Omar parks his car in the yard.'],
    ['Who supervises Anna in Leeds?', 'Anna works in Leeds. Mira supervises Ben, and he likes her.'],
    [
      'Who looks after the clients while Helen is on holiday?',
      'Helen is on holiday. Bashir looks after the clients of Omar, who likes him.',
    ],
    ['Wer vertritt Karin im Urlaub?', 'Karin ist im Urlaub. Ayşe vertritt Jonas und seine Kollegin.', 'de'],
  ]
  for (const [question, text, language = 'en'] of declined)
    assert.equal(ask(question, [passage(text)], language).answered, false, question)
})

test('a statement whose subject is a pronoun takes the subject over', () => {
  const answered: [question: string, text: string, said: string, language?: string][] = [
    [
      'What is the phone number of Mara Lind?',
      'Mara Lind leads sales. Her phone number is 0113 496 0001.',
      'Her phone number is 0113 496 0001.',
    ],
    ['When does the blue line stop?', 'The blue line starts at 5. It stops at 23:00.', 'It stops at 23:00.'],
    [
      'Wie hoch ist das Gehalt von Petra Voss?',
      'Petra Voss kam im Mai. Sie hat ein Gehalt von 40.000 Euro.',
      'Sie hat ein Gehalt von 40.000 Euro.',
      'de',
    ],
  ]
  for (const [question, text, said, language = 'en'] of answered)
    assert.deepEqual(ask(question, [passage(text)], language).quotes, [said], question)
})
