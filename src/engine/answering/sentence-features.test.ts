import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage } from '../../../test/support/ask-passages.ts'

test('of two numbers that which counts what is asked for is told', () => {
  const mail = passage('Ordered on page 47 were parts. We shipped three pumps that you ordered.')
  assert.equal(ask('How many pumps were ordered?', [mail]).quotes[0], 'We shipped three pumps that you ordered.')
})
