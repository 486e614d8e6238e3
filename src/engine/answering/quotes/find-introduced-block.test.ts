import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage, quote } from '../../../../test/support/ask-passages.ts'

test('a sentence is quoted with the code, list or table that it introduces', () => {
  const led = (block: string) =>
    ask('How is the crane started?', [passage(`The crane is started so:\n\n${block}\n\nIt lifts.`)])
  for (const block of [
    '```sh\ncrane --start\ncrane --lift\n```',
    '- turn the key\n- pull the\n  lever',
    '| a | b |\n|---|---|\n| c | d |',
    'Step | Turns\nkey | 2\nlever | 1',
  ]) {
    assert.deepEqual(led(block).quotes, [`The crane is started so:\n\n${block}`])
  }
  assert.deepEqual(led('So it is.').quotes, ['The crane is started so:'])
  assert.deepEqual(led(`\`\`\`\n${'crane\n'.repeat(200)}\`\`\``).quotes, ['The crane is started so:'])
  const item = passage('The crane has:\n\n- a lift\n- a hook of 40 tons\n')
  assert.deepEqual(quote('How many tons has the hook of the crane?', [item]).quotes, [
    'The crane has:',
    '- a hook of 40 tons',
  ])
})

test('an item is quoted with its introduction, and an introduction with all items', () => {
  const items = '- if you are allergic to wool,\n- in the first month of a cold.'
  const leaflet = passage(`How to wear the scarf\nWind it twice.\n\nDo not wear the scarf\n${items}\n\nWash it cold.`)
  assert.deepEqual(quote('Who must not wear the scarf?', [leaflet]).quotes[0], `Do not wear the scarf\n${items}`)
  assert.deepEqual(quote('Can I wear it during the first month of a cold?', [leaflet]).quotes.slice(0, 2), [
    'Do not wear the scarf',
    '- in the first month of a cold.',
  ])
  const labels = passage('The scarf:\n- Wool: 80 %\n- Length: 2 m')
  assert.deepEqual(quote('How much wool is in the scarf?', [labels]).quotes, ['- Wool: 80 %'])
})

test('a question for a heading gets the whole list, and a question for one thing its item', () => {
  const list = '- a ticket for the bus, paid in full\n- 50 euros a month for sports\n- leave for parents: 16 weeks'
  const guide = passage(`## Hours\n\nWe open at nine.\n\n## Benefits\n\n${list}\n\n## Rooms\n\nThere are four.`)
  assert.deepEqual(quote('Which benefits are there?', [guide]).quotes, [list])
  assert.deepEqual(quote('How long is the leave for parents?', [guide]).quotes, ['- leave for parents: 16 weeks'])
})

test('a line of code is quoted with its whole block unless a kind is expected', () => {
  const fence = '```sh\nnpm install crane\ncrane --start\n```'
  const guide = passage(`## Installing\n\n${fence}\n\n## Port\n\n\`\`\`\nhost: crane\nport: 8080\n\`\`\``)
  assert.deepEqual(quote('How do I install the crane?', [guide]).quotes, [fence])
  assert.deepEqual(quote('How many is the port?', [guide]).quotes, ['port: 8080'])
})
