import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseByteRange } from './byte-range.ts'

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
