import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { describe, test } from 'node:test'
import type { S3Place } from '../../../src/files/s3-place.ts'
import { createS3Blobs, type S3Blobs } from '../../../src/objects/s3-blobs.ts'
import { type Conditions, type FakeS3, startFakeS3 } from '../../support/fake-s3.ts'

async function withStore(
  conditions: Conditions,
  use: (blobs: S3Blobs, store: FakeS3) => Promise<void>,
  over: Partial<S3Place> = {},
): Promise<void> {
  const store = await startFakeS3(conditions)
  const credentials = { accessKeyId: 'an-id', secretAccessKey: 'a-secret', sessionToken: null }
  const { endpoint } = store
  const place = {
    bucket: 'memories',
    prefix: 'p',
    endpoint,
    region: 'us-east-1',
    credentials,
    pathStyle: true,
    encryption: null,
  }
  const blobs = createS3Blobs({ place: { ...place, ...over }, directory: tmpdir() })
  try {
    await use(blobs, store)
  } finally {
    blobs.close()
    await store.close()
  }
}

describe('the object store in a bucket', () => {
  test('conditional writes are reported only for a store that honours conditions', async () => {
    const found: Partial<Record<Conditions, boolean>> = {}
    for (const conditions of ['honoured', 'ignored', 'unknown'] as const) {
      await withStore(conditions, async (blobs, { objects }) => {
        found[conditions] = await blobs.hasConditionalWrites()
        await blobs.probe()
        assert.deepEqual([...objects.keys()], [], 'the probes left something')
      })
    }
    assert.deepEqual(found, { honoured: true, ignored: false, unknown: false })
  })

  test('a successful probe is cached for a while, a failed one is not', async () => {
    await withStore('honoured', async (blobs, store) => {
      store.refuse({ status: 403, code: 'AccessDenied' })
      await assert.rejects(blobs.probe(), { code: 'service_unavailable' })
      store.refuse(null)
      await blobs.probe()
      store.refuse({ status: 403, code: 'AccessDenied' })
      await blobs.probe()
    })
  })

  test('a machine whose clock is off by more than the store bears is not ready, and says why, until it is right again', async () => {
    for (const aheadMs of [16 * 60_000, -24 * 3_600_000]) {
      await withStore('honoured', async (blobs, store) => {
        store.setClock(aheadMs)
        const minutes = Math.abs(aheadMs) / 60_000
        await assert.rejects(blobs.probe(), {
          code: 'service_unavailable',
          message: new RegExp(`by ${minutes} minutes`),
        })
        store.setClock(0)
        await blobs.probe()
      })
    }
    await withStore('honoured', async (blobs, store) => {
      store.setClock(10 * 60_000)
      await blobs.probe()
    })
  })

  test('a store whose quota is used up is full, not down', async () => {
    await withStore('honoured', async (blobs, store) => {
      store.refuse({ status: 403, code: 'QuotaExceeded' })
      await assert.rejects(blobs.put('a', Buffer.from('x')), { code: 'insufficient_storage' })
    })
  })

  test('every write asks for the encryption of the settings', async () => {
    const encryption = { algorithm: 'aws:kms', kmsKeyId: 'alias/x' } as const
    await withStore(
      'honoured',
      async (blobs, { written }) => {
        await blobs.put('a', Buffer.from('x'))
        assert.equal(written[0]?.headers['x-amz-server-side-encryption'], 'aws:kms')
        assert.equal(written[0]?.headers['x-amz-server-side-encryption-aws-kms-key-id'], 'alias/x')
      },
      { encryption },
    )
    await withStore('honoured', async (blobs, { written }) => {
      await blobs.put('a', Buffer.from('x'))
      assert.equal(written[0]?.headers['x-amz-server-side-encryption'], undefined)
    })
  })

  test('keys lie under the prefix, or at the top where there is none', async () => {
    await withStore('honoured', async (blobs, { objects }) => {
      await blobs.put('a/b', Buffer.from('x'))
      assert.deepEqual([...objects.keys()], ['memories/p/objects/a/b'])
    })
    await withStore(
      'honoured',
      async (blobs, { objects }) => {
        await blobs.put('a/b', Buffer.from('x'))
        assert.deepEqual([...objects.keys()], ['memories/objects/a/b'])
        assert.deepEqual(await blobs.list('a/'), ['a/b'])
      },
      { prefix: '' },
    )
  })
})
