/**
 * Machine clocks jump a day forward and back under running processes: one process alone, and one of
 * several.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { assertError, assertStatus } from '../spec/answer.ts'
import { createService, type Service } from '../spec/service.ts'
import type { Accepted, Added, Job, Key } from '../spec/shapes.ts'
import { addInBackground, addText, endOfJob, find, listDocuments, makeMemory, upload } from '../spec/steps.ts'
import { makeSettableClock, type SettableClock, whyNoSettableClock } from './support/settable-clock.ts'

const reason = whyNoSettableClock()
const DAY_SECONDS = 24 * 3600
const REQUESTS_A_MINUTE = 500
/** The service checks the time every 5 s. */
const PATIENCE_MS = 90_000
const JOBS = 12
const LINES = 20_000

// In parallel: each test has a separate clock and mostly waits.
describe('one process', { skip: reason ?? false, concurrency: 2 }, () => {
  describeClock('forward', DAY_SECONDS)
  describeClock('back', -DAY_SECONDS)
})

function describeClock(direction: string, seconds: number): void {
  describe(`a clock that is set ${direction} by a day`, { concurrency: 1 }, () => {
    let folder: string
    let clock: SettableClock
    let service: Service
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'recollect-clock-'))
      clock = makeSettableClock(join(folder, 'clock'))
      service = createService({
        ...clock.settings,
        RECOLLECT_LOG_LEVEL: 'info',
        RECOLLECT_RATE_LIMIT_PER_MINUTE: String(REQUESTS_A_MINUTE),
      })
      await service.start()
    })
    after(async () => {
      await service?.dispose()
      await rm(folder, { recursive: true, force: true })
    })

    test('ends no job twice or a day late, and keeps order, cursors, first answers and limits', async () => {
      const memoryId = await makeMemory(service)
      const body = { documents: [{ title: 'First', text: 'The first heron came before the flood.' }] }
      const keyed = { headers: { 'idempotency-key': randomUUID() } }
      const path = `/v1/memories/${memoryId}/documents`
      const first = await service.post<Added>(path, body, keyed)
      assertStatus(first, 200)
      const ids = [...first.json.documentIds, await addText(service, memoryId, 'The second heron came with it.')]
      const page = await listDocuments(service, memoryId, '?limit=1')
      const busy = await exhaustedKey(service)
      const jobs = await acceptJobs(service, memoryId)
      clock.set(seconds)
      await addText(service, await makeMemory(service), 'Whoever looks at the clock sees nothing strange.')
      await untilFollowed(service, seconds)

      for (const jobId of jobs) {
        const { status, attempts } = await endOfJob(service, jobId)
        assert.deepEqual([status, attempts], ['completed', 1])
      }
      assert.doesNotMatch(service.output(), /dead worker|lost to another worker/)
      const repeated = await service.post<Added>(path, body, keyed)
      assert.deepEqual(repeated.json.documentIds, first.json.documentIds)
      assert.equal(repeated.headers.get('idempotent-replayed'), 'true')
      assertStatus(await service.get('/v1/memories', { key: busy }), 200)
      const third = await addText(service, memoryId, 'The third heron came after the flood.')
      const { documents, total } = await listDocuments(service, memoryId, '?limit=100')
      assert.deepEqual([documents[0]?.id, ...documents.slice(-2).map(({ id }) => id)], [third, ...ids.toReversed()])
      assert.equal(total, 3 + jobs.length)
      const next = await listDocuments(service, memoryId, `?limit=1&cursor=${page.nextCursor}`)
      assert.deepEqual(
        next.documents.map(({ id }) => id),
        ids.slice(0, 1),
      )
      assert.equal((await find(service, memoryId, 'heron and the flood')).hits.length > 2, true)
    })

    test('while the service is down, costs no job its turn', async () => {
      const memoryId = await makeMemory(service)
      const jobs = await acceptJobs(service, memoryId)
      await service.stop()
      clock.set(0)
      await service.start()
      for (const jobId of jobs) assert.equal((await endOfJob(service, jobId)).status, 'completed')
      assert.equal((await listDocuments(service, memoryId)).total, jobs.length)
    })
  })
}

/** A key without remaining requests for the current minute. */
async function exhaustedKey(service: Service): Promise<string> {
  const { key = '' } = (await service.post<Key>('/v1/keys', { name: 'busy' })).json
  for (let count = 0; count < REQUESTS_A_MINUTE; count += 1) await service.get('/v1/jobs?limit=1', { key })
  assertError(await service.get('/v1/memories', { key }), 429, 'rate_limited')
  return key
}

/** Accepts jobs; the first takes seconds and delays the rest. */
async function acceptJobs(service: Service, memoryId: string): Promise<string[]> {
  const content = Array.from({ length: LINES }, (_, line) => `Line ${line} of the log of the pilot station.`).join('\n')
  const large = await upload<Accepted>(service, memoryId, { content, filename: 'log.txt', options: { async: true } })
  assertStatus(large, 202)
  await untilTrue(async () => (await service.get<Job>(`/v1/jobs/${large.json.jobId}`)).json.status === 'processing')
  const others = Array.from({ length: JOBS }, (_, job) =>
    addInBackground(service, memoryId, `Note ${job} of the pilot.`),
  )
  return [large.json.jobId, ...(await Promise.all(others)).map(({ json }) => json.jobId)]
}

/** Waits until the service says the time of the machine's clock. */
function untilFollowed(service: Service, seconds: number): Promise<void> {
  return untilTrue(async () => {
    const { timestamp } = (await service.get<{ timestamp: string }>('/health')).json
    return Math.abs(Date.parse(timestamp) - Date.now() - 1000 * seconds) < 60_000
  })
}

async function untilTrue(isSo: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  while (!(await isSo())) {
    assert.ok(performance.now() < until, 'it did not come to that in time')
    await pause(50)
  }
}
