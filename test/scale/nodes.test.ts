/** Several processes on one PostgreSQL and one S3 store: two API nodes, and workers. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '../../src/client/client.ts'
import { assertError, assertStatus } from '../spec/answer.ts'
import type { Accepted, Added, Job, Key } from '../spec/shapes.ts'
import { addInBackground, addText, endOfJob, find, listDocuments, makeMemory, upload } from '../spec/steps.ts'
import { auditByDoctor, checkEverything } from './checker.ts'
import { createLedger, type Entry, type Ledger, type MemoryEntry } from './ledger.ts'
import { makeMemories } from './make-memories.ts'
import { countReached, type MortalService } from './mortal-service.ts'
import { createRandom } from './random.ts'
import { runStatement } from './support/postgres-server.ts'
import { describeInstallation, type Role } from './support/scaled-installation.ts'
import { untilReady } from './until-ready.ts'

const REQUESTS_A_MINUTE = 400
const LIMITED = { RECOLLECT_RATE_LIMIT_PER_MINUTE: String(REQUESTS_A_MINUTE) }
const PATIENCE_MS = 180_000
const LEAVES_A_JOB = /job (done|lost to another worker|attempt failed)/

describeInstallation('several processes', { name: 'nodes' }, (installation) => {
  let one: MortalService
  let two: MortalService
  let worker: MortalService

  const startNode = (role: Role, settings: Record<string, string> = {}) =>
    installation().startNode(role, { say: ['add:intended'], settings: { ...LIMITED, ...settings } })

  before(async () => {
    // Started together on empty storage: one process creates the tables, the organization and the
    // key.
    ;[one, two, worker] = await Promise.all([startNode('api'), startNode('api'), startNode('worker')])
  })

  test('every node immediately serves writes acknowledged by another', async () => {
    const memoryId = await makeMemory(one)
    for (let count = 0; count < 5; count += 1) {
      const [here, there] = count % 2 === 0 ? [one, two] : [two, one]
      const id = await addText(here, memoryId, `Ship number ${count} carried oranges to Varn.`)
      assert.equal((await find(there, memoryId, 'oranges to Varn')).totalHits, count + 1)
      assertStatus(await there.get(`/v1/memories/${memoryId}/documents/${id}/text`), 200)
    }
    const [first] = (await listDocuments(two, memoryId)).documents
    assertStatus(await one.delete(`/v1/memories/${memoryId}/documents/${first?.id}`), 204)
    assert.equal((await find(two, memoryId, 'oranges to Varn')).totalHits, 4)
    assertStatus(await two.delete(`/v1/memories/${memoryId}`), 204)
    assertError(await one.post(`/v1/memories/${memoryId}/find`, { query: 'oranges' }), 404, 'memory_not_found')
  })

  test('the worker does the jobs accepted by a node, and the others see their end', async () => {
    const memoryId = await makeMemory(one)
    const accepted = await addInBackground(one, memoryId, 'The pilot of Varn is named Ida.')
    assertStatus(accepted, 202)
    assert.equal((await endOfJob(two, accepted.json.jobId)).status, 'completed')
    assert.equal((await find(two, memoryId, 'who is the pilot')).totalHits, 1)
  })

  test('a worker serves its health and nothing else', async () => {
    assertStatus(await worker.get('/health'), 200)
    await untilReady(worker)
    assertError(await worker.get('/v1/memories'), 404, 'route_not_found')
  })

  test('a key that is revoked on one is refused by the other from then on', async () => {
    const made = await one.post<Key>('/v1/keys', { name: 'short-lived' })
    const { key = '', id } = made.json
    assertStatus(await two.get('/v1/memories', { key }), 200)
    assertStatus(await one.delete(`/v1/keys/${id}`), 204)
    assertError(await two.get('/v1/memories', { key }), 401, 'invalid_api_key')
  })

  test('the requests of a minute are those of all processes together', async () => {
    const { key = '' } = (await one.post<Key>('/v1/keys', { name: 'busy' })).json
    const statuses: number[] = []
    const send = async (service: MortalService) => {
      for (let count = 0; count < REQUESTS_A_MINUTE / 8 + 10; count += 1) {
        statuses.push((await service.get('/v1/jobs?limit=1', { key })).status)
      }
    }
    await Promise.all([one, two].flatMap((service) => [send(service), send(service), send(service), send(service)]))
    assert.equal(statuses.filter((status) => status === 200).length, REQUESTS_A_MINUTE)
    assert.deepEqual(new Set(statuses), new Set([200, 429]))
  })

  test('a stopping node reports not ready first, and no request fails', async () => {
    const leaving = await startNode('api', { RECOLLECT_DRAIN_SECONDS: '6' })
    const memoryId = await makeMemory(leaving)
    const stopping = leaving.stop()
    await untilTrue(async () => (await leaving.get('/health/ready')).status === 503)
    await addText(leaving, memoryId, 'The last entry of the old keeper.')
    await stopping
    assert.equal((await find(two, memoryId, 'the last entry')).totalHits, 1)
  })

  test('other nodes finish or clear the work of a killed one', async () => {
    const { ledger, memory, memoryId } = await beginLedger()
    const { accepted } = await uploadLog({ ledger, memory })
    await untilTrue(async () => (await readJob(accepted.json.jobId)).status === 'processing')
    await worker.kill()
    worker = await startNode('worker')
    // One node dies during an add; the client repeats the request on the remaining node.
    const whale = note(ledger, memory, 'The whale of Varn. '.repeat(20_000))
    const body = { documents: [{ title: whale.token, text: whale.text }] }
    const headers = { 'idempotency-key': randomUUID() }
    const path = `/v1/memories/${memoryId}/documents`
    const adds = countReached(two, 'add:intended')
    const cutOff = two.post(path, body, { headers }).then(
      () => true,
      () => false,
    )
    await untilAdding(two, adds)
    await two.kill()
    const wasAnswered = await cutOff
    await untilTrue(async () => {
      const again = await one.post<Added>(path, body, { headers })
      if (again.status === 200) ledger.show(whale, again.json.documentIds[0] ?? '')
      return again.status === 200
    })
    assert.equal((await endOfJobPatiently(accepted.json.jobId)).status, 'completed')
    two = await startNode('api')
    await assertInvariants(ledger, `the request that was cut off ${wasAnswered ? 'was' : 'was not'} answered`)
    assertStatus(await one.delete(`/v1/memories/${memoryId}`), 204)
  })

  test('a client gets its response from another node when its node is killed', async () => {
    const memoryId = await makeMemory(one)
    const dying = await installation().startNode('api', {
      death: { step: 'add:chunks-stored', times: 1, afterMs: 0, atOnce: true },
      settings: LIMITED,
    })
    let sent = 0
    const through = (url: string) => (sent++ === 0 ? url.replace(one.url, dying.url) : url)
    const client = createClient({
      baseUrl: one.url,
      apiKey: one.bootstrapKey,
      fetch: (input, init) => fetch(through(String(input)), init),
    })
    const added = await client.documents.addTexts(memoryId, [
      { title: 'Log', text: 'The ferry of Varn leaves at nine.' },
    ])
    assert.ok(await dying.dies())
    assert.ok(sent > 1)
    const { documents } = await listDocuments(two, memoryId)
    assert.deepEqual(
      documents.map(({ id }) => id),
      added.documentIds,
    )
    assert.equal((await find(two, memoryId, 'when does the ferry leave')).totalHits, 1)
  })

  test('a process that paused until declared dead changes nothing when it wakes up', async () => {
    const { ledger, memory, memoryId } = await beginLedger()
    const { accepted } = await uploadLog({ ledger, memory })
    const { jobId } = accepted.json
    await untilTrue(async () => (await readJob(jobId)).status === 'processing')
    process.kill(worker.pid, 'SIGSTOP')
    const harbour = note(ledger, memory, 'The harbour of Varn freezes. '.repeat(20_000))
    const adds = countReached(two, 'add:intended')
    const add = two.post<Added>(`/v1/memories/${memoryId}/documents`, {
      documents: [{ title: harbour.token, text: harbour.text }],
    })
    await untilAdding(two, adds)
    process.kill(two.pid, 'SIGSTOP')
    const second = await startNode('worker')
    assert.equal((await endOfJobPatiently(jobId)).status, 'completed')
    await untilTrue(async () => (await countRows('intents')) === 0)
    for (const { pid } of [worker, two]) process.kill(pid, 'SIGCONT')
    const answer = await add
    // The worker stops working on a job finished by the second worker.
    await untilTrue(async () =>
      worker
        .output()
        .split('\n')
        .some((line) => LEAVES_A_JOB.test(line) && line.includes(jobId)),
    )
    if (answer.status === 200) ledger.show(harbour, answer.json.documentIds[0] ?? '')
    else assertError(answer, 503, 'service_unavailable')
    await assertInvariants(ledger, `the add that stood still was answered ${answer.status}`)
    assertStatus(await one.delete(`/v1/memories/${memoryId}`), 204)
    await second.stop()
  })

  /** A ledger and the only memory, both with the same content. */
  async function beginLedger(): Promise<{ ledger: Ledger; memory: MemoryEntry; memoryId: string }> {
    const { memories } = (await one.get<{ memories: { id: string }[] }>('/v1/memories')).json
    for (const { id } of memories) assertStatus(await one.delete(`/v1/memories/${id}`), 204)
    const ledger = createLedger(createRandom(1))
    const [memory] = await makeMemories(one, ledger, 1)
    assert.ok(memory)
    return { ledger, memory, memoryId: memory.id ?? '' }
  }

  /** A 3 MB file, for a long job. */
  async function uploadLog({ ledger, memory }: { ledger: Ledger; memory: MemoryEntry }) {
    const lines = Array.from({ length: 60_000 }, (_, line) => `Line ${line} of the log of the pilot station.`)
    const entry = note(ledger, memory, lines.join('\n'))
    const file = { content: entry.text, filename: `${entry.token}.txt` }
    const accepted = await upload<Accepted>(one, memory.id ?? '', file)
    assertStatus(accepted, 202)
    ledger.accept(entry, accepted.json.documentIds[0] ?? '', accepted.json.jobId)
    return { accepted }
  }

  async function assertInvariants(ledger: Ledger, what: string): Promise<void> {
    const auditStorage = () => auditByDoctor(installation().settings)
    assert.deepEqual(await checkEverything({ nodes: [one, two], ledger, auditStorage }), [], what)
  }

  async function readJob(jobId: string): Promise<Job> {
    return (await one.get<Job>(`/v1/jobs/${jobId}`)).json
  }

  async function endOfJobPatiently(jobId: string): Promise<Job> {
    await untilTrue(async () => !['pending', 'processing'].includes((await readJob(jobId)).status))
    return readJob(jobId)
  }

  async function countRows(table: string): Promise<number> {
    const [row] = await runStatement(installation().database, `select count(*)::int as rows from ${table}`)
    return Number(row?.['rows'])
  }

  /**
   * Reported by the process, since the database rows exist only for tenths of a second, too short
   * for polling.
   */
  const untilAdding = (service: MortalService, before: number) =>
    untilTrue(async () => countReached(service, 'add:intended') > before, 10)

  async function untilTrue(isSo: () => Promise<boolean>, lookMs = 300): Promise<void> {
    const until = Date.now() + PATIENCE_MS
    while (!(await isSo())) {
      assert.ok(Date.now() < until, `it did not come to that in time:\n${installation().tails()}`)
      await pause(lookMs)
    }
  }
})

/** A document to send, with unique words at its beginning and end. */
function note(ledger: Ledger, memory: MemoryEntry, middle: string): Entry {
  const [token, tail] = [ledger.newToken(), ledger.newToken()]
  const text = `The word ${token} begins it. ${middle} It ends with ${tail}.`
  const usual = { kind: 'document', externalId: null, isContended: false, storeSource: false, repeats: null } as const
  const [entry] = ledger.send(0, [{ ...usual, memory, token, tail, text }])
  assert.ok(entry)
  return entry
}
