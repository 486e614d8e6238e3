import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import { errorAnswer, toApiError } from './error-answer.ts'

test('an unexpected error shows nothing of its cause', () => {
  const { status, body } = errorAnswer(toApiError(new Error('secret path /data')), 'req_1')
  assert.equal(status, 500)
  assert.equal(JSON.stringify(body).includes('secret'), false)
})

test('a limit of open files passes, and says who can raise it', () => {
  for (const code of ['EMFILE', 'ENFILE']) {
    const error = toApiError(Object.assign(new Error('too many open files'), { code }))
    assert.equal(error.code, 'service_unavailable')
    assert.match(error.remedy, /LimitNOFILE/)
  }
})

test('a full disk is insufficient_storage, whoever met it', () => {
  assert.equal(toApiError(Object.assign(new Error('no space'), { code: 'ENOSPC' })).code, 'insufficient_storage')
})

test('every 429 and 503 says when to come back, a 401 how to sign in, a 405 what is allowed', () => {
  assert.equal(errorAnswer(new ApiError('queue_full'), 'r').headers['retry-after'], '5')
  assert.equal(errorAnswer(new ApiError('rate_limited', { retryAfterSeconds: 11.2 }), 'r').headers['retry-after'], '12')
  assert.equal(errorAnswer(new ApiError('missing_api_key'), 'r').headers['www-authenticate'], 'Bearer')
  assert.equal(
    errorAnswer(new ApiError('method_not_allowed', { allow: ['GET', 'HEAD'] }), 'r').headers['allow'],
    'GET, HEAD',
  )
})

test('further facts stand in the error object', () => {
  const error = new ApiError('query_quota_exceeded', { extra: { limit: 5, used: 5, resetDate: 'd', planName: 'Free' } })
  const { body } = errorAnswer(error, 'req_1') as { body: { error: Record<string, unknown> } }
  assert.deepEqual([body.error['limit'], body.error['planName'], body.error['requestId']], [5, 'Free', 'req_1'])
})

test('what the framework refuses is the request of the caller, whatever it calls it', () => {
  const refusal = (statusCode: number) => Object.assign(new Error('inner words'), { code: 'FST_ERR_NEW', statusCode })
  assert.equal(toApiError(refusal(400)).code, 'validation_failed')
  assert.doesNotMatch(toApiError(refusal(400)).message, /inner/)
  assert.equal(toApiError(refusal(500)).code, 'internal_error')
})
