import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import { isBusy, isUniqueViolation, isUnwritten, toStoreError } from './store-errors.ts'

const sqlite = (errcode: number) => Object.assign(new Error('from SQLite'), { code: 'ERR_SQLITE_ERROR', errcode })
const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : null)

test('a full disk is insufficient storage, whichever part found no room', () => {
  const full = [sqlite(13), sqlite(4874), Object.assign(new Error(), { code: 'ENOSPC' })]
  for (const error of full) assert.equal(codeOf(toStoreError(error)), 'insufficient_storage')
})

test('other trouble with the file is unavailable, with the original as its cause', () => {
  for (const errcode of [5, 261, 8, 10, 778, 1034, 14]) {
    const original = sqlite(errcode)
    const error = toStoreError(original)
    assert.equal(codeOf(error), 'service_unavailable')
    assert.equal(error instanceof Error && error.cause, original)
  }
})

test('a file that is damaged or cannot be read is damage, and no matter of trying again', () => {
  for (const errcode of [11, 267, 26, 266, 522, 8202, 8458])
    assert.equal(codeOf(toStoreError(sqlite(errcode))), 'data_damaged')
})

test('an error of the statement itself stays as it is', () => {
  for (const error of [sqlite(1), sqlite(19), sqlite(2067), new Error('mine'), 'text', null, undefined]) {
    assert.equal(toStoreError(error), error)
  }
})

test('a violated unique key is recognised on SQLite and on PostgreSQL', () => {
  const violations = [sqlite(2067), sqlite(1555), Object.assign(new Error(), { code: '23505' })]
  for (const error of violations) assert.equal(isUniqueViolation(error), true)
  for (const error of [sqlite(787), sqlite(13), new Error(), null]) assert.equal(isUniqueViolation(error), false)
})

test('a lock that another connection holds is recognised in all its forms', () => {
  for (const errcode of [5, 261, 517]) assert.equal(isBusy(sqlite(errcode)), true)
  for (const error of [sqlite(6), new Error(), undefined]) assert.equal(isBusy(error), false)
})

test('what could not be written is told from what cannot be read either', () => {
  for (const errcode of [13, 4874, 8, 10, 1034, 778]) assert.equal(isUnwritten(toStoreError(sqlite(errcode))), true)
  for (const errcode of [5, 7, 11, 14, 26]) assert.equal(isUnwritten(toStoreError(sqlite(errcode))), false)
  for (const error of [new ApiError('service_unavailable'), new Error(), null]) assert.equal(isUnwritten(error), false)
})
