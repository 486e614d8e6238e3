import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerAtOnce, ask, passage } from '../../../../test/support/ask-passages.ts'
import { matchable } from '../../analysis/fold.ts'
import { asksHow, namesProcedure, numberOfStep } from './is-step.ts'

test('how something is done is asked in ten languages, and how much, long or often is not', () => {
  for (const question of [
    'How do I descale it?',
    'how to make tea',
    'What are the steps to return it?',
    'Wie kann ich Urlaub beantragen?',
    'Wie entkalke ich sie?',
    'Comment rendre le livre ?',
    '¿Cómo se cambia el filtro?',
    'Come si pulisce il forno?',
    'Como faço para devolver?',
    'Hoe maak ik koffie?',
    'Как сменить фильтр?',
    'Jak zwrócić książkę?',
  ])
    assert.ok(asksHow(matchable(question)), question)
  for (const question of [
    'How much is it?',
    'How long do I wait?',
    'Wie lange warte ich?',
    'How is Ann?',
    'How old are we?',
  ])
    assert.ok(!asksHow(matchable(question)), question)
})

test('a step has a number of its own', () => {
  assert.deepEqual(
    ['1. Open it.', '12) Close it.', '**Step 2:** Wait.', 'Schritt 3 – Warten', '2026 was dry.', '- Open it.'].map(
      numberOfStep,
    ),
    [1, 12, 2, 3, null, null],
  )
})

const steps = '1. Mix vinegar with water.\n2. Pour it into the tank.\n3. Hold the button.'
const manual = (between: string) =>
  passage(
    `## Brewing\n\n1. Fill the tank.\n2. Press the button.\n\n## Descaling\n\n${between}${steps}\n\n## Care\n\nWipe the machine.`,
  )

test('who asks how something is done gets the steps below its heading, all of them', () => {
  assert.equal(ask('How do I descale the machine?', [manual('')]).quotes[0], steps)
  assert.deepEqual(
    ask('How do I do the descaling?', [passage(`## Descaling\n\n${steps.replaceAll(/(\d)\./g, 'Step $1:')}`)]).quotes,
    [steps.replaceAll(/(\d)\./g, 'Step $1:')],
  )
})

test('steps with empty lines between them are one list, up to the next first step', () => {
  const apart = steps.replaceAll('\n', '\n\n')
  const inside = apart.replace('water.', 'water.\n\n   Use white vinegar.')
  for (const written of [apart, inside, `${apart}\n\n1. Fill the tank.`]) {
    const { quotes } = ask('How do I descale the machine?', [
      passage(`## Descaling\n\n${written}\n\nWipe the machine.`),
    ])
    assert.equal(quotes[0], written === inside ? inside : apart)
  }
})

test('the steps are quoted behind a sentence of the same section that is more like the question, and for no other question', () => {
  const between = 'Descale the machine every three months.\n\n'
  assert.deepEqual(ask('How do I descale the machine?', [manual(between)]).quotes, [between.trim(), steps])
  assert.deepEqual(ask('How often must the machine be descaled?', [manual(between)]).quotes, [between.trim()])
  assert.deepEqual(ask('How do I wipe the machine?', [manual(between)]).quotes, ['Wipe the machine.'])
})

test('what makes the thing of the title stands below the name of any procedure', () => {
  const steps = '1. Chop the onion.\n2. Fry it.'
  const recipe = passage(`Serves four.\n\n## Method\n\n${steps}`, {
    title: 'Onion soup',
  })
  assert.equal(ask('How do I make onion soup?', [recipe]).quotes[0], steps)
  const names = ['## Method', 'Zubereitung:', '**Étapes**', '## Приготовление', 'Шаги:']
  assert.deepEqual(names.filter(namesProcedure), names)
  assert.deepEqual(['Method of payment', 'Schritte ins Freie', 'Шаги навстречу'].filter(namesProcedure), [])
})

test('that steps answer is as sure as the heading above them is like the question', () => {
  const guide = passage('## Wi-Fi\n\nThe network is called House.\n\n1. Open the settings.\n2. Choose House.')
  const vectors = guide.sentences.map((_, place) => (place === 0 ? Float32Array.of(1, 0) : Float32Array.of(0, 1)))
  const question = { text: 'How do I connect to the Wi-Fi?', languages: ['en'], vector: Float32Array.of(1, 0) }
  assert.equal(answerAtOnce(question, [{ ...guide, vectors }]).answered, true)
  assert.equal(answerAtOnce(question, [guide]).answered, false)
})
