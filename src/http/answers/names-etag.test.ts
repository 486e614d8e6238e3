import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesEtag } from './names-etag.ts'

test('a tag is named by itself, as a weak one, in a list and by the sign for any', () => {
  for (const named of ['"a-1"', 'W/"a-1"', '"b", "a-1"', '"b",W/"a-1" ', '*'])
    assert.ok(namesEtag(named, '"a-1"'), named)
  for (const other of [undefined, '', '"b"', 'a-1', '"a-1', 'w/"a-1"']) assert.ok(!namesEtag(other, '"a-1"'), other)
})
