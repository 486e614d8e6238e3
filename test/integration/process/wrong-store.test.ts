import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { spawnProduct } from '../../spec/product.ts'
import { startFakeS3 } from '../../support/fake-s3.ts'

test('a store without conditional writes prevents the start with the reason', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'recollect-store-'))
  const store = await startFakeS3('ignored')
  const { code, output } = await spawnProduct({
    RECOLLECT_DATA_DIR: directory,
    RECOLLECT_PORT: '0',
    RECOLLECT_OBJECT_STORE_URL: 's3://memories/p',
    RECOLLECT_S3_ENDPOINT: store.endpoint,
    AWS_ACCESS_KEY_ID: 'an-id',
    AWS_SECRET_ACCESS_KEY: 'a-secret',
  }).ended()
  await store.close()
  await rm(directory, { recursive: true, force: true })
  assert.equal(code, 78, output)
  assert.match(output, /does not support If-None-Match: \*.*would lose documents/)
})
