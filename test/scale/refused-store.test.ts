/**
 * Processes refuse to start on a store without conditional writes, which would lose concurrent
 * commits.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { spawnProduct } from '../spec/product.ts'
import { startFakeS3 } from '../support/fake-s3.ts'
import { unlessLacking } from './support/installed-programs.ts'
import { startPostgres, whyNoPostgres } from './support/postgres-server.ts'

const reason = whyNoPostgres()
const END_MS = 60_000

test(
  'a store without conditional writes ends the start of every process of several, which says why',
  unlessLacking(reason),
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'recollect-refused-'))
    const [store, postgres] = await Promise.all([startFakeS3('ignored'), startPostgres({ isDurable: false })])
    try {
      const settings = {
        RECOLLECT_DATABASE_URL: await postgres.makeDatabase('refused'),
        RECOLLECT_OBJECT_STORE_URL: 's3://memories/p',
        RECOLLECT_S3_ENDPOINT: store.endpoint,
        AWS_ACCESS_KEY_ID: 'an-id',
        AWS_SECRET_ACCESS_KEY: 'a-secret',
        RECOLLECT_PORT: '0',
      }
      for (const role of ['api', 'worker']) {
        const child = spawnProduct({ ...settings, RECOLLECT_ROLE: role, RECOLLECT_DATA_DIR: join(directory, role) })
        const late = setTimeout(() => void child.end('SIGKILL'), END_MS)
        const { code, output } = await child.ended()
        clearTimeout(late)
        assert.equal(code, 78, output)
        assert.match(output, /does not support If-None-Match: \*.*would lose documents/)
      }
    } finally {
      await store.close()
      await postgres.stop()
      await rm(directory, { recursive: true, force: true })
    }
  },
)
