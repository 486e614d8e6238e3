import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLongerThan } from './is-longer-than.ts'

test('a character of two code units counts as one', () => {
  assert.equal(isLongerThan('👍'.repeat(10), 10), false)
  assert.equal(isLongerThan('👍'.repeat(11), 10), true)
  assert.equal(isLongerThan(`${'👍'.repeat(9)}ab`, 10), true)
  assert.equal(isLongerThan('a'.repeat(10), 10), false)
  assert.equal(isLongerThan('a'.repeat(21), 10), true)
})
