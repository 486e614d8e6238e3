import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import { errorAnswer, toApiError } from './error-answer.ts'

test('an unexpected error does not expose its cause', () => {
  const { status, body } = errorAnswer(toApiError(new Error('secret path /data')), 'req_1')
  assert.equal(status, 500)
  assert.equal(JSON.stringify(body).includes('secret'), false)
})

test('running out of file descriptors is a 503 that names the remedy', () => {
  for (const code of ['EMFILE', 'ENFILE']) {
    const error = toApiError(Object.assign(new Error('too many open files'), { code }))
    assert.equal(error.code, 'service_unavailable')
    assert.match(error.remedy, /LimitNOFILE/)
  }
})

test('a full disk is insufficient_storage', () => {
  assert.equal(toApiError(Object.assign(new Error('no space'), { code: 'ENOSPC' })).code, 'insufficient_storage')
})

test('429 and 503 have Retry-After, 401 has WWW-Authenticate, 405 has Allow', () => {
  assert.equal(errorAnswer(new ApiError('queue_full'), 'r').headers['retry-after'], '5')
  assert.equal(errorAnswer(new ApiError('rate_limited', { retryAfterSeconds: 11.2 }), 'r').headers['retry-after'], '12')
  assert.equal(errorAnswer(new ApiError('missing_api_key'), 'r').headers['www-authenticate'], 'Bearer')
  assert.equal(
    errorAnswer(new ApiError('method_not_allowed', { allow: ['GET', 'HEAD'] }), 'r').headers['allow'],
    'GET, HEAD',
  )
})

test('additional details are part of the error object', () => {
  const error = new ApiError('query_quota_exceeded', { extra: { limit: 5, used: 5, resetDate: 'd', planName: 'Free' } })
  const { body } = errorAnswer(error, 'req_1') as { body: { error: Record<string, unknown> } }
  assert.deepEqual([body.error['limit'], body.error['planName'], body.error['requestId']], [5, 'Free', 'req_1'])
})

test('errors of the framework are client errors', () => {
  const refusal = (statusCode: number) => Object.assign(new Error('inner words'), { code: 'FST_ERR_NEW', statusCode })
  assert.equal(toApiError(refusal(400)).code, 'validation_failed')
  assert.doesNotMatch(toApiError(refusal(400)).message, /inner/)
  assert.equal(toApiError(refusal(500)).code, 'internal_error')
})
