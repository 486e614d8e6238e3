import assert from 'node:assert/strict'
import { test } from 'node:test'
import { value } from '../../../test/support/find-value.ts'
import { readStacked } from './read-pairs.ts'
import { splitCells } from './split-cells.ts'

const read = (text: string) =>
  readStacked(text, splitCells(text)).map(({ label, start, end }) => [label, text.slice(start, end)])

test('ends a list below a numbered heading at the next heading, and continues a numbered list over bullets', () => {
  const minutes = '3. Action items\n- Amir orders the parts\n\n- Joan writes\n\n4. Next meeting\n- 5 May, town hall'
  assert.deepEqual(read(minutes), [
    ['Action items', '- Amir orders the parts\n\n- Joan writes'],
    ['Next meeting', '- 5 May, town hall'],
  ])
  const steps = 'Steps\n\n1. Drain it\n- by the tap\n\n2. Fill it\n- slowly'
  assert.deepEqual(read(steps)[0], ['Steps', steps.slice('Steps\n\n'.length)])
})

test('reads consecutive lists in linear time', () => {
  const text = '1. A\n- b\n\n'.repeat(50_000)
  assert.equal(readStacked(text, splitCells(text)).length, 50_000)
})

test('finds a list below a numbered heading', () => {
  const minutes = '2. Rents\nThe rent rises.\n\n3. Action items\n- Amir orders the parts\n- Joan writes to the council'
  assert.deepEqual(value('Action items', minutes, { type: 'list' }), [
    'Amir orders the parts',
    'Joan writes to the council',
  ])
})

test('reads lists of one item, and items with colons', () => {
  assert.deepEqual(value('Absent', 'Absent: Dan Ito', { type: 'list' }), ['Dan Ito'])
  const cv = 'ELENA MARCHETTI\nGraphic designer\n\nLANGUAGES\n- Italian: native\n- English: C1\n\nSKILLS\nletterpress'
  assert.deepEqual(value('Languages', cv, { type: 'list' }), ['Italian: native', 'English: C1'])
  assert.equal(value('Full name', cv), 'ELENA MARCHETTI')
  assert.equal(value('Full name', cv.replace('ELENA MARCHETTI', 'CURRICULUM VITAE')), null)
  assert.equal(value('Phone', 'Leader: Bob Farrow (07700 900 455)', { type: 'phone' }), '07700900455')
})
