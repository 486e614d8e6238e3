import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesEtag, parseByteRange } from './document-content.ts'

test('one range is read in its three forms', () => {
  assert.deepEqual(parseByteRange('bytes=0-9'), { start: 0, end: 9 })
  assert.deepEqual(parseByteRange('Bytes=10-'), { start: 10, end: null })
  assert.deepEqual(parseByteRange('bytes=-5'), { start: null, end: 5 })
})

test('what cannot be read as one range is ignored', () => {
  for (const header of [undefined, '', 'bytes=-', 'bytes=5-2', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=a-b']) {
    assert.equal(parseByteRange(header), null)
  }
})

test('a tag is named by itself, as a weak one, in a list and by the sign for any', () => {
  for (const named of ['"a-1"', 'W/"a-1"', '"b", "a-1"', '"b",W/"a-1" ', '*'])
    assert.ok(namesEtag(named, '"a-1"'), named)
  for (const other of [undefined, '', '"b"', 'a-1', '"a-1', 'w/"a-1"']) assert.ok(!namesEtag(other, '"a-1"'), other)
})
