import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import { toBlobError } from './disk-errors.ts'

test('a full disk becomes insufficient_storage, anything else stays as it is', () => {
  const full = toBlobError(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }))
  assert.ok(full instanceof ApiError && full.code === 'insufficient_storage')
  const denied = Object.assign(new Error('permission denied'), { code: 'EACCES' })
  assert.equal(toBlobError(denied), denied)
})
