/**
 * Removed data leaves the bucket and the disks of all reading nodes: every byte of both is searched
 * for planted words.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../src/ids.ts'
import { createLanceMemoryFile, type LanceMemoryFile } from '../../src/memory-file/lance-memory-file.ts'
import type { ChunkRow } from '../../src/memory-file/memory-file.ts'
import { createS3Blobs, type S3Blobs } from '../../src/objects/s3-blobs.ts'
import { type CephServer, startCeph, whyNoCeph } from './support/ceph-server.ts'
import { unlessLacking } from './support/installed-programs.ts'
import { s3Files, s3Place } from './support/s3-place.ts'

const reason = whyNoCeph()
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }
const DIMENSIONS = 64
const GRACE_MS = 11 * 60_000
const MAX_BYTES = 100_000_000

/** Chunks of separate documents, each with an incompressible word. */
function strangers(count: number): ChunkRow[] {
  return Array.from({ length: count }, (_, number) => {
    const word = randomBytes(20).toString('hex')
    const vector = new Float32Array(DIMENSIONS).fill(0)
    vector[number % DIMENSIONS] = 1
    return {
      ...{ documentId: newId('doc'), chunkIndex: 0, kind: 'document' as const, text: word, terms: word, vector },
      ...{ windows: new Uint8Array(0), startOffset: 0, endOffset: word.length, page: null, pageEnd: null },
      ...{ section: null, header: null, labels: [] },
    }
  })
}

describe('deletion in an S3 bucket', unlessLacking(reason), () => {
  let server: CephServer
  let blobs: S3Blobs
  let aheadMs = 0
  const directories: string[] = []
  const nodes: LanceMemoryFile[] = []
  before(async () => {
    server = await startCeph()
    const bucket = s3Place(server, 'deletion')
    blobs = createS3Blobs({ place: bucket, directory: '.' })
    const { ping, files } = blobs
    const now = () => new Date(Date.now() + aheadMs)
    for (let i = 0; i < 2; i += 1) {
      const directory = await mkdtemp(join(tmpdir(), 'recollect-copies-'))
      directories.push(directory)
      const cache = { directory, maxBytes: MAX_BYTES }
      nodes.push(await createLanceMemoryFile({ directory: { bucket, ping, files, cache }, log: SILENT, now }))
    }
  })
  after(async () => {
    for (const node of nodes) await node.close()
    blobs?.close()
    await server?.stop()
    for (const directory of directories) await rm(directory, { recursive: true, force: true })
  })

  /** The number of these words in the bucket and on each node's disk. */
  async function countSeen(chunks: readonly ChunkRow[]): Promise<{ bucket: number; disks: number[] }> {
    const all = s3Files(server)
    const keys = await all.listKeys('deletion/')
    const objects = await Promise.all(keys.map((key) => all.readRange(key, 0, MAX_BYTES)))
    const disks = await Promise.all(directories.map((directory) => readFile(join(directory, 'pages'))))
    const count = (contents: readonly Buffer[]) =>
      chunks.filter(({ text }) => contents.some((content) => content.includes(text))).length
    return {
      bucket: count(objects.flatMap((object) => object?.content ?? [])),
      disks: disks.map((disk) => count([disk])),
    }
  }

  test('removed chunks leave the bucket and the disk of every node that read them', async () => {
    const [one, two] = nodes
    assert.ok(one && two)
    const memoryId = newId('mem')
    const chunks = strangers(300)
    await one.add(memoryId, chunks)
    await one.maintain(memoryId)
    for (const node of nodes) {
      const found = await node.searchVector(memoryId, chunks[0]?.vector ?? new Float32Array(), { limit: 100 })
      await node.readRows(memoryId, found)
      await node.count(memoryId)
    }
    const doomed = chunks.slice(0, 3)
    const before = await countSeen(doomed)
    assert.equal(before.bucket, 3)
    assert.ok(
      before.disks.every((seen) => seen > 0),
      `the nodes keep copies: ${before.disks}`,
    )
    await two.deleteDocuments(
      memoryId,
      doomed.map(({ documentId }) => documentId),
    )
    const version = await one.purgeDeletedRows(memoryId)
    assert.ok(version !== null)
    aheadMs = GRACE_MS
    assert.equal(await two.deleteVersionsBefore(memoryId, version), true)
    for (const node of nodes) await node.evictDeleted(memoryId)
    assert.deepEqual(await countSeen(doomed), { bucket: 0, disks: [0, 0] })
    assert.equal((await countSeen(chunks.slice(3))).bucket, 297)
    assert.equal((await two.searchLexical(memoryId, [chunks[9]?.text ?? ''], { limit: 5 })).length, 1)
  })

  test('a memory that is dropped leaves neither', async () => {
    const [one, two] = nodes
    assert.ok(one && two)
    const memoryId = newId('mem')
    const chunks = strangers(50)
    await one.add(memoryId, chunks)
    for (const node of nodes) for await (const _ of node.scan(memoryId));
    assert.equal((await countSeen(chunks)).bucket, 50)
    await one.drop(memoryId)
    for (const node of nodes) await node.evictDeleted(memoryId)
    assert.deepEqual(await countSeen(chunks), { bucket: 0, disks: [0, 0] })
  })
})
