import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStacked } from './read-stacked.ts'
import { splitCells } from './split-cells.ts'

const read = (text: string) =>
  readStacked(text, splitCells(text)).map(({ label, start, end }) => [label, text.slice(start, end)])

test('a list below a numbered heading ends at the next one, and a numbered list goes on over its own', () => {
  const minutes = '3. Action items\n- Amir orders the parts\n\n- Joan writes\n\n4. Next meeting\n- 5 May, town hall'
  assert.deepEqual(read(minutes), [
    ['Action items', '- Amir orders the parts\n\n- Joan writes'],
    ['Next meeting', '- 5 May, town hall'],
  ])
  const steps = 'Steps\n\n1. Drain it\n- by the tap\n\n2. Fill it\n- slowly'
  assert.deepEqual(read(steps)[0], ['Steps', steps.slice('Steps\n\n'.length)])
})

test('lists below one another take time linear in their number', () => {
  const text = '1. A\n- b\n\n'.repeat(50_000)
  assert.equal(readStacked(text, splitCells(text)).length, 50_000)
})
