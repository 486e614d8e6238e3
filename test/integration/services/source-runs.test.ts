/** Runs of sources by several runners on one database. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { SourceResource } from '../../../src/api/source.ts'
import { claimSource, releaseSource } from '../../../src/database/jobs/sources-table.ts'
import { ApiError } from '../../../src/errors.ts'
import { createDocumentFilters } from '../../../src/services/filters/document-filters.ts'
import { createIngestService } from '../../../src/services/ingest/ingest-service.ts'
import { readFolder } from '../../../src/services/sources/read-folder.ts'
import { createSourceRunner, type ReadSource } from '../../../src/services/sources/source-runner.ts'
import { readSettings } from '../../../src/services/sources/source-settings.ts'
import { createSourcesService } from '../../../src/services/sources/sources-service.ts'
import { silent } from './fixtures.ts'
import { openIngestFixture } from './ingest-fixture.ts'

const TIMES = { leaseMs: 1500, heartbeatMs: 100, pollMs: 20 }

async function openSources(t: TestContext) {
  const fixture = await openIngestFixture(t)
  const { caller, memory, parts } = fixture
  // The clock of the fixture does not move.
  const clock = { aheadMs: 0 }
  const now = () => new Date(fixture.now().getTime() + clock.aheadMs)
  const folder = join(parts.temporaryDirectory, 'shelf')
  await mkdir(folder)
  for (const name of ['a', 'b', 'c']) await writeFile(join(folder, `${name}.md`), `The text of ${name}.`)
  const filters = createDocumentFilters(fixture.db)
  const folders = [folder]
  const fetcher = { requireUrl: (text: string) => new URL(text) }
  const service = createSourcesService({ ...parts, secrets: null, folders, fetcher, filters, now })
  const read: ReadSource = async (source, run) => {
    const { type, settings } = readSettings(source)
    assert.equal(type, 'folder')
    await readFolder(
      { folders, temporaryDirectory: parts.temporaryDirectory },
      settings as { path: string; exclude: [] },
      run,
    )
  }
  const startRunner = (own: ReadSource = read) => {
    const ingest = createIngestService(parts)
    const runner = createSourceRunner({
      ...parts,
      ...TIMES,
      ingest,
      filters,
      read: own,
      log: silent,
      now,
      isOnly: false,
    })
    runner.start()
    t.after(runner.stop)
    return runner
  }
  const create = () => service.create(caller, memory.id, { sent: { type: 'folder', folder: { path: folder } } })
  const get = (sourceId: string) => service.get(caller, { memoryId: memory.id, sourceId })
  const until = async (sourceId: string, isDone: (source: SourceResource) => boolean) => {
    for (let source = await get(sourceId); ; source = await get(sourceId)) {
      if (isDone(source)) return source
      await pause(20)
    }
  }
  return { ...fixture, clock, folder, service, read, startRunner, create, get, until }
}

const isIdle = ({ status }: SourceResource) => status === 'idle'

test('of several runners one runs a source, and its end is stored once', { timeout: 60_000 }, async (t) => {
  const { read, startRunner, create, until } = await openSources(t)
  let [running, most, runs] = [0, 0, 0]
  const slow: ReadSource = async (source, run) => {
    running += 1
    runs += 1
    most = Math.max(most, running)
    await pause(300)
    await read(source, run)
    running -= 1
  }
  for (let count = 0; count < 4; count += 1) startRunner(slow)
  const { id } = await create()
  const { lastRun, documentCount } = await until(id, isIdle)
  assert.deepEqual([most, runs, lastRun?.added, documentCount], [1, 1, 3, 3])
})

test('the run of a dead process is taken over once its lease has expired', { timeout: 60_000 }, async (t) => {
  const { db, now, clock, startRunner, create, get, until } = await openSources(t)
  const { id } = await create()
  const dead = await claimSource(db, { token: 'dead', leaseMs: 800, now: now() })
  assert.equal(dead?.id, id)
  assert.equal(await claimSource(db, { token: 'other', leaseMs: 800, now: now() }), null)
  startRunner()
  await pause(200)
  assert.equal((await get(id)).status, 'running')
  clock.aheadMs = 1000
  const { lastRun } = await until(id, isIdle)
  assert.deepEqual([lastRun?.outcome, lastRun?.added], ['completed', 3])
  // The late end of the dead process changes nothing.
  assert.equal(await releaseSource(db, { sourceId: id, token: 'dead' }, { last_run: '{}' }), false)
})

test('a stopped runner gives its run back, which the next one repeats', { timeout: 60_000 }, async (t) => {
  const { startRunner, create, get, until } = await openSources(t)
  const first = startRunner((_source, run) => pause(60_000, undefined, { signal: run.signal }))
  const { id } = await create()
  await until(id, ({ status }) => status === 'running')
  await first.stop()
  assert.equal((await get(id)).status, 'queued')
  startRunner()
  assert.equal((await until(id, isIdle)).lastRun?.added, 3)
})

test('a run that the service cannot finish ends after three attempts, with a reason', {
  timeout: 60_000,
}, async (t) => {
  const { db, create, get, until, startRunner } = await openSources(t)
  let attempts = 0
  startRunner(() => {
    attempts += 1
    return Promise.reject(new Error('the disk is on fire'))
  })
  const { id } = await create()
  const dueNow = () =>
    db
      .updateTable('sources')
      .set({ next_run_at: new Date(0).toISOString() })
      .execute()
  for (let attempt = 1; attempt < 3; attempt += 1) {
    await until(id, () => attempts === attempt)
    await until(id, ({ status }) => status === 'scheduled')
    await dueNow()
  }
  const { lastRun } = await until(id, isIdle)
  assert.deepEqual([attempts, lastRun?.outcome], [3, 'failed'])
  assert.ok(!JSON.stringify(await get(id)).includes('fire'))
})

test('a refusal ends the run with its message, and a deleted source ends it silently', {
  timeout: 60_000,
}, async (t) => {
  const { service, caller, memory, create, until, startRunner } = await openSources(t)
  let isBlocking = false
  startRunner(async (_source, run) => {
    if (!isBlocking) throw new ApiError('storage_quota_exceeded')
    await pause(60_000, undefined, { signal: run.signal })
  })
  const { id } = await create()
  assert.match((await until(id, isIdle)).lastRun?.reason ?? '', /storage/)
  isBlocking = true
  const second = await create()
  await until(second.id, ({ status }) => status === 'running')
  const { signal } = new AbortController()
  const key = { memoryId: memory.id, sourceId: second.id }
  await service.delete(caller, key, { withDocuments: true, signal })
  await assert.rejects(service.get(caller, key), { code: 'source_not_found' })
})

test('two sources do not fight for one name', { timeout: 60_000 }, async (t) => {
  const { create, until, startRunner } = await openSources(t)
  startRunner()
  const first = await create()
  assert.equal((await until(first.id, isIdle)).lastRun?.added, 3)
  const second = await create()
  const { lastRun } = await until(second.id, isIdle)
  assert.deepEqual([lastRun?.added, lastRun?.skipped], [0, 3])
  assert.match(lastRun?.problems[0]?.reason ?? '', /source/)
})
