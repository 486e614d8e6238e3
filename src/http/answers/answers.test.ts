import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { contentDisposition } from './answers.ts'

test('the header is one line of printable ASCII for every name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      assert.match(contentDisposition(name), /^[\x20-\x7e]*$/)
    }),
  )
})

test('a non-ASCII name is sent in both forms', () => {
  assert.equal(contentDisposition('ré"su.md'), `attachment; filename="r__su.md"; filename*=UTF-8''r%C3%A9%22su.md`)
  assert.equal(contentDisposition('plain.txt'), 'attachment; filename="plain.txt"')
  assert.equal(contentDisposition('plans/2026/plain.txt'), 'attachment; filename="plain.txt"')
  assert.equal(contentDisposition(null), 'attachment')
})
