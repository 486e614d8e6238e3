import assert from 'node:assert/strict'
import test from 'node:test'
import { requireName } from './account-checks.ts'

test('what no store keeps of a name is replaced, as it is in texts', () => {
  assert.equal(requireName('name', ' a\u0000b\ud800 '), 'a\ufffdb\ufffd')
})

test('a name without a character but white space is refused as blank, whatever its length', () => {
  for (const name of [' \n\u2003', '\u200b', '\u0000', ' '.repeat(300)])
    assert.throws(() => requireName('name', name), { code: 'validation_failed', message: 'name must not be blank' })
})
