import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage } from '../../../../test/support/ask-passages.ts'

const policy = passage(
  '## What is covered\n\n- Fire\n- Burst pipes\n\nBicycles are covered up to 1,000 pounds.\n\n## What is not covered\n\n- Floods',
  { title: 'Household insurance' },
)

test('that something is covered is no answer to whether something else is', () => {
  for (const question of ['Does the insurance cover earthquakes?', 'Are earthquakes covered?'])
    assert.equal(ask(question, [policy]).answered, false, question)
  assert.deepEqual(ask('Does the insurance cover burst pipes?', [policy]).quotes, ['- Burst pipes'])
  assert.deepEqual(ask('Does the insurance cover floods?', [policy]).quotes, ['## What is not covered', '- Floods'])
  assert.equal(ask('What does the insurance cover?', [policy]).answered, true)
  const german = passage('Die Police deckt Feuer. Die Police deckt Sturm.')
  assert.equal(ask('Deckt die Police Erdbeben?', [german], 'de').answered, false)
  assert.equal(ask('Deckt die Police Sturm?', [german], 'de').quotes[0], 'Die Police deckt Sturm.')
})

test('a part of a word speaks of the thing', () => {
  const bar = passage('The bar contains oats, honey and hazelnuts.')
  assert.equal(ask('Does the bar contain nuts?', [bar]).answered, true)
  assert.equal(ask('Does the bar contain milk?', [bar]).answered, false)
  const text = 'Müsliriegel Nuss\nZutaten: Haferflocken, Haselnüsse, Honig.\nKann Spuren von Milch enthalten.'
  const riegel = passage(text, { title: 'Zutatenliste Müsliriegel' })
  assert.match(ask('Enthält der Riegel Nüsse?', [riegel], 'de').quotes.join(), /Haselnüsse/)
})
