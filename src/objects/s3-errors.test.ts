import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import { explainS3Failure, toS3Error } from './s3-errors.ts'

function answered(name: string, status: number): Error {
  return Object.assign(new Error('what the store says'), { name, $metadata: { httpStatusCode: status } })
}

function codeOf(error: unknown): string | null {
  return error instanceof ApiError ? error.code : null
}

test('maps a full store to insufficient_storage and other store errors to service_unavailable', () => {
  for (const name of ['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage'])
    assert.equal(codeOf(toS3Error(answered(name, 403), 'b')), 'insufficient_storage')
  assert.equal(codeOf(toS3Error(answered('Unknown', 507), 'b')), 'insufficient_storage')
  for (const name of ['SlowDown', 'AccessDenied', 'NoSuchBucket', 'InternalError'])
    assert.equal(codeOf(toS3Error(answered(name, 503), 'b')), 'service_unavailable')
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', $metadata: { attempts: 3 } })
  assert.equal(codeOf(toS3Error(refused, 'b')), 'service_unavailable')
})

test('returns unrelated errors unchanged', () => {
  const left = new Error('the client went away')
  assert.equal(toS3Error(left, 'b'), left)
})

test('names the wrong setting', () => {
  const settings = {
    NoSuchBucket: /bucket memories does not exist.* RECOLLECT_OBJECT_STORE_URL/,
    InvalidAccessKeyId: /does not know AWS_ACCESS_KEY_ID/,
    SignatureDoesNotMatch: /AWS_SECRET_ACCESS_KEY does not match/,
    AccessDenied: /lacks a permission on bucket memories/,
    PermanentRedirect: /AWS_REGION must be the region of the bucket memories/,
    CredentialsProviderError: /set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/,
  }
  for (const [name, sentence] of Object.entries(settings))
    assert.match(explainS3Failure(answered(name, 400), 'memories'), sentence)
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  assert.match(explainS3Failure(refused, 'memories'), /no server answers at RECOLLECT_S3_ENDPOINT/)
})

test('names network errors by code and omits empty messages', () => {
  const failed = (code: string) => explainS3Failure(Object.assign(new Error('connect'), { code }), 'b')
  assert.match(failed('EPROTO'), /\(EPROTO\): RECOLLECT_S3_ENDPOINT has the wrong scheme/)
  assert.match(failed('DEPTH_ZERO_SELF_SIGNED_CERT'), /\(DEPTH_ZERO_SELF_SIGNED_CERT\): this machine does not trust/)
  const silent = (name: string, status: number) =>
    Object.assign(new Error('UnknownError'), { name, $metadata: { httpStatusCode: status } })
  assert.equal(explainS3Failure(silent('Unknown', 503), 'b'), 'The object store answered 503.')
  assert.match(
    explainS3Failure(silent('NoSuchBucket', 404), 'b'),
    /answered 404 \(NoSuchBucket\): bucket b does not exist/,
  )
})
