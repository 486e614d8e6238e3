/** The object store in a bucket, on a real S3 store and through a network that fails. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { createS3Blobs, type S3Blobs } from '../../src/objects/s3-blobs.ts'
import { createS3Clients } from '../../src/objects/s3-client.ts'
import { type CephServer, startCeph, whyNoCeph } from './support/ceph-server.ts'
import { type FaultProxy, startFaultProxy } from './support/fault-proxy.ts'
import { unlessLacking } from './support/installed-programs.ts'
import { s3Place } from './support/s3-place.ts'
import { startLimit } from './support/time-limit.ts'

const reason = whyNoCeph()
/** The limit of the promise: a caller hears of an outage in under 15 s. */
const OUTAGE_MS = 15_000
const MEGABYTE = 1024 * 1024

describe('objects in an S3 bucket', unlessLacking(reason), () => {
  let server: CephServer
  let proxy: FaultProxy
  let blobs: S3Blobs
  let directory = ''
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'recollect-s3-'))
    server = await startCeph()
    proxy = await startFaultProxy(server.port)
    blobs = createS3Blobs({ place: s3Place(server, 'some/prefix', proxy.url), directory })
  })
  after(async () => {
    blobs?.close()
    await proxy?.close()
    await server?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  async function read(key: string, range?: { start: number; end: number }): Promise<string | null> {
    const stream = await blobs.get(key, range)
    return stream === null ? null : text(stream)
  }

  async function openUploads(): Promise<number> {
    const { requests } = createS3Clients(s3Place(server, ''))
    const { Uploads = [] } = await requests.send(new ListMultipartUploadsCommand({ Bucket: server.bucket }))
    requests.destroy()
    return Uploads.length
  }

  test('an object is given back whole and in ranges, from buffers and streams', async () => {
    assert.deepEqual(await blobs.put('a/1', Buffer.from('0123456789')), { bytes: 10 })
    const stream = Readable.from([Buffer.from('01234'), Buffer.from('56789')])
    assert.deepEqual(await blobs.put('a/2', stream), { bytes: 10 })
    assert.deepEqual(await blobs.put('a/3', Buffer.alloc(0)), { bytes: 0 })
    for (const key of ['a/1', 'a/2']) {
      assert.equal(await read(key), '0123456789')
      assert.equal(await read(key, { start: 2, end: 4 }), '234')
      assert.equal(await blobs.size(key), 10)
    }
    assert.equal(await read('a/3'), '')
  })

  test('a large file goes in parts, comes back byte by byte, and is gone where it was', async () => {
    const path = join(directory, 'upload')
    const content = randomBytes(21 * MEGABYTE)
    await writeFile(path, content)
    assert.deepEqual(await blobs.putFile('large', path), { bytes: content.length })
    await assert.rejects(stat(path), { code: 'ENOENT' })
    const stream = await blobs.get('large')
    assert.ok(stream !== null && (await buffer(stream)).equals(content))
    assert.equal(await openUploads(), 0)
  })

  test('a missing object is null, and a later write replaces an earlier one', async () => {
    assert.equal(await blobs.get('none'), null)
    assert.equal(await blobs.size('none'), null)
    await blobs.put('replaced', Buffer.from('long content'))
    await blobs.put('replaced', Buffer.from('short'))
    assert.equal(await read('replaced'), 'short')
  })

  test('objects are listed and removed by prefix, also where there are more than a page of them', async () => {
    const numbers = Array.from({ length: 1100 }, (_, number) => number)
    for (let start = 0; start < numbers.length; start += 50)
      await Promise.all(numbers.slice(start, start + 50).map((number) => blobs.put(`p/ab/${number}`, Buffer.from('x'))))
    await blobs.put('p/a/1', Buffer.from('x'))
    assert.equal((await blobs.list('p/')).length, 1101)
    assert.deepEqual(await blobs.list('p/a/'), ['p/a/1'])
    await blobs.purge('p/ab')
    await blobs.purge('p/ab')
    assert.deepEqual(await blobs.list('p/'), ['p/a/1'])
  })

  test('a stream that fails leaves neither object nor parts', async () => {
    const failing = Readable.from(
      (async function* () {
        for (let part = 0; part < 20; part += 1) yield Buffer.alloc(MEGABYTE)
        throw new Error('the client went away')
      })(),
    )
    await assert.rejects(blobs.put('failed', failing), /went away/)
    assert.equal(await blobs.size('failed'), null)
    await blobs.sweepTemporary(-60_000)
    assert.equal(await openUploads(), 0)
  })

  test('the probe passes and leaves nothing, and the store has conditional writes', async () => {
    await blobs.probe()
    assert.equal(await blobs.hasConditionalWrites(), true)
    await blobs.ping()
    assert.deepEqual(await blobs.list('probe/'), [])
  })

  test('a sweep removes leftovers of crashed uploads and probes, and keeps running ones', async () => {
    const { requests } = createS3Clients(s3Place(server, ''))
    await requests.send(new CreateMultipartUploadCommand({ Bucket: server.bucket, Key: 'some/prefix/objects/crashed' }))
    await requests.send(new CreateMultipartUploadCommand({ Bucket: server.bucket, Key: 'of/others' }))
    requests.destroy()
    await blobs.put('probe/left', Buffer.from('x'))
    assert.equal(await blobs.sweepTemporary(60_000), 0)
    assert.equal(await blobs.sweepTemporary(-60_000), 2)
    assert.deepEqual(await blobs.list('probe/'), [])
    assert.equal(await openUploads(), 1)
  })

  test('a wrong bucket, name or secret is said by the setting to look at, without the secret', async () => {
    const place = s3Place(server, 'x')
    const wrong = {
      'bucket elsewhere does not exist': { ...place, bucket: 'elsewhere' },
      'does not know AWS_ACCESS_KEY_ID': { ...place, credentials: { ...place.credentials, accessKeyId: 'nobody' } },
      'AWS_SECRET_ACCESS_KEY does not match AWS_ACCESS_KEY_ID': {
        ...place,
        credentials: { ...place.credentials, secretAccessKey: 'hunter2' },
      },
    }
    for (const [sentence, there] of Object.entries(wrong)) {
      const refused = createS3Blobs({ place: there as typeof place, directory })
      await assert.rejects(refused.probe(), ({ code, message, cause }) => {
        assert.equal(code, 'service_unavailable')
        assert.match(cause.message, new RegExp(sentence))
        assert.doesNotMatch(cause.message, /hunter2/)
        // Callers read this message.
        assert.doesNotMatch(message, /hunter2|nobody|elsewhere/)
        return true
      })
      refused.close()
    }
  })

  for (const fault of [{ kind: 'unavailable' }, { kind: 'refuse' }, { kind: 'blackhole' }] as const) {
    test(`with the store in the state "${fault.kind}" every call is service_unavailable in time, and works again after it`, async () => {
      await blobs.put('during/a', Buffer.from('x'))
      proxy.set(fault)
      const assertInTime = startLimit(OUTAGE_MS)
      const calls = [
        blobs.put('during/b', Buffer.from('x')),
        blobs.put('during/c', Readable.from([Buffer.alloc(9 * MEGABYTE)])),
        blobs.get('during/a'),
        blobs.size('during/a'),
        blobs.list('during/'),
        blobs.purge('during/'),
        blobs.ping(),
      ]
      for (const outcome of await Promise.allSettled(calls))
        assert.equal(outcome.status === 'rejected' && outcome.reason.code, 'service_unavailable')
      assertInTime()
      proxy.set({ kind: 'pass' })
      await blobs.put('during/b', Buffer.from('x'))
      assert.deepEqual(await blobs.list('during/'), ['during/a', 'during/b'])
      await blobs.purge('during/')
    })
  }

  test('an upload whose connection is reset in the middle goes through all the same', async () => {
    const content = randomBytes(20 * MEGABYTE)
    proxy.set({ kind: 'reset', afterBytes: 12 * MEGABYTE })
    await blobs.put('reset', content)
    const stream = await blobs.get('reset')
    assert.ok(stream !== null && (await buffer(stream)).equals(content))
  })
})
