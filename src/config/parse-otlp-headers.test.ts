import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseOtlpHeaders } from './parse-otlp-headers.ts'

test('headers are pairs with commas between them, their values percent-encoded', () => {
  assert.deepEqual(parseOtlpHeaders('api-key=abc%20d==, x-team = search ,,=nothing,odd=100%'), {
    'api-key': 'abc d==',
    'x-team': 'search',
    odd: '100%',
  })
  assert.deepEqual(parseOtlpHeaders(''), {})
})
