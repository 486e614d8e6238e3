import assert from 'node:assert/strict'
import { test } from 'node:test'
import { value } from '../../../../test/support/find-value.ts'

test('the rows below an empty head of Markdown are labels and values, the first as well', () => {
  const policy = '| | |\n|---|---|\n| Policy number | WM-66-20417 |\n| Policyholder | Hannah Brightwell |'
  assert.equal(value('Policy number', policy), 'WM-66-20417')
  assert.equal(value('Policyholder', policy), 'Hannah Brightwell')
})
