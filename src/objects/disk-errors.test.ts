import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import { toBlobError } from './disk-errors.ts'

test('a full disk becomes insufficient_storage, other trouble of the disk may pass, anything else stays as it is', () => {
  const systemError = (code: string) => Object.assign(new Error(code), { code, syscall: 'open' })
  const codeOf = (error: unknown) => error instanceof ApiError && error.code
  assert.equal(codeOf(toBlobError(systemError('ENOSPC'))), 'insufficient_storage')
  assert.equal(codeOf(toBlobError(systemError('EIO'))), 'service_unavailable')
  const other = new Error('of ours')
  assert.equal(toBlobError(other), other)
})
