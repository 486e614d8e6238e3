import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isIncompleteQuestion } from './incomplete-question.ts'
import { rewriteFollowUp } from './rewrite-follow-up.ts'

type Row = readonly [language: string, previous: string, question: string, rewritten: string]

function rewrites(rows: readonly Row[]) {
  for (const [language, previous, question, rewritten] of rows) {
    assert.ok(isIncompleteQuestion(question, language), `${question} is complete`)
    assert.equal(rewriteFollowUp(question, previous, language)[0], rewritten)
  }
}

test('a pronoun gets the subject of the question before', () => {
  rewrites([
    ['en', 'What does the blue pass cost?', 'How long is it valid?', 'How long is it valid? (the blue pass)'],
    [
      'en',
      'When does the museum in Leeds open?',
      'Is it closed on Mondays?',
      'Is it closed on Mondays? (the museum in Leeds)',
    ],
    ['en', 'How many rooms does the Harbour Hotel have?', 'Who manages it?', 'Who manages it? (the Harbour Hotel)'],
    ['en', 'Does anyone know when the lift is mended?', 'Who pays for it?', 'Who pays for it? (the lift)'],
    ['en', 'When does the plumber come?', 'Who pays her?', 'Who pays her? (the plumber)'],
    ['de', 'Was kostet die blaue Karte?', 'Wie lange gilt sie?', 'Wie lange gilt sie? (die blaue Karte)'],
    ['de', 'Wann kann ich das Boot mieten?', 'Was kostet es?', 'Was kostet es? (das Boot)'],
    [
      'fr',
      'Combien coûte la carte bleue ?',
      'Est-elle valable le dimanche ?',
      'Est-elle valable le dimanche ? (la carte bleue)',
    ],
    ['es', '¿Cuánto cuesta el pase azul?', '¿Para quién es él?', '¿Para quién es él? (el pase azul)'],
  ])
})

test('a new subject takes the place of the one of its kind', () => {
  rewrites([
    ['en', 'When does the museum in Leeds open?', 'And in Hull?', 'When does the museum in Hull open?'],
    ['en', 'What does a ticket for small children cost?', 'And for dogs?', 'What does a ticket for dogs cost?'],
    ['en', 'What does the Team plan cost?', 'What about the Starter plan?', 'What does the Starter plan cost?'],
    ['en', 'When does the museum in Leeds open?', 'And Hull?', 'When does the museum in Hull open?'],
    ['en', 'When does the museum in Leeds open?', 'And on Sunday?', 'When does the museum in Leeds open on Sunday?'],
    ['en', 'When does the museum in Leeds open?', 'And Sunday?', 'When does the museum in Leeds open Sunday?'],
    ['de', 'Was kostet die Karte für Erwachsene?', 'Und für Kinder?', 'Was kostet die Karte für Kinder?'],
    ['fr', 'Quel est le prix pour les adultes ?', 'Et pour les enfants ?', 'Quel est le prix pour les enfants?'],
  ])
})

test('a name replaces the former one, and what may be an addition is also added', () => {
  const former = 'When does the museum in Leeds open?'
  assert.deepEqual(rewriteFollowUp('And in York?', former, 'en'), ['When does the museum in York open?'])
  assert.deepEqual(rewriteFollowUp('And in the summer?', former, 'en'), [
    'When does the museum in the summer open?',
    'When does the museum in Leeds open in the summer?',
  ])
  assert.equal(rewriteFollowUp('Und im Sommer?', 'Wann öffnet das Museum im Park?', 'de').length, 2)
})

test('a question without any subject gets all words of the question before', () => {
  rewrites([['en', 'Is the market open on Sunday?', 'Until when?', 'Until when? (the market open on Sunday)']])
})

test('languages without spaces', () => {
  rewrites([
    ['zh', '蓝色通票多少钱？', '它有效多久？', '它有效多久 (蓝色通票)'],
    ['zh', '蓝色通票多少钱？', '儿童呢？', '蓝色通票多少钱 儿童'],
    ['ja', '青いパスはいくらですか？', 'それはいつまで有効ですか？', 'それはいつまで有効ですか (青いパスは)'],
  ])
})
