import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseError } from 'pg'
import { ApiError, type ErrorCode } from '../../errors.ts'
import { isUniqueViolation } from '../store-errors.ts'
import { isConnectionTrouble, isSerializationFailure, isTransient, toPostgresError } from './postgres-driver.ts'

function told(code: string): DatabaseError {
  return Object.assign(new DatabaseError('as the server says it', 0, 'error'), { code })
}

const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : null)

const EXPECTED: Readonly<Record<string, ErrorCode | null>> = {
  '08006': 'service_unavailable',
  '57P01': 'service_unavailable',
  '57P03': 'service_unavailable',
  '57014': 'service_unavailable',
  '53300': 'service_unavailable',
  '53100': 'insufficient_storage',
  '40001': 'service_unavailable',
  '40P01': 'service_unavailable',
  '55P03': 'service_unavailable',
  '25006': 'service_unavailable',
  '58030': 'data_damaged',
  XX001: 'data_damaged',
  XX002: 'data_damaged',
  XX000: 'service_unavailable',
  '58P01': 'service_unavailable',
  '23505': null,
  '42601': null,
  '22003': null,
}

test('translates failures of the server and keeps errors of the statement', () => {
  for (const [code, expected] of Object.entries(EXPECTED)) {
    const error = told(code)
    const translated = toPostgresError(error)
    assert.equal(codeOf(translated), expected, code)
    assert.equal(expected === null ? translated : (translated as ApiError).cause, error)
  }
  assert.ok(isUniqueViolation(toPostgresError(told('23505'))))
})

test('treats an error not from the server as a connection failure, except programming errors', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  for (const error of [refused, new Error('Query read timeout'), new Error('Connection terminated unexpectedly')]) {
    assert.equal(codeOf(toPostgresError(error)), 'service_unavailable')
    assert.ok(isConnectionTrouble(error))
  }
  const mistake = new TypeError('undefined is no value')
  assert.equal(toPostgresError(mistake), mistake)
  assert.ok(isConnectionTrouble(told('57P01')) && !isConnectionTrouble(told('57014')))
})

test('repeats a lost conflict, and waits at startup only for passing failures', () => {
  assert.ok(isSerializationFailure(toPostgresError(told('40P01'))) && isSerializationFailure(told('40001')))
  assert.ok(!isSerializationFailure(toPostgresError(told('57P01'))) && !isSerializationFailure(new Error('x')))
  assert.ok(isTransient(told('57P03')) && isTransient(told('53300')) && isTransient(new Error('connect ECONNREFUSED')))
  assert.ok(!isTransient(told('28P01')) && !isTransient(told('3D000')))
})
