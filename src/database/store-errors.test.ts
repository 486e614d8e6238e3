import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import { isBusy, isUniqueViolation, isWriteUnavailable, toStoreError } from './store-errors.ts'

const sqlite = (errcode: number) => Object.assign(new Error('from SQLite'), { code: 'ERR_SQLITE_ERROR', errcode })
const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : null)

test('maps every form of a full disk to insufficient_storage', () => {
  const full = [sqlite(13), sqlite(4874), Object.assign(new Error(), { code: 'ENOSPC' })]
  for (const error of full) assert.equal(codeOf(toStoreError(error)), 'insufficient_storage')
})

test('maps other file errors to service_unavailable with the original cause', () => {
  for (const errcode of [5, 261, 8, 10, 778, 1034, 14]) {
    const original = sqlite(errcode)
    const error = toStoreError(original)
    assert.equal(codeOf(error), 'service_unavailable')
    assert.equal(error instanceof Error && error.cause, original)
  }
})

test('maps a damaged or unreadable file to data_damaged', () => {
  for (const errcode of [11, 267, 26, 266, 522, 8202, 8458])
    assert.equal(codeOf(toStoreError(sqlite(errcode))), 'data_damaged')
})

test('keeps errors of the statement', () => {
  for (const error of [sqlite(1), sqlite(19), sqlite(2067), new Error('mine'), 'text', null, undefined]) {
    assert.equal(toStoreError(error), error)
  }
})

test('recognises a unique violation on SQLite and PostgreSQL', () => {
  const violations = [sqlite(2067), sqlite(1555), Object.assign(new Error(), { code: '23505' })]
  for (const error of violations) assert.equal(isUniqueViolation(error), true)
  for (const error of [sqlite(787), sqlite(13), new Error(), null]) assert.equal(isUniqueViolation(error), false)
})

test('recognises every form of a lock held by another connection', () => {
  for (const errcode of [5, 261, 517]) assert.equal(isBusy(sqlite(errcode)), true)
  for (const error of [sqlite(6), new Error(), undefined]) assert.equal(isBusy(error), false)
})

test('distinguishes a failed write from an unreadable file', () => {
  for (const errcode of [13, 4874, 8, 10, 1034, 778])
    assert.equal(isWriteUnavailable(toStoreError(sqlite(errcode))), true)
  for (const errcode of [5, 7, 11, 14, 26]) assert.equal(isWriteUnavailable(toStoreError(sqlite(errcode))), false)
  for (const error of [new ApiError('service_unavailable'), new Error(), null])
    assert.equal(isWriteUnavailable(error), false)
})
