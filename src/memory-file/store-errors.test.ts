import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import { isCommitConflict, isNotFoundError, toStoreError } from './store-errors.ts'

test('a full disk is distinguished from all other failures', () => {
  const cases = [
    ['LanceError(IO): Generic LocalFileSystem error: No space left on device (os error 28)', 'insufficient_storage'],
    ["ENOSPC: no space left on device, write '/x'", 'insufficient_storage'],
    ['Disk quota exceeded (os error 122)', 'insufficient_storage'],
    ['LanceError(IO): Input/output error (os error 5)', 'service_unavailable'],
    ['os error 281', 'service_unavailable'],
  ] as const
  for (const [message, code] of cases) {
    const cause = new Error(message)
    const translated = toStoreError(cause)
    assert.ok(translated instanceof ApiError)
    assert.equal(translated.code, code)
    assert.equal(translated.cause, cause)
  }
})

test('API errors and programming errors are unchanged', () => {
  for (const error of [new ApiError('memory_not_found'), new TypeError('a vector has 8 numbers')]) {
    assert.equal(toStoreError(error), error)
  }
})

test('conflicts and missing files are recognized by messages of Lance', () => {
  const conflict = 'Retryable commit conflict for version 3: preempted by concurrent transaction. Please retry.'
  assert.equal(isCommitConflict(new Error(conflict)), true)
  assert.equal(isNotFoundError(new Error(conflict)), false)
  assert.equal(isNotFoundError(new Error("Table 'mem_a' was not found")), true)
  assert.equal(isNotFoundError('Not found: x/_versions'), true)
})
