import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage } from '../../../../test/support/ask-passages.ts'

test('of two numbers that which counts what is asked for is told', () => {
  const mail = passage('By letter 47 they were ordered. Among what came were pumps, which we counted: three.')
  assert.equal(ask('How many pumps were ordered?', [mail]).quotes.length, 1)
  assert.match(ask('How many pumps were ordered?', [mail]).quotes[0] ?? '', /three/)
})
