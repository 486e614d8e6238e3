/**
 * The whole service with its metadata in PostgreSQL and everything else on the disk, while the
 * database fails.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, assertError, assertStatus } from '../spec/answer.ts'
import { runCommandLine, spawnProduct } from '../spec/product.ts'
import { createService, type Service } from '../spec/service.ts'
import type { Accepted } from '../spec/shapes.ts'
import { addText, endOfJob, find, listDocuments, makeMemory } from '../spec/steps.ts'
import { checkEverything, examineByDoctor } from './checker.ts'
import { createClient } from './client.ts'
import { createLedger } from './ledger.ts'
import { makeMemories } from './make-memories.ts'
import { createRandom } from './random.ts'
import { type FaultProxy, startFaultProxy } from './support/fault-proxy.ts'
import { unlessLacking } from './support/installed-programs.ts'
import { type PostgresServer, startPostgres, whyNoPostgres } from './support/postgres-server.ts'
import { startLimit } from './support/time-limit.ts'
import { untilReady } from './until-ready.ts'

const reason = whyNoPostgres()
/** The limit of the promise for an answer during an outage. */
const OUTAGE_MS = 15_000
const PATIENCE_MS = 60_000
const SEED = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000)
/** Repeats after 503, one a second: far longer than an outage. */
const MAX_REPEATS = 60
/** The time in which a start sweeps leftovers. */
const SWEEP_MS = 3000

describe('the service on PostgreSQL', unlessLacking(reason), () => {
  let server: PostgresServer
  let proxy: FaultProxy
  let service: Service
  let settings: Record<string, string>
  before(async () => {
    assert.equal(reason, null)
    server = await startPostgres()
    proxy = await startFaultProxy(server.port)
    settings = { RECOLLECT_DATABASE_URL: await server.makeDatabase('service', proxy.port) }
    service = createService({ ...settings, RECOLLECT_LOG_LEVEL: 'info' })
    await service.start()
  })
  after(async () => {
    proxy?.set({ kind: 'pass' })
    await service?.dispose()
    await proxy?.close()
    await server?.stop()
  })

  async function assertUnavailable(call: Promise<Answer<unknown>>): Promise<void> {
    const assertInTime = startLimit(OUTAGE_MS)
    const answer = await call
    assertError(answer, 503, 'service_unavailable')
    assertInTime()
  }

  /** Asserts the texts of a memory, as listed and as found. */
  async function assertHolds(memoryId: string, ids: readonly string[]): Promise<void> {
    const { documents } = await listDocuments(service, memoryId)
    assert.deepEqual(documents.map(({ id }) => id).sort(), [...ids].sort())
    const { hits } = await find(service, memoryId, 'the lighthouse of Varn', { topK: 100 })
    assert.deepEqual(hits.map(({ documentId }) => documentId).sort(), [...ids].sort())
    const memory = await service.get<{ documentCount: number }>(`/v1/memories/${memoryId}`)
    assert.equal(memory.json.documentCount, ids.length)
  }

  async function accept(memoryId: string, text: string): Promise<Accepted> {
    const accepted = await service.post<Accepted>(`/v1/memories/${memoryId}/documents`, {
      documents: [{ title: 'Later', text }],
      options: { async: true },
    })
    assertStatus(accepted, 202)
    return accepted.json
  }

  test('documents, jobs, keys and counts are kept, over a kill as well', async () => {
    const memoryId = await makeMemory(service)
    const now = await addText(service, memoryId, 'The lighthouse of Varn is white.')
    const { jobId, documentIds } = await accept(memoryId, 'The lighthouse of Varn has a red door.')
    assert.equal((await endOfJob(service, jobId)).status, 'completed')
    await service.crash()
    await assertHolds(memoryId, [now, ...documentIds])
    const account = await service.get<{ usage: { queries: number; documents: number } }>('/v1/account')
    assert.ok(account.json.usage.queries > 0 && account.json.usage.documents >= 2)
    const made = await runCommandLine({ ...settings, RECOLLECT_DATA_DIR: service.dataDirectory }, ['keys', 'create'])
    const key = /rcl_\w+/.exec(made.output)?.[0] ?? ''
    assertStatus(await service.get('/v1/memories', { key }), 200)
    const { code, output } = await runCommandLine(settings, ['migrate'])
    assert.equal(`${code} ${output}`, '0 The tables are up to date.\n')
  })

  test('characters that PostgreSQL cannot keep cost no answer', async () => {
    const memoryId = await makeMemory(service, 'with \u0000 in it')
    await addText(service, memoryId, 'The lighthouse\u0000 of Varn \ud800 stands.')
    const { hits } = await find(service, memoryId, 'lighthouse of Varn')
    assert.equal(hits.length, 1)
  })

  test('another data folder on the same database is refused, since the documents lie in the first', async () => {
    const { code, output } = await spawnProduct({
      ...settings,
      RECOLLECT_PORT: '0',
      RECOLLECT_DATA_DIR: `${service.dataDirectory}-2`,
    }).ended()
    assert.equal(code, 1)
    assert.match(output, /belongs to a different object store/)
  })

  test('a wrong password or database ends the start with what is wrong, and without the password', async () => {
    const url = `postgres://me:hunter2@127.0.0.1:${server.port}/nowhere`
    const { code, output } = await spawnProduct({
      RECOLLECT_DATABASE_URL: url,
      RECOLLECT_PORT: '0',
      RECOLLECT_DATA_DIR: `${service.dataDirectory}-2`,
    }).ended()
    assert.equal(code, 1)
    assert.match(output, /RECOLLECT_DATABASE_URL is not available: .*(role "me"|database "nowhere")/)
    assert.doesNotMatch(output, /hunter2/)
  })

  test('an unresponsive database is reported in time, and refused writes do not exist afterwards', async () => {
    const memoryId = await makeMemory(service)
    const kept = await addText(service, memoryId, 'The lighthouse of Varn burns.')
    proxy.set({ kind: 'blackhole' })
    const headers = { 'idempotency-key': randomUUID() }
    const document = { documents: [{ title: 't', text: 'The lighthouse of Varn is lost.' }] }
    await Promise.all([
      assertUnavailable(service.post(`/v1/memories/${memoryId}/documents`, document)),
      assertUnavailable(service.post(`/v1/memories/${memoryId}/documents`, document, { headers })),
      assertUnavailable(service.post(`/v1/memories/${memoryId}/find`, { query: 'the lighthouse' })),
      assertUnavailable(service.get('/v1/memories')),
    ])
    assertStatus(await service.get('/health'), 200)
    assert.equal((await service.get('/health/ready')).status, 503)
    proxy.set({ kind: 'refuse' })
    proxy.set({ kind: 'pass' })
    await untilReady(service)
    await assertHolds(memoryId, [kept])
    const again = await service.post<{ documentIds: string[] }>(`/v1/memories/${memoryId}/documents`, document, {
      headers,
    })
    assertStatus(again, 200)
    await assertHolds(memoryId, [kept, ...again.json.documentIds])
  })

  test('a crashed and restarted server loses no acknowledged data and no process', async (context) => {
    context.diagnostic(`SOAK_SEED=${SEED}`)
    const { memories } = (await service.get<{ memories: { id: string }[] }>('/v1/memories')).json
    for (const { id } of memories) assertStatus(await service.delete(`/v1/memories/${id}`), 204)
    const random = createRandom(SEED)
    const ledger = createLedger(random.fork())
    const parts = {
      nodes: [service],
      ledger,
      shared: await makeMemories(service, ledger, 2),
      mostRepeats: MAX_REPEATS,
    }
    let isOver = false
    const clients = [0, 1, 2].map((index) => createClient({ ...parts, random: random.fork(), index }))
    const writing = Promise.all(
      clients.map((client) => client.run({ isOver: () => isOver, wasKilled: async () => false })),
    )
    const crashes = async () => {
      for (let crash = 0; crash < 3; crash += 1) {
        await pause(1500)
        await server.halt('immediate')
        await pause(300)
        await server.start()
      }
      await pause(1500)
      isOver = true
    }
    await Promise.all([writing, crashes()])
    await untilReady(service)
    assert.ok(ledger.entries.size > 3, 'nothing was written')
    context.diagnostic(`${ledger.entries.size} documents, ${ledger.jobIds.size} jobs`)
    assert.deepEqual(await checkEverything({ nodes: [service], ledger, auditStorage }), [], `SOAK_SEED=${SEED}`)
  })

  /** Scans the folder while no process uses it; the next start sweeps leftovers. */
  async function auditStorage(): Promise<string[]> {
    const until = Date.now() + PATIENCE_MS
    for (;;) {
      await service.stop()
      const damages = await examineByDoctor({ ...settings, RECOLLECT_DATA_DIR: service.dataDirectory })
      await service.start()
      if (damages.length === 0 || Date.now() > until) return damages
      await pause(SWEEP_MS)
    }
  }
})
