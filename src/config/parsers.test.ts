import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseOwnKey } from './parsers.ts'

test('a key of the operator is one that a header carries, and nothing of it is repeated where it is none', () => {
  assert.deepEqual(parseOwnKey(' a key with spaces, ~20 \n'), { value: 'a key with spaces, ~20' })
  for (const key of ['clé-à-moi-de-vingt-lettres', 'ключ-которого-никто-не-угадает', 'tab\tin-the-middle-of-a-key']) {
    const parsed = parseOwnKey(key)
    assert.ok('problem' in parsed, key)
    assert.match(parsed.problem, /ASCII alone.*choose another/)
    assert.ok(!parsed.problem.includes(key))
  }
  assert.match(JSON.stringify(parseOwnKey('x'.repeat(19))), /20 characters or more/)
})
