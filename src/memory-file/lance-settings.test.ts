import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { S3Place } from '../files/s3-place.ts'
import { s3StorageOptions, sizeCache, sizeIndexBuffer } from './lance-settings.ts'

const MEGABYTE = 1024n ** 2n
const GIGABYTE = 1024 ** 3

test('a cache is limited to its size and to a sixteenth of the memory', () => {
  assert.equal(sizeCache(384n * MEGABYTE, 2 * GIGABYTE), 128n * MEGABYTE)
  assert.equal(sizeCache(384n * MEGABYTE, 64 * GIGABYTE), 384n * MEGABYTE)
  assert.equal(sizeCache(384n * MEGABYTE), 384n * MEGABYTE)
})

test('the buffer of a term index fits the memory', () => {
  assert.deepEqual(
    [0.25, 0.5, 1, 2, 4, 64].map((size) => sizeIndexBuffer(size * GIGABYTE)),
    [16, 16, 32, 64, 128, 128],
  )
  assert.equal(sizeIndexBuffer(), 128)
})

const BUCKET: S3Place = {
  bucket: 'memories',
  prefix: '',
  endpoint: null,
  region: 'eu-west-1',
  credentials: null,
  pathStyle: false,
  encryption: null,
}

function chosen(bucket: Partial<S3Place>): Record<string, string> {
  const options = s3StorageOptions({ ...BUCKET, ...bucket })
  return Object.fromEntries(Object.entries(options).filter(([name]) => /^aws_|allow/.test(name)))
}

test('AWS needs only the region; credentials come from the machine', () => {
  assert.deepEqual(chosen({}), { aws_region: 'eu-west-1', aws_virtual_hosted_style_request: 'true' })
})

test('an endpoint is used with the bucket in the path or in the host name', () => {
  const endpoint = 'http://127.0.0.1:9000'
  const inPath = chosen({ endpoint, pathStyle: true })
  assert.deepEqual([inPath['aws_endpoint'], inPath['allow_http']], [endpoint, 'true'])
  const inName = chosen({ endpoint: 'https://store.example:9000', pathStyle: false })
  assert.deepEqual([inName['aws_endpoint'], inName['allow_http']], ['https://memories.store.example:9000', 'false'])
})

test('keys, token and encryption are passed on', () => {
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' }
  const options = chosen({ credentials, encryption: { algorithm: 'aws:kms', kmsKeyId: 'alias/x' } })
  assert.equal(options['aws_access_key_id'], 'id')
  assert.equal(options['aws_secret_access_key'], 'secret')
  assert.equal(options['aws_session_token'], 'token')
  assert.equal(options['aws_server_side_encryption'], 'aws:kms')
  assert.equal(options['aws_sse_kms_key_id'], 'alias/x')
})
