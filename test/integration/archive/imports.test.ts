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
import { textDocument } from '../services/ingest-house.ts'
import { type ArchiveHouse, fillMemory, openArchiveHouse } from './archive-house.ts'

/** A fixture with a worker, with dependencies replaced by `own`. */
async function openJobHouse(t: TestContext, own: (parts: IngestDeps) => Partial<IngestDeps> = () => ({})) {
  const house = await openArchiveHouse(t)
  await fillMemory(house)
  const archive = await house.exportWhole(house.memory.id)
  const parts = { ...house.parts, ...own(house.parts) }
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
    const accepted = await house.archives.import(house.caller, file, { options: chosen, work: { signal } })
    assert.ok('pollUrl' in accepted)
    return accepted
  }
  return {
    ...house,
    archive,
    parts,
    jobs,
    worker,
    begin,
    end: (jobId: string) => jobs.wait(house.caller, jobId, { waitMs: 60_000, signal }),
  }
}

/**
 * Everything besides the memory of the fixture after processed deletions; the outbox rows remain
 * for a while.
 */
async function listLeftovers({ parts, files, memory }: ArchiveHouse): Promise<string[]> {
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
  const house = await openArchiveHouse(t)
  await fillMemory(house)
  const archive = await house.exportWhole(house.memory.id)
  const createdMs = Date.parse(house.memory.createdAt)
  for (const offMs of [-3600_000, 3600_000]) {
    const imported = await house.importWhole(archive, {}, { now: () => new Date(createdMs + offMs) })
    assert.equal(imported.id < house.memory.id, offMs < 0)
  }
})

test('a job imports in the background, counts its documents, and removes its staged archive', async (t) => {
  const house = await openJobHouse(t)
  const accepted = await house.begin()
  assert.deepEqual(
    [accepted.reason, accepted.job.jobType, accepted.documentIds],
    ['async_requested', 'memoryimport', []],
  )
  assert.equal(accepted.job.memoryId, null)
  house.worker.start()
  t.after(() => house.worker.stop())
  const job = await house.end(accepted.jobId)
  assert.equal(job.status, 'completed', job.message)
  const copy = await house.memories.get(house.caller, job.memoryId ?? '')
  const original = await house.memories.get(house.caller, house.memory.id)
  assert.equal(copy.name, 'Copy')
  assert.deepEqual([copy.documentCount, copy.chunkCount], [original.documentCount, original.chunkCount])
  assert.equal(job.result?.documentsAdded, original.documentCount + original.correctionCount)
  assert.equal(job.result?.chunksCreated, original.chunkCount)
  await house.memories.delete(house.caller, job.memoryId ?? '')
  assert.deepEqual(await listLeftovers(house), [])
})

test('a job with a damaged archive fails immediately with the reason and leaves nothing', async (t) => {
  const house = await openJobHouse(t)
  const accepted = await house.begin(house.archive.subarray(0, -20))
  house.worker.start()
  t.after(() => house.worker.stop())
  const job = await house.end(accepted.jobId)
  assert.deepEqual([job.status, job.errorCode, job.attempts, job.memoryId], ['failed', 'invalid_archive', 1, null])
  assert.deepEqual(await listLeftovers(house), [])
  await assert.rejects(house.jobs.retry(house.caller, job.id), refusedAs('job_not_cancellable'))
})

test('a job uses the plan that the organization has when the job runs', async (t) => {
  const house = await openJobHouse(t)
  const accepted = await house.begin()
  await setPlan(house.parts.db, house.caller.organizationId, 'free')
  house.worker.start()
  t.after(() => house.worker.stop())
  const job = await house.end(accepted.jobId)
  assert.deepEqual([job.status, job.errorCode], ['failed', 'memory_limit_reached'])
})

test('a file without an archive header is refused before a job is created', async (t) => {
  const house = await openJobHouse(t)
  await assert.rejects(house.begin(Buffer.from('hello')), refusedAs('invalid_archive'))
})

test('a job cancelled before its start leaves nothing', async (t) => {
  const house = await openJobHouse(t)
  const accepted = await house.begin()
  const job = await house.jobs.cancel(house.caller, accepted.jobId)
  assert.deepEqual([job.status, job.errorCode], ['failed', 'cancelled'])
  assert.deepEqual(await listLeftovers({ ...house, parts: house.parts }), [])
})

test('a job whose store fails halfway retries and removes the writes of its first attempt', async (t) => {
  let failures = 2
  const house = await openJobHouse(t, ({ memoryFile }) => ({
    memoryFile: {
      ...memoryFile,
      async add(...given) {
        await memoryFile.add(...given)
        failures -= 1
        if (failures >= 0) throw new Error('the disk is gone')
      },
    },
  }))
  const accepted = await house.begin()
  house.worker.start()
  t.after(() => house.worker.stop())
  const job = await house.end(accepted.jobId)
  assert.deepEqual([job.status, job.attempts], ['completed', 3], job.message)
  await house.memories.delete(house.caller, job.memoryId ?? '')
  assert.deepEqual(await listLeftovers(house), [])
})

test('an import that fails at any step leaves nothing, and its memory never becomes visible', async (t) => {
  const house = await openArchiveHouse(t)
  await fillMemory(house)
  const archive = await house.exportWhole(house.memory.id)
  const { blobs, memoryFile } = house.parts
  const fail = () => Promise.reject(new Error('broken'))
  const broken: Partial<IngestDeps>[] = [
    { blobs: { ...blobs, put: fail } },
    { memoryFile: { ...memoryFile, add: fail } },
  ]
  for (const own of broken) await assert.rejects(house.importWhole(archive, {}, own), /broken/)
  assert.deepEqual(await listLeftovers(house), [])
})

test('the next process sweeps up after one that died while importing', async (t) => {
  const house = await openArchiveHouse(t)
  await fillMemory(house)
  const archive = await house.exportWhole(house.memory.id)
  const { memoryFile, removals, now } = house.parts
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
  const import_ = house.importWhole(archive, {}, dying)
  import_.catch(() => undefined)
  while (writes === 0) await new Promise((resolve) => setImmediate(resolve))
  const seenSince = now().toISOString()
  await sweepIntents({ ...house.parts, removals }, { seenSince, begunBefore: new Date(0) })
  const left = await listLeftovers(house)
  assert.deepEqual(
    left.filter((name) => !name.startsWith('upload-')),
    [],
  )
  dead.reject(new Error('killed'))
})

test('a plan without room for the memory or its bytes refuses the import, and nothing is left', async (t) => {
  const house = await openArchiveHouse(t)
  await house.add({}, [textDocument('The tide is low.')])
  const archive = await house.exportWhole(house.memory.id)
  const { parts, caller } = house
  caller.planId = 'free'
  await assert.rejects(house.importWhole(archive), refusedAs('memory_limit_reached'))
  caller.planId = 'starter'
  const bytes = PLANS.starter.limits.storageBytes ?? 0
  await parts.db
    .updateTable('memories')
    .set({ storage_bytes: bytes - 5 })
    .execute()
  await assert.rejects(house.importWhole(archive), refusedAs('storage_quota_exceeded'))
  assert.deepEqual(await listLeftovers(house), [])
})

test('an unknown project is refused, a known one takes the memory in', async (t) => {
  const house = await openArchiveHouse(t)
  const archive = await house.exportWhole(house.memory.id)
  await assert.rejects(house.importWhole(archive, { projectId: 'prj_1' }), refusedAs('project_not_found'))
  const input = { name: 'p', description: null, projectId: null, projectName: 'Help desk' }
  const { projectId } = await house.memories.create(house.caller, input)
  const copy = await house.importWhole(archive, { projectId })
  assert.equal(copy.projectName, 'Help desk')
})
