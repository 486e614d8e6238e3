import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDefinition } from './is-definition.ts'

function defines(text: string, isPerson: boolean): boolean {
  const start = text.indexOf('Ann')
  return isDefinition(
    text,
    { matches: [{ unit: 0, term: 'ann', start, end: start + 3 }], start: 0 },
    { units: 1, isPerson },
  )
}

test('who somebody is stands in no line that he says, but in one that another says', () => {
  assert.equal(defines('Ann: Good morning', true), false)
  assert.equal(defines('Ann: a storm of that year', false), true)
  assert.equal(defines('Ben: Ann is the new treasurer.', true), true)
  assert.equal(defines('Yesterday Ann is said to have left.', true), false)
})
