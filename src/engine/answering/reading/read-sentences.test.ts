import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, passage } from '../../../../test/support/ask-passages.ts'

test('the head of a table leads in its rows, below the heading they stand under', () => {
  const rows = '| On call | Priya Nair | 555-0101 |\n| Stores | Sam Ode | 555-0102 |'
  const table = `## Contacts\n\n| Role | Name | Phone |\n| --- | --- | --- |\n${rows}`
  const staff = passage(`${table}\n\nThe stores are closed on Monday.`)
  assert.deepEqual(ask('What is the phone number of the stores?', [staff]).quotes, ['| Stores | Sam Ode | 555-0102 |'])
  assert.deepEqual(ask('Which role has Sam Ode?', [staff]).quotes, ['| Stores | Sam Ode | 555-0102 |'])
})
