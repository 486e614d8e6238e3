import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isGarbled } from './read-page.ts'

test('a page of dingbats is garbled, a page with check marks is not', () => {
  assert.equal(isGarbled('✧★✩ ✪✫✝✥ ✬✭✝✞ ✧✮✯ ✁✂✄ ✤✭✫ ✤✥✰ '.repeat(4), 0), true)
  assert.equal(isGarbled('Oil the pump ✓ ✓ ✗ ✓ ✓\nClean the lamp ✓ ✗ ✗ ✓ ✓\n'.repeat(6), 0), false)
})
