import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesEtag, parseByteRange } from './document-content.ts'

test('a single range is parsed in its three forms', () => {
  assert.deepEqual(parseByteRange('bytes=0-9'), { start: 0, end: 9 })
  assert.deepEqual(parseByteRange('Bytes=10-'), { start: 10, end: null })
  assert.deepEqual(parseByteRange('bytes=-5'), { start: null, end: 5 })
})

test('an unsupported or invalid range is ignored', () => {
  for (const header of [undefined, '', 'bytes=-', 'bytes=5-2', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=a-b']) {
    assert.equal(parseByteRange(header), null)
  }
})

test('an entity tag matches itself, its weak form, a list and *', () => {
  for (const named of ['"a-1"', 'W/"a-1"', '"b", "a-1"', '"b",W/"a-1" ', '*'])
    assert.ok(matchesEtag(named, '"a-1"'), named)
  for (const other of [undefined, '', '"b"', 'a-1', '"a-1', 'w/"a-1"']) assert.ok(!matchesEtag(other, '"a-1"'), other)
})
