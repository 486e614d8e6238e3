import assert from 'node:assert/strict'
import test from 'node:test'
import { requireName } from './account-checks.ts'

test('replaces characters of a name that cannot be stored', () => {
  assert.equal(requireName('name', ' a\u0000b\ud800 '), 'a\ufffdb\ufffd')
})

test('rejects a name of white space as blank, regardless of its length', () => {
  for (const name of [' \n\u2003', '\u200b', '\u0000', ' '.repeat(300)])
    assert.throws(() => requireName('name', name), { code: 'validation_failed', message: 'name must not be blank' })
})
