import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setPlan } from '../../../src/database/account/organizations-table.ts'
import { createWorker } from '../../../src/jobs/worker.ts'
import { PLANS } from '../../../src/limits.ts'
import { createImportJob } from '../../../src/services/archive/import-job.ts'
import type { IngestDeps } from '../../../src/services/ingest/ingest-deps.ts'
import { sweepIntents } from '../../../src/services/ingest/storing/discard-documents.ts'
import { IMPORT_JOB } from '../../../src/services/jobs/job-handler.ts'
import { createJobsService } from '../../../src/services/jobs/jobs-service.ts'
import { refusedAs, silent } from '../services/fixtures.ts'
import { textDocument } from '../services/ingest-fixture.ts'
import { type ArchiveFixture, fillMemory, openArchiveFixture } from './archive-fixture.ts'

/** A fixture with a worker, with dependencies replaced by `own`. */
async function openJobFixture(t: TestContext, own: (parts: IngestDeps) => Partial<IngestDeps> = () => ({})) {
  const fixture = await openArchiveFixture(t)
  await fillMemory(fixture)
  const archive = await fixture.exportWhole(fixture.memory.id)
  const parts = { ...fixture.parts, ...own(fixture.parts) }
  const { db, changes, now } = parts
  const handlers = { [IMPORT_JOB]: createImportJob(parts) }
  const pauses = { pauseMs: () => 0, interruptedPauseMs: () => 0, pollMs: 5, reportMs: 1 }
  const worker = createWorker({ db, handlers, changes, log: silent, now, isOnly: true, ...pauses })
  const jobs = createJobsService({ ...parts, handlers, pollMs: 5 })
  const { signal } = new AbortController()

  async function begin(content = archive) {
    const path = join(parts.temporaryDirectory, `upload-${randomUUID()}`)
    await writeFile(path, content)
    const file = { path, bytes: content.length, filename: null, declaredType: null }
    const chosen = { name: 'Copy', projectId: null, async: true }
    const accepted = await fixture.archives.import(fixture.caller, file, { options: chosen, work: { signal } })
    assert.ok('pollUrl' in accepted)
    return accepted
  }
  return {
    ...fixture,
    archive,
    parts,
    jobs,
    worker,
    begin,
    end: (jobId: string) => jobs.wait(fixture.caller, jobId, { waitMs: 60_000, signal }),
  }
}

/**
 * Everything besides the memory of the fixture after processed deletions; the outbox rows remain
 * for a while.
 */
async function listLeftovers({ parts, files, memory }: ArchiveFixture): Promise<string[]> {
  await parts.removals.sweep()
  const { db, blobs, temporaryDirectory } = parts
  const [intents, memories, documents] = await Promise.all([
    db.selectFrom('intents').select('document_id as id').execute(),
    db.selectFrom('memories').select('id').where('id', '!=', memory.id).execute(),
    db.selectFrom('documents').select('id').where('memory_id', '!=', memory.id).execute(),
  ])
  const objects = (await blobs.list('memories/')).filter((key) => !key.includes(memory.id))
  const memoryFiles = (await files.list()).filter((name) => name !== memory.id)
  const temporary = (await readdir(temporaryDirectory)).filter((name) => /^(upload|archive)-/.test(name))
  return [...[...intents, ...memories, ...documents].map(({ id }) => id), ...objects, ...memoryFiles, ...temporary]
}

test('an imported memory is listed by the clock that all processes share', async (t) => {
  const fixture = await openArchiveFixture(t)
  await fillMemory(fixture)
  const archive = await fixture.exportWhole(fixture.memory.id)
  const createdMs = Date.parse(fixture.memory.createdAt)
  for (const offMs of [-3600_000, 3600_000]) {
    const imported = await fixture.importWhole(archive, {}, { now: () => new Date(createdMs + offMs) })
    assert.equal(imported.id < fixture.memory.id, offMs < 0)
  }
})

test('a job imports in the background, counts its documents, and removes its staged archive', async (t) => {
  const fixture = await openJobFixture(t)
  const accepted = await fixture.begin()
  assert.deepEqual(
    [accepted.reason, accepted.job.jobType, accepted.documentIds],
    ['async_requested', 'memoryimport', []],
  )
  assert.equal(accepted.job.memoryId, null)
  fixture.worker.start()
  t.after(() => fixture.worker.stop())
  const job = await fixture.end(accepted.jobId)
  assert.equal(job.status, 'completed', job.message)
  const copy = await fixture.memories.get(fixture.caller, job.memoryId ?? '')
  const original = await fixture.memories.get(fixture.caller, fixture.memory.id)
  assert.equal(copy.name, 'Copy')
  assert.deepEqual([copy.documentCount, copy.chunkCount], [original.documentCount, original.chunkCount])
  assert.equal(job.result?.documentsAdded, original.documentCount + original.correctionCount)
  assert.equal(job.result?.chunksCreated, original.chunkCount)
  await fixture.memories.delete(fixture.caller, job.memoryId ?? '')
  assert.deepEqual(await listLeftovers(fixture), [])
})

test('a job with a damaged archive fails immediately with the reason and leaves nothing', async (t) => {
  const fixture = await openJobFixture(t)
  const accepted = await fixture.begin(fixture.archive.subarray(0, -20))
  fixture.worker.start()
  t.after(() => fixture.worker.stop())
  const job = await fixture.end(accepted.jobId)
  assert.deepEqual([job.status, job.errorCode, job.attempts, job.memoryId], ['failed', 'invalid_archive', 1, null])
  assert.deepEqual(await listLeftovers(fixture), [])
  await assert.rejects(fixture.jobs.retry(fixture.caller, job.id), refusedAs('job_not_cancellable'))
})

test('a job uses the plan that the organization has when the job runs', async (t) => {
  const fixture = await openJobFixture(t)
  const accepted = await fixture.begin()
  await setPlan(fixture.parts.db, fixture.caller.organizationId, 'free')
  fixture.worker.start()
  t.after(() => fixture.worker.stop())
  const job = await fixture.end(accepted.jobId)
  assert.deepEqual([job.status, job.errorCode], ['failed', 'memory_limit_reached'])
})

test('a file without an archive header is refused before a job is created', async (t) => {
  const fixture = await openJobFixture(t)
  await assert.rejects(fixture.begin(Buffer.from('hello')), refusedAs('invalid_archive'))
})

test('a job cancelled before its start leaves nothing', async (t) => {
  const fixture = await openJobFixture(t)
  const accepted = await fixture.begin()
  const job = await fixture.jobs.cancel(fixture.caller, accepted.jobId)
  assert.deepEqual([job.status, job.errorCode], ['failed', 'cancelled'])
  assert.deepEqual(await listLeftovers({ ...fixture, parts: fixture.parts }), [])
})

test('a job whose store fails halfway retries and removes the writes of its first attempt', async (t) => {
  let failures = 2
  const fixture = await openJobFixture(t, ({ memoryFile }) => ({
    memoryFile: {
      ...memoryFile,
      async add(...given) {
        await memoryFile.add(...given)
        failures -= 1
        if (failures >= 0) throw new Error('the disk is gone')
      },
    },
  }))
  const accepted = await fixture.begin()
  fixture.worker.start()
  t.after(() => fixture.worker.stop())
  const job = await fixture.end(accepted.jobId)
  assert.deepEqual([job.status, job.attempts], ['completed', 3], job.message)
  await fixture.memories.delete(fixture.caller, job.memoryId ?? '')
  assert.deepEqual(await listLeftovers(fixture), [])
})

test('an import that fails at any step leaves nothing, and its memory never becomes visible', async (t) => {
  const fixture = await openArchiveFixture(t)
  await fillMemory(fixture)
  const archive = await fixture.exportWhole(fixture.memory.id)
  const { blobs, memoryFile } = fixture.parts
  const fail = () => Promise.reject(new Error('broken'))
  const broken: Partial<IngestDeps>[] = [
    { blobs: { ...blobs, put: fail } },
    { memoryFile: { ...memoryFile, add: fail } },
  ]
  for (const own of broken) await assert.rejects(fixture.importWhole(archive, {}, own), /broken/)
  assert.deepEqual(await listLeftovers(fixture), [])
})

test('the next process sweeps up after one that died while importing', async (t) => {
  const fixture = await openArchiveFixture(t)
  await fillMemory(fixture)
  const archive = await fixture.exportWhole(fixture.memory.id)
  const { memoryFile, removals, now } = fixture.parts
  const dead = Promise.withResolvers<never>()
  let writes = 0
  // The process stops after its first write, as a killed one does; no other process cleans up.
  const dying: Partial<IngestDeps> = {
    owner: 'dead',
    memoryFile: {
      ...memoryFile,
      async add(...given) {
        await memoryFile.add(...given)
        writes += 1
        await dead.promise
      },
    },
  }
  const import_ = fixture.importWhole(archive, {}, dying)
  import_.catch(() => undefined)
  while (writes === 0) await new Promise((resolve) => setImmediate(resolve))
  const seenSince = now().toISOString()
  await sweepIntents({ ...fixture.parts, removals }, { seenSince, begunBefore: new Date(0) })
  const left = await listLeftovers(fixture)
  assert.deepEqual(
    left.filter((name) => !name.startsWith('upload-')),
    [],
  )
  dead.reject(new Error('killed'))
})

test('a plan without room for the memory or its bytes refuses the import, and nothing is left', async (t) => {
  const fixture = await openArchiveFixture(t)
  await fixture.add({}, [textDocument('The tide is low.')])
  const archive = await fixture.exportWhole(fixture.memory.id)
  const { parts, caller } = fixture
  caller.planId = 'free'
  await assert.rejects(fixture.importWhole(archive), refusedAs('memory_limit_reached'))
  caller.planId = 'starter'
  const bytes = PLANS.starter.limits.storageBytes ?? 0
  await parts.db
    .updateTable('memories')
    .set({ storage_bytes: bytes - 5 })
    .execute()
  await assert.rejects(fixture.importWhole(archive), refusedAs('storage_quota_exceeded'))
  assert.deepEqual(await listLeftovers(fixture), [])
})

test('an unknown project is refused, a known one takes the memory in', async (t) => {
  const fixture = await openArchiveFixture(t)
  const archive = await fixture.exportWhole(fixture.memory.id)
  await assert.rejects(fixture.importWhole(archive, { projectId: 'prj_1' }), refusedAs('project_not_found'))
  const input = { name: 'p', description: null, projectId: null, projectName: 'Help desk' }
  const { projectId } = await fixture.memories.create(fixture.caller, input)
  const copy = await fixture.importWhole(archive, { projectId })
  assert.equal(copy.projectName, 'Help desk')
})
