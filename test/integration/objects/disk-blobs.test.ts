import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { ApiError } from '../../../src/errors.ts'
import type { Blobs } from '../../../src/objects/blobs.ts'
import { createDiskBlobs, type DiskBlobs } from '../../../src/objects/disk-blobs.ts'
import { probeBlobs } from '../../../src/objects/probe-blobs.ts'

let directory: string
let blobs: DiskBlobs

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'recollect-blobs-'))
  blobs = await createDiskBlobs({ directory })
})

after(() => rm(directory, { recursive: true, force: true }))

async function read(key: string, range?: { start: number; end: number }): Promise<string | null> {
  const stream = await blobs.get(key, range)
  return stream === null ? null : text(stream)
}

async function listLeftovers(): Promise<string[]> {
  return readdir(join(directory, 'temporary'))
}

test('an object is given back whole and in ranges, from buffers and streams', async () => {
  assert.deepEqual(await blobs.put('memories/m1/a', Buffer.from('0123456789')), { bytes: 10 })
  assert.deepEqual(await blobs.put('memories/m1/b', Readable.from([Buffer.from('01234'), Buffer.from('56789')])), {
    bytes: 10,
  })
  for (const key of ['memories/m1/a', 'memories/m1/b']) {
    assert.equal(await read(key), '0123456789')
    assert.equal(await read(key, { start: 2, end: 4 }), '234')
    assert.equal(await blobs.size(key), 10)
  }
})

test('a missing object is null', async () => {
  assert.equal(await blobs.get('memories/none/x'), null)
  assert.equal(await blobs.size('memories/none'), null)
  assert.deepEqual(await blobs.list('nothing/'), [])
})

test('a later write replaces an earlier one', async () => {
  await blobs.put('replaced', Buffer.from('long content'))
  await blobs.put('replaced', Buffer.from('short'))
  assert.equal(await read('replaced'), 'short')
})

test('a reader opened before a replacement reads the old content', async () => {
  const old = Buffer.alloc(300_000, 'a')
  await blobs.put('held', old)
  const stream = await blobs.get('held')
  await blobs.put('held', Buffer.from('new'))
  assert.ok(stream !== null && (await buffer(stream)).equals(old))
})

test('files and folders are private', async () => {
  await blobs.put('private/x', Buffer.from('x'))
  assert.equal((await stat(join(directory, 'objects/private/x'))).mode & 0o777, 0o600)
  assert.equal((await stat(join(directory, 'objects/private'))).mode & 0o777, 0o700)
})

test('a stream that fails leaves neither object nor leftovers', async () => {
  const failing = Readable.from(
    (async function* () {
      yield Buffer.from('part')
      throw new Error('the client went away')
    })(),
  )
  await assert.rejects(blobs.put('failed/x', failing), /went away/)
  assert.equal(await blobs.size('failed/x'), null)
  assert.deepEqual(await listLeftovers(), [])
})

test('a local file is moved in and gone where it was', async () => {
  const path = join(directory, 'upload')
  await writeFile(path, 'uploaded', { mode: 0o644 })
  assert.deepEqual(await blobs.putFile('moved/source', path), { bytes: 8 })
  assert.equal(await read('moved/source'), 'uploaded')
  assert.equal((await stat(join(directory, 'objects/moved/source'))).mode & 0o777, 0o600)
  await assert.rejects(stat(path), { code: 'ENOENT' })
})

test('a file that is not there is not moved', async () => {
  await assert.rejects(blobs.putFile('moved/none', join(directory, 'none')), { code: 'service_unavailable' })
  assert.equal(await blobs.size('moved/none'), null)
})

test('objects are listed and removed by prefix, and empty folders go with them', async () => {
  for (const key of ['p/a/1', 'p/a/2', 'p/ab/3', 'p/b/4']) await blobs.put(key, Buffer.from(key))
  assert.deepEqual(await blobs.list('p/a/'), ['p/a/1', 'p/a/2'])
  assert.deepEqual(await blobs.list('p/a'), ['p/a/1', 'p/a/2', 'p/ab/3'])
  assert.deepEqual(await blobs.list('p/b/4'), ['p/b/4'])
  await blobs.purge('p/a/')
  assert.deepEqual(await blobs.list('p/'), ['p/ab/3', 'p/b/4'])
  await blobs.purge('p/ab')
  await blobs.purge('p/b/4')
  await blobs.purge('p/b/4')
  assert.ok(!(await readdir(join(directory, 'objects'))).includes('p'))
})

test('prefixes are removed together with their empty folders', async () => {
  for (const key of ['q/a/upload', 'q/a/pages/1', 'q/b/1', 'q/kept']) await blobs.put(key, Buffer.from(key))
  await blobs.purge('q/a/upload', 'q/a/pages/', 'q/never/', 'q/b/')
  assert.deepEqual(await readdir(join(directory, 'objects/q')), ['kept'])
  await blobs.purge('q/kept', 'q/b/')
  assert.ok(!(await readdir(join(directory, 'objects'))).includes('q'))
})

test('removing all siblings together leaves no parent folder', async () => {
  const prefixes = ['a', 'b', 'c'].map((id) => `r/documents/${id}/`)
  for (const prefix of prefixes) await blobs.put(`${prefix}1`, Buffer.from(prefix))
  await blobs.purge(...prefixes)
  assert.ok(!(await readdir(join(directory, 'objects'))).includes('r'))
})

test('writes and removals at the same time in one folder do not disturb each other', async () => {
  await Promise.all(
    Array.from({ length: 40 }, async (_, number) => {
      await blobs.put(`busy/${number % 4}/${number}`, Buffer.from('x'))
      await blobs.purge(`busy/${number % 4}/${number}`)
    }),
  )
  assert.deepEqual(await blobs.list('busy/'), [])
})

test('keys that are not ours never reach the disk', async () => {
  for (const key of ['', '/etc/passwd', '../x', 'a/../b', 'a//b', 'a/./b', 'a\\b', 'a\0b', 'ä', 'a b']) {
    await assert.rejects(async () => blobs.put(key, Buffer.from('x')), /not a key/, key)
    await assert.rejects(async () => blobs.get(key), /not a key/, key)
    await assert.rejects(async () => blobs.purge(key), /not a key/, key)
  }
})

test('removing does not follow links out of the store', async () => {
  const outside = join(directory, 'outside')
  await mkdir(outside)
  await writeFile(join(outside, 'kept'), 'x')
  await mkdir(join(directory, 'objects/linked'))
  await symlink(outside, join(directory, 'objects/linked/out'))
  await blobs.purge('linked/')
  assert.equal(await readFile(join(outside, 'kept'), 'utf8'), 'x')
})

test('old leftovers of a crash are swept at the next start, fresh ones are not', async () => {
  const [old, fresh] = [join(directory, 'temporary/old'), join(directory, 'temporary/fresh')]
  await writeFile(old, 'x')
  await writeFile(fresh, 'x')
  await utimes(old, new Date(0), new Date(0))
  const reopened = await createDiskBlobs({ directory })
  assert.deepEqual(await listLeftovers(), ['fresh'])
  assert.equal(await reopened.sweepTemporary(0), 1)
})

test('room is held back while there is room to add, given up once, and taken again', async () => {
  const reserve = join(directory, 'reserve')
  await rm(reserve, { force: true })
  const fresh = await createDiskBlobs({ directory })
  await fresh.releaseBallast()
  for (let times = 0; times < 2; times += 1) {
    await Promise.all([fresh.requireRoom(1), fresh.requireRoom(1)])
    const { size, blocks, mode } = await stat(reserve)
    assert.ok(size > 0 && blocks * 512 >= size, 'it takes its room on the disk')
    assert.equal(mode & 0o777, 0o600)
    assert.deepEqual(await fresh.measure(''), await blobs.measure(''))
    await fresh.releaseBallast()
    await fresh.releaseBallast()
    await assert.rejects(stat(reserve), { code: 'ENOENT' })
  }
})

test('space released during concurrent adds is reused by the next add', async () => {
  const reserve = join(directory, 'reserve')
  const fresh = await createDiskBlobs({ directory })
  for (let times = 0; times < 5; times += 1) {
    const adding = Array.from({ length: 4 }, () => fresh.requireRoom(1))
    await Promise.all([
      ...adding,
      fresh.releaseBallast(),
      fresh.requireRoom(1),
      fresh.releaseBallast(),
      fresh.requireRoom(1),
    ])
    await fresh.requireRoom(1)
    assert.ok((await stat(reserve)).size > 0)
  }
})

test('an add larger than any disk is refused without information about others', async () => {
  const fresh = await createDiskBlobs({ directory })
  assert.equal(await fresh.isShortOfRoom(), false)
  await assert.rejects(fresh.requireRoom(Number.MAX_SAFE_INTEGER / 8), { code: 'insufficient_storage' })
  assert.equal(await fresh.isShortOfRoom(), false)
})

test('the probe passes on a store that works and leaves nothing', async () => {
  await blobs.probe()
  assert.deepEqual(await blobs.list('probe/'), [])
})

test('the probe fails on a store that hangs, forgets or is gone', async () => {
  const hanging: Blobs = { ...blobs, put: () => new Promise(() => {}) }
  await assert.rejects(
    probeBlobs(hanging, 20),
    (error) => error instanceof ApiError && error.code === 'service_unavailable',
  )
  const forgetting: Blobs = { ...blobs, get: async () => null }
  await assert.rejects(probeBlobs(forgetting), /did not return the written data/)
  const gone = await mkdtemp(join(tmpdir(), 'recollect-gone-'))
  const lost = await createDiskBlobs({ directory: gone })
  await rm(gone, { recursive: true })
  await assert.rejects(lost.probe(), { code: 'service_unavailable' })
})
