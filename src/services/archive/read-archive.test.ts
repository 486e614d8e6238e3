import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import { createEntrySet } from './read-archive.ts'

const ENTRY = { name: 'originals/00000001', bytes: 1, sha256: '0'.repeat(64) }
const LIMITS = { documents: 10, entries: 3, manifestBytes: 65_900 }

function isRefusal(message: RegExp) {
  return (error: unknown) =>
    error instanceof ApiError && error.code === 'invalid_archive' && message.test(error.message)
}

test('an archive at the limits of documents and files passes, and an archive above fails', () => {
  const seen = createEntrySet(LIMITS)
  seen.addDocuments(4)
  seen.addDocuments(6)
  assert.throws(() => seen.addDocuments(1), isRefusal(/more than 10 documents/))
  for (let entry = 0; entry < 3; entry += 1) seen.add(ENTRY)
  assert.throws(() => seen.add(ENTRY), isRefusal(/more than 3 files/))
})

test('the size limit of the manifest grows with the entries up to the maximum', () => {
  const seen = createEntrySet(LIMITS)
  const none = seen.manifestBounds()
  seen.add(ENTRY)
  const one = seen.manifestBounds()
  assert.ok(one.bytes - none.bytes > JSON.stringify(ENTRY).length)
  assert.ok(one.values > none.values)
  seen.addDocuments(10)
  assert.equal(seen.manifestBounds().bytes, LIMITS.manifestBytes)
})
