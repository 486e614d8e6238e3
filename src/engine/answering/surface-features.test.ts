import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage, quote } from '../../../test/support/ask-passages.ts'
import { isDefinition } from './surface-features.ts'

function defines(text: string, isPerson: boolean): boolean {
  const start = text.indexOf('Ann')
  return isDefinition(
    text,
    { matches: [{ unit: 0, term: 'ann', start, end: start + 3 }], start: 0 },
    { units: 1, isPerson },
  )
}

test("a speaker's line does not define the speaker, another line does", () => {
  assert.equal(defines('Ann: Good morning', true), false)
  assert.equal(defines('Ann: a storm of that year', false), true)
  assert.equal(defines('Ben: Ann is the new treasurer.', true), true)
  assert.equal(defines('Yesterday Ann is said to have left.', true), false)
})

test('German nouns define unless an adjective follows', () => {
  const cases: [text: string, isDefined: boolean][] = [
    ['Ann ist Vorsitzende des Vereins.', true],
    ['Ann war Mathematikerin.', true],
    ['Ann ist „Eigentum der Stadt“, sagt Ben.', true],
    ['Ann ist Montags geschlossen.', false],
    ['Ann ist Herrn Huber zu geben.', false],
    ['Ann is Head of sales.', true],
  ]
  for (const [text, isDefined] of cases) assert.equal(defines(text, true), isDefined, text)
})

test('a question for a definition gets the sentence with that subject', () => {
  const berths = passage(
    'Whoever has a berth pays for the berth in March. A *berth* (place) is a place at the jetty. Berths are numbered. ' +
      'The harbour master answers questions about a berth. The harbour master is the person who assigns berths.',
  )
  assert.equal(quote('What is a berth?', [berths]).quotes[0], 'A *berth* (place) is a place at the jetty.')
  assert.equal(quote('What are berths?', [berths]).quotes[0], 'A *berth* (place) is a place at the jetty.')
  const who = 'The harbour master is the person who assigns berths.'
  assert.equal(quote('Who is the harbour master?', [berths]).quotes[0], who)
  const words = passage('Whoever stores a jib pays for the jib in May.\n\n- Jib: the small sail in front.')
  assert.equal(quote('What is a jib?', [words]).quotes[0], '- Jib: the small sail in front.')
  const german = passage(
    'Wer einen Liegeplatz hat, zahlt für den Liegeplatz im März. Ein Liegeplatz ist ein Platz am Steg.',
  )
  assert.equal(quote('Was ist ein Liegeplatz?', [german], 'de').quotes[0], 'Ein Liegeplatz ist ein Platz am Steg.')
})

test('another measure is no answer', () => {
  const shelf = passage('The shelf is 180 cm high. It weighs 22 kg.')
  assert.equal(ask('How high is the shelf?', [shelf]).answered, true)
  assert.equal(ask('How wide is the shelf?', [shelf]).answered, false)
  const others = [
    ['en', 'How wide is the raft?', 'The raft weighs about 220 kg.'],
    ['en', 'How wide is the raft?', 'The raft has a depth of 2 m.'],
    ['en', 'How wide is the raft?', 'Depth of the raft: 2 m'],
    ['de', 'Wie breit ist das Floß?', 'Die Höhe des Floßes beträgt 2 m.'],
  ] as const
  for (const [language, question, text] of others)
    assert.equal(ask(question, [passage(text)], language).answered, false, text)
})

test('an adjective of size without a figure is no other measure', () => {
  const cases = [
    ['en', 'How tall is the mast?', 'The old mast rises 31 m above a wide deck.'],
    ['en', 'How heavy is the bell?', 'The bell weighs 310 kg and hangs in a high tower.'],
    ['de', 'Wie hoch ist der Mast?', 'Der Mast ragt 31 m auf, und das Deck ist breit.'],
  ] as const
  for (const [language, question, text] of cases)
    assert.deepEqual(ask(question, [passage(text)], language).quotes, [text], question)
})

test('sentences of marks only take linear time', () => {
  for (const mark of ['_', '(', '"', ' ', '_ ', 'A ', '\n'])
    for (const end of ['', 'x', 'A'])
      assert.equal(
        defines(`Ann ist ${mark.repeat(200_000)}${end}`, true),
        defines(`Ann ist ${mark.repeat(20)}${end}`, true),
      )
})
