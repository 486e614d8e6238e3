/**
 * Memory files in a bucket: every node finds acknowledged data of the others, under all network
 * faults.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../src/ids.ts'
import { createLanceMemoryFile, type LanceMemoryFile } from '../../src/memory-file/lance-memory-file.ts'
import type { ChunkRow } from '../../src/memory-file/memory-file.ts'
import { createS3Blobs, type S3Blobs } from '../../src/objects/s3-blobs.ts'
import { type CephServer, startCeph, whyNoCeph } from './support/ceph-server.ts'
import { type FaultProxy, startFaultProxy } from './support/fault-proxy.ts'
import { unlessLacking } from './support/installed-programs.ts'
import { listKeys, s3Place } from './support/s3-place.ts'
import { startLimit } from './support/time-limit.ts'

const reason = whyNoCeph()
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }
const DIMENSIONS = 64
const OUTAGE_MS = 15_000

function chunks(documentId: string, count: number, word: string): ChunkRow[] {
  return Array.from({ length: count }, (_, chunkIndex) => ({
    documentId,
    chunkIndex,
    kind: 'document',
    text: `${word} ${chunkIndex}`,
    terms: `${word} n${chunkIndex}`,
    vector: unit(chunkIndex),
    windows: new Uint8Array(DIMENSIONS),
    startOffset: 0,
    endOffset: 1,
    page: null,
    pageEnd: null,
    section: null,
    header: null,
    labels: [],
  }))
}

/** A distinct direction for each number, the same in every run. */
function unit(number: number): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, (_, i) => ((number * 7919 + i * 104_729) ** 2 % 1009) - 504)
  const length = Math.hypot(...vector)
  return vector.map((x) => x / length)
}

describe('memory files in an S3 bucket', unlessLacking(reason), () => {
  let server: CephServer
  let proxy: FaultProxy
  let blobs: S3Blobs
  let one: LanceMemoryFile
  let two: LanceMemoryFile
  let directory = ''
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'recollect-cache-'))
    server = await startCeph()
    proxy = await startFaultProxy(server.port)
    blobs = createS3Blobs({ place: s3Place(server, 'p', proxy.url), directory: '.' })
    const bucket = s3Place(server, 'p', proxy.url)
    const { ping, files } = blobs
    // One node caches reads on its disk, the other reads everything from the bucket.
    const cache = { directory, maxBytes: 100_000_000 }
    one = await createLanceMemoryFile({ directory: { bucket, ping, files, cache }, log: SILENT })
    two = await createLanceMemoryFile({ directory: { bucket, ping, files }, log: SILENT })
  })
  after(async () => {
    await one?.close()
    await two?.close()
    blobs?.close()
    await proxy?.close()
    await server?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  async function found(node: LanceMemoryFile, memoryId: string, word: string): Promise<number> {
    return (await node.searchLexical(memoryId, [word], { limit: 1000 })).length
  }

  test('every node immediately sees adds and removals of another', async () => {
    const memoryId = newId('mem')
    for (let round = 0; round < 5; round += 1) {
      const documentId = newId('doc')
      const word = `word${round}`
      assert.equal(await found(two, memoryId, word), 0)
      await one.add(memoryId, chunks(documentId, 3, word))
      assert.equal(await found(two, memoryId, word), 3)
      assert.equal((await two.searchVector(memoryId, unit(1), { limit: 1000 })).length, 3)
      await two.deleteDocuments(memoryId, [documentId])
      assert.equal(await found(one, memoryId, word), 0)
    }
  })

  test('two nodes that add to one memory during compaction lose and double nothing', async () => {
    const memoryId = newId('mem')
    const add = async (node: LanceMemoryFile) => {
      const ids: string[] = []
      for (let i = 0; i < 8; i += 1) {
        const id = newId('doc')
        await node.add(memoryId, chunks(id, 10, `of${id}`))
        ids.push(id)
        if (i % 4 === 3) await node.maintain(memoryId)
      }
      return ids
    }
    const ids = (await Promise.all([add(one), add(two), add(one), add(two)])).flat()
    for (const node of [one, two]) {
      const counts = await node.count(memoryId)
      assert.equal(counts.size, ids.length)
      assert.deepEqual([...new Set(counts.values())], [10])
      for (const id of ids) assert.equal(await found(node, memoryId, `of${id}`), 10)
    }
  })

  test('two nodes that create a memory concurrently keep all adds', async () => {
    for (let round = 0; round < 15; round += 1) {
      const memoryId = newId('mem')
      const ids = Array.from({ length: 6 }, () => newId('doc'))
      await Promise.all(ids.map((id, i) => (i % 2 === 0 ? one : two).add(memoryId, chunks(id, 2, 'word'))))
      assert.deepEqual([...(await one.count(memoryId)).keys()].sort(), ids.sort())
    }
    assert.deepEqual(await listKeys(server, 'p/memories/draft_'), [])
  })

  test('a commit with a lost response exists once', async () => {
    const memoryId = newId('mem')
    await two.add(memoryId, chunks(newId('doc'), 5, 'before'))
    for (const areNew of [false, true]) {
      const documentId = newId('doc')
      proxy.set({ kind: 'lose-reply', to: /^PUT \S+_versions\/\d+\.manifest/ })
      const write = (options = {}) => two.add(memoryId, chunks(documentId, 5, 'once'), options)
      await write({ areNew }).catch(() => write())
      for (const node of [one, two]) assert.equal((await node.count(memoryId)).get(documentId), 5)
    }
  })

  test('vectors are indexed early, and found with and without the index', async () => {
    const memoryId = newId('mem')
    await one.add(memoryId, chunks(newId('doc'), 5000, 'many'))
    const findNearest = async () => {
      const [nearest] = await two.readRows(memoryId, await two.searchVector(memoryId, unit(77), { limit: 5 }))
      return nearest?.chunkIndex
    }
    const before = await findNearest()
    await one.maintain(memoryId)
    assert.deepEqual([before, await findNearest()], [77, 77])
  })

  test('cached reads come from disk: a search requests only new data from the store', async () => {
    const memoryId = newId('mem')
    await two.add(memoryId, chunks(newId('doc'), 2000, 'kept'))
    await two.maintain(memoryId)
    const searchBoth = async () => {
      await one.searchLexical(memoryId, ['kept', 'n3'], { limit: 50 })
      await one.searchVector(memoryId, unit(3), { limit: 50 })
    }
    for (let round = 0; round < 3; round += 1) await searchBoth()
    const before = proxy.counts()
    await searchBoth()
    const { requests, receivedBytes } = proxy.counts()
    assert.ok(requests - before.requests <= 4, `${requests - before.requests} requests`)
    assert.ok(receivedBytes - before.receivedBytes < 100_000, `${receivedBytes - before.receivedBytes} bytes`)
    await two.add(memoryId, chunks(newId('doc'), 3, 'new'))
    assert.equal((await one.searchLexical(memoryId, ['new'], { limit: 50 })).length, 3)
  })

  test('dropping a memory leaves nothing of it in the bucket', async () => {
    const memoryId = newId('mem')
    await one.add(memoryId, chunks(newId('doc'), 300, 'gone'))
    await two.maintain(memoryId)
    assert.notEqual((await listKeys(server, `p/memories/${memoryId}`)).length, 0)
    await two.drop(memoryId)
    assert.deepEqual(await listKeys(server, `p/memories/${memoryId}`), [])
    assert.equal(await found(one, memoryId, 'gone'), 0)
    await one.drop(memoryId)
  })

  test('a memory dropped by another node is not due for maintenance, and removing from it finds nothing', async () => {
    for (const tell of ['maintain', 'deleteDocuments'] as const) {
      const [memoryId, documentId] = [newId('mem'), newId('doc')]
      await one.add(memoryId, chunks(documentId, 300, 'gone'))
      assert.ok(one.needsMaintenance(memoryId))
      await two.drop(memoryId)
      if (tell === 'deleteDocuments') await one.deleteDocuments(memoryId, [documentId])
      await one.maintain(memoryId)
      assert.ok(!one.needsMaintenance(memoryId))
      assert.deepEqual(await listKeys(server, `p/memories/${memoryId}`), [])
    }
  })

  for (const fault of [{ kind: 'unavailable' }, { kind: 'refuse' }, { kind: 'blackhole' }] as const) {
    test(`with the store in the state "${fault.kind}" every call is service_unavailable in time, and works again after it`, async () => {
      const memoryId = newId('mem')
      const documentId = newId('doc')
      await one.add(memoryId, chunks(newId('doc'), 10, 'before'))
      proxy.set(fault)
      const assertInTime = startLimit(OUTAGE_MS)
      const calls = [
        one.add(memoryId, chunks(documentId, 10, 'during')),
        one.searchLexical(memoryId, ['before'], { limit: 10 }),
        one.searchVector(memoryId, unit(1), { limit: 10 }),
        two.searchLexical(memoryId, ['before'], { limit: 10 }),
        two.deleteDocuments(memoryId, [documentId]),
      ]
      for (const outcome of await Promise.allSettled(calls))
        assert.equal(outcome.status === 'rejected' && outcome.reason.code, 'service_unavailable')
      assertInTime()
      proxy.set({ kind: 'pass' })
      await one.add(memoryId, chunks(documentId, 10, 'during'))
      for (const node of [one, two]) {
        assert.equal(await found(node, memoryId, 'during'), 10)
        assert.equal(await found(node, memoryId, 'before'), 10)
      }
    })
  }
})
