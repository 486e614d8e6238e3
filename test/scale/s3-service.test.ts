/** The complete service with objects and memory files in a bucket and metadata on disk. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createLanceMemoryFile } from '../../src/memory-file/lance-memory-file.ts'
import { type Answer, assertError, assertStatus } from '../spec/answer.ts'
import { spawnProduct } from '../spec/product.ts'
import { createService, type Service } from '../spec/service.ts'
import type { Accepted } from '../spec/shapes.ts'
import { addText, endOfJob, find, listDocuments, makeMemory, readText, upload, uploadReady } from '../spec/steps.ts'
import { SAMPLE_DOCUMENTS } from '../support/sample-documents.ts'
import { type CephServer, startCeph, whyNoCeph } from './support/ceph-server.ts'
import { type Fault, type FaultProxy, startFaultProxy } from './support/fault-proxy.ts'
import { unlessLacking } from './support/installed-programs.ts'
import { listKeys, s3Files, s3Place } from './support/s3-place.ts'
import { startLimit } from './support/time-limit.ts'
import { untilReady } from './until-ready.ts'

const reason = whyNoCeph()
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }
const PREFIX = 'whole/service'
/** The limit of the promise for an answer during an outage. */
const OUTAGE_MS = 15_000
/** The length of an outage. */
const OUTAGE_LASTS_MS = 30_000
const PATIENCE_MS = 120_000
const MEGABYTE = 1024 * 1024

/** A service, the prefix of its objects, and the length of its outage. */
type Fixture = { service: Service; prefix: string; lastsMs?: number }

describe('the service on a bucket', unlessLacking(reason), () => {
  let server: CephServer
  let proxy: FaultProxy
  let service: Service
  before(async () => {
    server = await startCeph()
    proxy = await startFaultProxy(server.port)
    service = createService({ ...server.settings(PREFIX, proxy.url), RECOLLECT_LOG_LEVEL: 'info' })
    await service.start()
  })
  after(async () => {
    proxy?.set({ kind: 'pass' })
    await service?.dispose()
    await proxy?.close()
    await server?.stop()
  })

  /** The keys of this memory in the bucket. */
  async function keysOf(memoryId: string, prefix = PREFIX): Promise<string[]> {
    return (await listKeys(server, prefix)).filter((key) => key.includes(memoryId))
  }

  async function untilGone(memoryId: string, part: string, prefix = PREFIX): Promise<void> {
    const until = Date.now() + PATIENCE_MS
    for (;;) {
      const left = (await keysOf(memoryId, prefix)).filter((key) => key.includes(part))
      if (left.length === 0) return
      assert.ok(Date.now() < until, `left: ${left.join(', ')}`)
      await pause(100)
    }
  }

  /** Waits until the memory file holds exactly the chunks of these documents. */
  async function untilSwept(prefix: string, memoryId: string, documentIds: readonly string[]): Promise<void> {
    const bucket = s3Place(server, prefix)
    const file = await createLanceMemoryFile({
      directory: { bucket, ping: async () => undefined, files: s3Files(server) },
      log: SILENT,
    })
    const until = Date.now() + PATIENCE_MS
    for (;;) {
      const present = [...(await file.count(memoryId)).keys()].sort().join()
      if (present === [...documentIds].sort().join()) break
      assert.ok(Date.now() < until, `the memory file holds ${present}`)
      await pause(100)
    }
    await file.close()
  }

  test('a document is added, found, given back as it came, and gone without a trace', async () => {
    const memoryId = await makeMemory(service)
    const { PDF } = SAMPLE_DOCUMENTS
    assert.ok(PDF)
    const { content, filename, question, answer, mimeType } = PDF
    const file = { content, filename, type: mimeType, options: { storeSource: true } }
    const id = await uploadReady(service, memoryId, file)
    const [hit] = (await find(service, memoryId, question)).hits
    assert.ok(hit?.text.includes(answer.says) && hit.documentId === id)
    const source = await service.get(`/v1/memories/${memoryId}/documents/${id}/source`)
    assertStatus(source, 200)
    assert.ok(source.bytes.equals(Buffer.from(content)))
    const range = { headers: { range: 'bytes=0-3' } }
    const begin = await service.get(`/v1/memories/${memoryId}/documents/${id}/source`, range)
    assert.equal(`${begin.status} ${begin.text}`, '206 %PDF')
    assertStatus(await service.delete(`/v1/memories/${memoryId}/documents/${id}`), 204)
    assert.equal((await find(service, memoryId, question)).totalHits, 0)
    await untilGone(memoryId, id)
    assertStatus(await service.delete(`/v1/memories/${memoryId}`), 204)
    await untilGone(memoryId, '')
  })

  test('a large file goes through a job, and its text comes back whole', async () => {
    const memoryId = await makeMemory(service)
    const text = Array.from(
      { length: 60_000 },
      (_, line) => `Line ${line} of the long log of the lighthouse of Varn.`,
    ).join('\n')
    const content = Buffer.from(text)
    const accepted = await upload<Accepted>(service, memoryId, {
      content,
      filename: 'log.txt',
      options: { storeSource: true },
    })
    assertStatus(accepted, 202)
    assert.equal((await endOfJob(service, accepted.json.jobId)).status, 'completed')
    const [id = ''] = accepted.json.documentIds
    assert.ok((await readText(service, memoryId, id)) === text)
    assert.ok((await find(service, memoryId, 'line 59999 of the log')).totalHits > 0)
    assert.deepEqual(
      (await keysOf(memoryId)).filter((key) => key.endsWith('/upload')),
      [],
    )
    assertStatus(await service.delete(`/v1/memories/${memoryId}`), 204)
    await untilGone(memoryId, '')
  })

  test('after a restart everything is there', async () => {
    const memoryId = await makeMemory(service)
    await addText(service, memoryId, 'Keeper Odile Brandt painted the lantern room green.')
    await service.crash()
    assert.equal((await find(service, memoryId, 'who painted the lantern room')).hits.length, 1)
  })

  test('a wrong secret or bucket stops the start, is named, and no secret is said', async () => {
    const settings = {
      ...server.settings(PREFIX),
      RECOLLECT_PORT: '0',
      RECOLLECT_DATA_DIR: `${service.dataDirectory}-2`,
    }
    const wrong = {
      AWS_SECRET_ACCESS_KEY: ['hunter2-hunter2', /AWS_SECRET_ACCESS_KEY does not match AWS_ACCESS_KEY_ID/],
      RECOLLECT_OBJECT_STORE_URL: ['s3://elsewhere/x', /bucket elsewhere does not exist/],
    } as const
    for (const [name, [value, sentence]] of Object.entries(wrong)) {
      const { code, output } = await spawnProduct({ ...settings, [name]: value }).ended()
      assert.equal(code, 78, output)
      assert.match(output, sentence)
      assert.ok(!output.includes('hunter2') && !output.includes(server.secretAccessKey), output)
    }
  })

  async function assertUnavailable(call: Promise<Answer<unknown>>): Promise<void> {
    const assertInTime = startLimit(OUTAGE_MS)
    assertError(await call, 503, 'service_unavailable')
    assertInTime()
  }

  /** Runs one memory through an outage created by `begin` and `end`. */
  async function liveThrough(
    { service, prefix, lastsMs = OUTAGE_LASTS_MS }: Fixture,
    begin: () => unknown,
    end: () => unknown,
  ): Promise<void> {
    const memoryId = await makeMemory(service)
    const kept = await addText(service, memoryId, 'Before the storm the lamp was lit.')
    await begin()
    const outage = pause(lastsMs)
    // The small text is stored in the database: the job is accepted and outlasts the outage.
    const later = await service.post<Accepted>(`/v1/memories/${memoryId}/documents`, {
      documents: [{ title: 'Later', text: 'During the storm the keeper slept.' }],
      options: { async: true },
    })
    assertStatus(later, 202)
    const source = {
      documents: [{ title: 'Now', text: 'In the storm nothing is kept.' }],
      options: { storeSource: true },
    }
    await Promise.all([
      assertUnavailable(service.post(`/v1/memories/${memoryId}/documents`, source)),
      assertUnavailable(service.post(`/v1/memories/${memoryId}/find`, { query: 'the lamp' })),
      assertUnavailable(upload(service, memoryId, { content: 'x'.repeat(9 * MEGABYTE), filename: 'large.txt' })),
    ])
    // The latest store check remains valid for some seconds.
    await untilReady(service, false)
    await outage
    await end()
    await untilReady(service)
    assert.equal((await endOfJob(service, later.json.jobId)).status, 'completed')
    const [id = ''] = later.json.documentIds
    const listed = (await listDocuments(service, memoryId)).documents
    assert.deepEqual(listed.map((document) => document.id).sort(), [kept, id].sort())
    assert.deepEqual(
      listed.map(({ status }) => status),
      ['ready', 'ready'],
    )
    assert.equal((await find(service, memoryId, 'storm keeper lamp')).totalHits, 2)
    const after = await addText(service, memoryId, 'After the storm the sea lay still.')
    await service.restart()
    await untilGone(memoryId, '/documents/', prefix)
    await untilSwept(prefix, memoryId, [kept, id, after])
    assert.equal((await find(service, memoryId, 'storm keeper lamp sea')).totalHits, 3)
  }

  // In parallel, each with a separate service: the tests mostly wait.
  describe('an outage is reported in time, its jobs finish afterwards, and nothing is incomplete', {
    concurrency: 3,
  }, () => {
    for (const fault of [
      { kind: 'unavailable' },
      { kind: 'blackhole' },
      { kind: 'refuse' },
    ] as const satisfies Fault[]) {
      test(`of the kind "${fault.kind}"`, async () => {
        const prefix = `${PREFIX}/${fault.kind}`
        const between = await startFaultProxy(server.port)
        const own = createService({ ...server.settings(prefix, between.url), RECOLLECT_LOG_LEVEL: 'info' })
        try {
          await own.start()
          const [begin, end] = [() => between.set(fault), () => between.set({ kind: 'pass' })]
          await liveThrough({ service: own, prefix }, begin, end)
        } finally {
          between.set({ kind: 'pass' })
          await own.kill()
          await between.close()
          await own.dispose()
        }
      })
    }
  })

  test('a killed and restarted gateway loses no acknowledged data', async () => {
    await liveThrough({ service, prefix: PREFIX, lastsMs: 0 }, server.killGateway, server.startGateway)
  })

  test('an upload whose connection breaks in the middle is taken all the same', async () => {
    const memoryId = await makeMemory(service)
    proxy.set({ kind: 'reset', afterBytes: 3 * MEGABYTE })
    const accepted = await upload<Accepted>(service, memoryId, {
      content: 'Varn '.repeat(MEGABYTE),
      filename: 'varn.txt',
    })
    assertStatus(accepted, 202)
    assert.equal((await endOfJob(service, accepted.json.jobId)).status, 'completed')
  })
})
