import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigError, readConfig } from '../config.ts'

const KEYS = { AWS_ACCESS_KEY_ID: 'an-id', AWS_SECRET_ACCESS_KEY: 'a-secret' }

function problemsOf(settings: Record<string, string>): string {
  try {
    readConfig(settings)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

describe('the object store in the settings', () => {
  it('is the data folder unless a bucket is named', () => {
    assert.equal(readConfig({ ...KEYS, AWS_REGION: 'eu-west-1' }).objectStore, null)
  })

  it('at AWS has the bucket in the name of the host, elsewhere in the path', () => {
    const aws = readConfig({ RECOLLECT_OBJECT_STORE_URL: 's3://memories', ...KEYS, AWS_REGION: 'eu-west-1' })
    assert.deepEqual(aws.objectStore, {
      bucket: 'memories',
      prefix: '',
      endpoint: null,
      region: 'eu-west-1',
      credentials: { accessKeyId: 'an-id', secretAccessKey: 'a-secret', sessionToken: null },
      pathStyle: false,
      encryption: null,
      cacheBytes: 2048 * 1024 * 1024,
    })
    const endpoint = {
      RECOLLECT_OBJECT_STORE_URL: 's3://b-1.x/one/two/',
      RECOLLECT_S3_ENDPOINT: 'http://127.0.0.1:9000/',
    }
    const own = readConfig({ ...endpoint, ...KEYS }).objectStore
    assert.deepEqual([own?.bucket, own?.prefix, own?.endpoint], ['b-1.x', 'one/two', 'http://127.0.0.1:9000'])
    assert.deepEqual([own?.pathStyle, own?.region], [true, 'us-east-1'])
    assert.equal(readConfig({ ...endpoint, ...KEYS, RECOLLECT_S3_PATH_STYLE: 'false' }).objectStore?.pathStyle, false)
  })

  it('takes what the machine has where no keys are set, and asks for both or none', () => {
    const url = { RECOLLECT_OBJECT_STORE_URL: 's3://memories' }
    assert.equal(readConfig(url).objectStore?.credentials, null)
    assert.match(problemsOf({ ...url, AWS_ACCESS_KEY_ID: 'an-id' }), /AWS_SECRET_ACCESS_KEY need each other/)
  })

  it('is encrypted as the settings say', () => {
    const url = { RECOLLECT_OBJECT_STORE_URL: 's3://memories' }
    const kms = { RECOLLECT_S3_ENCRYPTION: 'aws:kms', RECOLLECT_S3_KMS_KEY_ID: 'alias/x' }
    assert.deepEqual(readConfig({ ...url, ...kms }).objectStore?.encryption, {
      algorithm: 'aws:kms',
      kmsKeyId: 'alias/x',
    })
    assert.match(problemsOf({ ...url, RECOLLECT_S3_KMS_KEY_ID: 'alias/x' }), /needs RECOLLECT_S3_ENCRYPTION=aws:kms/)
    assert.match(problemsOf({ ...url, RECOLLECT_S3_ENCRYPTION: 'rot13' }), /must be "AES256" or "aws:kms"/)
  })

  it('refuses names that would mean something else in a path or a URL', () => {
    for (const url of [
      's3://',
      's3://Memories',
      's3://memories/a b',
      's3://memories/../x',
      's3://memories//x',
      'http://x/y',
    ])
      assert.match(
        problemsOf({ RECOLLECT_OBJECT_STORE_URL: url }),
        /must be s3:\/\/bucket or s3:\/\/bucket\/prefix/,
        url,
      )
    for (const endpoint of ['127.0.0.1:9000', 'https://id:secret@host', 'https://host/path', 's3://host'])
      assert.match(
        problemsOf({ RECOLLECT_S3_ENDPOINT: endpoint }),
        /must be an http or https address without/,
        endpoint,
      )
  })

  it('says that an endpoint alone keeps nothing', () => {
    assert.match(problemsOf({ RECOLLECT_S3_ENDPOINT: 'http://127.0.0.1:9000' }), /needs RECOLLECT_OBJECT_STORE_URL/)
  })

  it('keeps its keys secret', () => {
    const { secrets } = readConfig({ ...KEYS, AWS_SESSION_TOKEN: 'a-token' }).log
    assert.deepEqual([...secrets].sort(), ['a-secret', 'a-token', 'an-id'])
  })
})
