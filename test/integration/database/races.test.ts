/**
 * Concurrent access of several processes to one database. Two stores on one place represent two
 * processes: SQLite alternates between both, PostgreSQL (`npm run test:scale`) runs both
 * concurrently.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Kysely } from 'kysely'
import { countQuery, getQueryCount } from '../../../src/database/account/organizations-table.ts'
import { reclaimAbandonedIntents, reclaimIntents } from '../../../src/database/deletion/intents-table.ts'
import { claimJobs } from '../../../src/database/jobs/claim-jobs.ts'
import { insertJob } from '../../../src/database/jobs/jobs-table.ts'
import { insertDocuments, type PublishedDocument } from '../../../src/database/memories/document-writes.ts'
import { listDocumentsByHash } from '../../../src/database/memories/duplicates-table.ts'
import { unpinEmbeddingModel } from '../../../src/database/memories/memories-table.ts'
import { acquireLease, countRequest, recordHeartbeat, releaseLease } from '../../../src/database/process-tables.ts'
import type { Tables } from '../../../src/database/schema.ts'
import { ApiError } from '../../../src/errors.ts'
import { newId } from '../../../src/ids.ts'
import { PLANS, type PlanId } from '../../../src/limits.ts'
import { bootstrap, createFirstKey } from '../../../src/services/account/organizations-service.ts'
import { createProjectsService } from '../../../src/services/account/projects-service.ts'
import type { Caller } from '../../../src/services/caller.ts'
import type { DeletionOutbox } from '../../../src/services/deletion/deletion-outbox.ts'
import { createDocumentsService } from '../../../src/services/documents/documents-service.ts'
import type { IngestDeps } from '../../../src/services/ingest/ingest-deps.ts'
import {
  type Commit,
  commitDocuments,
  openWriteIntents,
} from '../../../src/services/ingest/storing/commit-documents.ts'
import { createJobChanges } from '../../../src/services/jobs/job-changes.ts'
import { createMemoriesService } from '../../../src/services/memories/memories-service.ts'
import { createIdempotencyService } from '../../../src/services/nodes/idempotency-service.ts'
import { NO_RESERVE, openPlace, temporaryStore } from './temporary-store.ts'

const now = () => new Date()
/** Commits deletions without cleaning up. */
const removalsOf = (db: Kysely<Tables>): DeletionOutbox => ({
  commit: (deletion) => db.transaction().execute(deletion),
  process: async () => {},
  processOfJob: async () => {},
  sweep: async () => {},
})
const MODEL = 'static-multi'

type Process = { db: Kysely<Tables>; parts: IngestDeps; memories: ReturnType<typeof createMemoriesService> }

/** Two processes on one database, with callers. */
async function openTwo(t: TestContext, plan: PlanId = 'unlimited') {
  const store = await temporaryStore(t)
  const other = await openPlace(store.place)
  t.after(other.close)
  const caller = await bootstrap({ db: store.db, now, plan, bootstrapKey: null })
  const [one, two] = [await toProcess(store.db, 'one'), await toProcess(other.db, 'two')]
  return { one, two, db: store.db, caller, place: store.place }
}

async function toProcess(db: Kysely<Tables>, owner: string): Promise<Process> {
  await recordHeartbeat(db, { id: owner, now: now() })
  const removals = removalsOf(db)
  const parts = { db, owner, now, removals, usage: { record() {} } } as unknown as IngestDeps
  return { db, parts, memories: createMemoriesService({ db, removals, changes: createJobChanges(), now }) }
}

const NEW_MEMORY = { name: 'm', description: null, projectId: null, projectName: null }

function textDocument(caller: Caller, memoryId: string, facts: Partial<PublishedDocument['row']> = {}) {
  const at = now().toISOString()
  const row: PublishedDocument['row'] = {
    id: newId('doc'),
    organization_id: caller.organizationId,
    memory_id: memoryId,
    title: 't',
    mime_type: 'text/plain',
    source_type: 'text',
    tags: '[]',
    metadata: '{}',
    status: 'ready',
    size_bytes: 10,
    storage_bytes: 10,
    ocr_pages: 0,
    chunk_count: 2,
    character_count: 10,
    language: 'en',
    has_source: 0,
    pages: '[]',
    created_at: at,
    updated_at: at,
    ...facts,
  }
  return { row, tags: ['a'], inlineText: 'text', signature: null } satisfies PublishedDocument
}

/** Adds one document like a request, without chunks. */
async function add({ parts }: Process, caller: Caller, document: PublishedDocument, more: Partial<Commit> = {}) {
  const { organizationId, planId, keyId } = caller
  const { id, memory_id: memoryId } = document.row
  const { file } = await openWriteIntents(parts, {
    memoryId,
    documentIds: [id],
    embeddingModel: MODEL,
    at: now().toISOString(),
  })
  const facts = { organizationId, planId, memoryId, keyId, file, documents: [document] }
  await commitDocuments(parts, { ...facts, waited: false, deduplicate: false, ...more })
}

/** Asserts that the counters of the memory match the rows. */
async function assertCounted(db: Kysely<Tables>, memoryId: string): Promise<void> {
  const memory = await db.selectFrom('memories').selectAll().where('id', '=', memoryId).executeTakeFirstOrThrow()
  const live = db.selectFrom('documents').where('memory_id', '=', memoryId).where('status', 'in', ['ready', 'partial'])
  const rows = await live.select(['storage_bytes', 'chunk_count']).execute()
  const languages = await db.selectFrom('memory_languages').selectAll().where('memory_id', '=', memoryId).execute()
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const chunks = sum(rows.map((row) => row.chunk_count))
  assert.deepEqual(
    [memory.document_count, memory.chunk_count, memory.storage_bytes, sum(languages.map((row) => row.chunks))],
    [rows.length, chunks, sum(rows.map((row) => row.storage_bytes)), chunks],
  )
}

const times = <Result>(count: number, make: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

/** The number of successes, and the codes of the refusals. */
async function outcomes(all: Promise<unknown>[]): Promise<{ done: number; refused: string[] }> {
  const settled = await Promise.allSettled(all)
  const refused = settled.flatMap((one) => {
    if (one.status === 'fulfilled') return []
    if (!(one.reason instanceof ApiError)) throw one.reason
    return one.reason.code
  })
  return { done: settled.length - refused.length, refused }
}

test('starts on empty storage make one organization and one key together', async (t) => {
  const { place, db } = await temporaryStore(t)
  const stores = await times(4, () => openPlace(place))
  t.after(() => Promise.all(stores.map((store) => store.close())))
  const made = await Promise.all(
    stores.map(async ({ db: own }) => {
      const caller = await bootstrap({ db: own, now, plan: 'unlimited', bootstrapKey: null })
      return { caller, key: await createFirstKey({ db: own, now }, caller.organizationId) }
    }),
  )
  assert.equal(made.filter(({ key }) => key !== null).length, 1)
  assert.equal(new Set(made.map(({ caller }) => caller.organizationId)).size, 1)
  assert.equal((await db.selectFrom('keys').select('id').execute()).length, 1)
})

test('the counters of a memory stay correct while documents are added and deleted', async (t) => {
  const { one, two, db, caller } = await openTwo(t)
  const { id: memoryId } = await one.memories.create(caller, NEW_MEMORY)
  const documentsOf = ({ db }: Process) =>
    createDocumentsService({ db, blobs: {} as never, removals: removalsOf(db), changes: createJobChanges(), now })
  await times(12, async (index) => {
    const [here, there] = index % 2 === 0 ? [one, two] : [two, one]
    const document = textDocument(caller, memoryId)
    await add(here, caller, document)
    if (index % 3 !== 0) return
    const deletions = [here, there].map((process) => documentsOf(process).delete(caller, memoryId, document.row.id))
    assert.deepEqual(await outcomes(deletions), { done: 1, refused: ['document_not_found'] })
  })
  await assertCounted(db, memoryId)
  assert.equal((await db.selectFrom('documents').select('id').execute()).length, 8)
})

test('a document deleted while its job completes is counted by neither', async (t) => {
  const { one, two, db, caller } = await openTwo(t)
  const { id: memoryId } = await one.memories.create(caller, NEW_MEMORY)
  const deleter = createDocumentsService({
    db: two.db,
    blobs: {} as never,
    removals: removalsOf(two.db),
    changes: createJobChanges(),
    now,
  })
  const { organizationId, planId } = caller
  await times(8, async () => {
    const document = textDocument(caller, memoryId)
    const waiting = { ...document, row: { ...document.row, status: 'pending' as const } }
    await one.db.transaction().execute((transaction) => insertDocuments(transaction, [waiting]))
    const commit = {
      organizationId,
      planId,
      memoryId,
      keyId: null,
      file: memoryId,
      documents: [document],
      waited: true,
      deduplicate: false,
    }
    await Promise.all([commitDocuments(one.parts, commit), deleter.delete(caller, memoryId, document.row.id)])
  })
  await assertCounted(db, memoryId)
  assert.equal((await db.selectFrom('documents').select('id').execute()).length, 0)
})

test('exactly one of several documents with the same externalId remains, from any client', async (t) => {
  const { one, two, db, caller } = await openTwo(t)
  const { id: memoryId } = await one.memories.create(caller, NEW_MEMORY)
  await times(12, (index) =>
    add(index % 2 === 0 ? one : two, caller, textDocument(caller, memoryId, { external_id: 'same' })),
  )
  assert.equal((await db.selectFrom('documents').select('id').execute()).length, 1)
  await assertCounted(db, memoryId)
})

test('the storage of a plan holds over all memories and processes', async (t) => {
  const { one, two, db, caller } = await openTwo(t, 'starter')
  const limit = PLANS.starter.limits.storageBytes ?? 0
  const memoryIds = await times(4, async () => (await one.memories.create(caller, NEW_MEMORY)).id)
  const tenth = { storage_bytes: Math.floor(limit / 10) }
  const adding = Array.from({ length: 16 }, (_, index) =>
    add(index % 2 === 0 ? one : two, caller, textDocument(caller, memoryIds[index % 4] ?? '', tenth)),
  )
  const { done, refused } = await outcomes(adding)
  assert.deepEqual([done, new Set(refused)], [10, new Set(['storage_quota_exceeded'])])
  for (const memoryId of memoryIds) await assertCounted(db, memoryId)
})

test('the number of memories of a plan holds over all processes', async (t) => {
  const { one, two, caller } = await openTwo(t, 'starter')
  const making = Array.from({ length: 12 }, (_, index) =>
    (index % 2 === 0 ? one : two).memories.create(caller, NEW_MEMORY),
  )
  const { done, refused } = await outcomes(making)
  assert.deepEqual([done, new Set(refused)], [PLANS.starter.limits.memories, new Set(['memory_limit_reached'])])
})

test('the queries of a plan and the requests of a minute are counted to the last one over all processes', async (t) => {
  const { one, two, db, caller } = await openTwo(t)
  const { organizationId } = caller
  const query = { organizationId, month: '2026-11', limit: 10 }
  const counted = await times(24, (index) => countQuery((index % 2 === 0 ? one : two).db, query))
  assert.deepEqual([counted.filter(Boolean).length, await getQueryCount(db, query)], [10, 10])
  const at = now()
  const request = { name: 'key', now: at, windowMs: 60_000 }
  const windows = await times(24, (index) => countRequest((index % 2 === 0 ? one : two).db, request))
  const numbers = windows.map(({ requests }) => requests).sort((a, b) => a - b)
  assert.deepEqual(
    numbers,
    Array.from({ length: 24 }, (_, index) => index + 1),
  )
  const later = await countRequest(db, { ...request, now: new Date(at.getTime() + 60_000) })
  assert.deepEqual(later, { requests: 1, endsAt: new Date(at.getTime() + 120_000) })
})

test('a text added twice concurrently with deduplicate exists once, and the other add may be repeated', async (t) => {
  const { one, two, db, caller } = await openTwo(t)
  const { id: memoryId } = await one.memories.create(caller, NEW_MEMORY)
  const adding = [one, two].map((process) =>
    add(process, caller, textDocument(caller, memoryId, { content_hash: 'same' }), { deduplicate: true }),
  )
  assert.deepEqual(await outcomes(adding), { done: 1, refused: ['service_unavailable'] })
  assert.ok((await listDocumentsByHash(db, memoryId, { hashes: ['same'] })).has('same'))
  await assertCounted(db, memoryId)
})

test('a memory is pinned to one model, and stays so while anything is being written', async (t) => {
  const { one, two, caller } = await openTwo(t)
  const { id: memoryId } = await one.memories.create(caller, NEW_MEMORY)
  await times(10, async (index) => {
    const [here, there] = index % 2 === 0 ? [one, two] : [two, one]
    const at = now().toISOString()
    const writing = { memoryId, documentIds: [newId('doc')], embeddingModel: MODEL, at }
    await Promise.all([openWriteIntents(here.parts, writing), unpinEmbeddingModel(there.db, memoryId)])
    const { embeddingModel } = await there.memories.get(caller, memoryId)
    assert.equal(embeddingModel, MODEL)
  })
  const other = { memoryId, documentIds: [newId('doc')], embeddingModel: 'other', at: now().toISOString() }
  await assert.rejects(openWriteIntents(two.parts, other), /pinned the memory to the embedding model static-multi/)
})

test('an add and a concurrent reclaim of its intent have exactly one winner', async (t) => {
  const { one, two, db, caller } = await openTwo(t)
  const { id: memoryId } = await one.memories.create(caller, NEW_MEMORY)
  const { organizationId, planId } = caller
  let published = 0
  await times(8, async () => {
    const document = textDocument(caller, memoryId)
    const documentIds = [document.row.id]
    await openWriteIntents(one.parts, { memoryId, documentIds, embeddingModel: MODEL, at: now().toISOString() })
    const commit = {
      organizationId,
      planId,
      memoryId,
      keyId: null,
      file: memoryId,
      documents: [document],
      waited: false,
      deduplicate: false,
    }
    const dead = { seenSince: new Date(Date.now() + 60_000).toISOString(), begunBefore: new Date(0), limit: 100 }
    const [taken, done] = await Promise.all([
      reclaimAbandonedIntents(two.db, dead),
      outcomes([commitDocuments(one.parts, commit)]),
    ])
    const isTaken = taken.some(({ document_id }) => document_id === document.row.id)
    const isLeft = (await reclaimIntents(db, { documentIds, owner: 'one' })).length > 0
    // On SQLite, taking locks nothing: the only process knows its own work.
    if (done.done === 1) assert.ok(!isLeft)
    else assert.ok(isTaken || isLeft)
    published += done.done
  })
  assert.equal((await db.selectFrom('documents').select('id').execute()).length, published)
})

test('an Idempotency-Key is claimed by one request, also when an old claim has just run out', async (t) => {
  const { one, two, db } = await openTwo(t)
  const ofOne = createIdempotencyService({ db: one.db, now, owner: 'one' })
  const ofTwo = createIdempotencyService({ db: two.db, now, owner: 'two' })
  const begin = async () => {
    const begun = await times(10, (index) => {
      const claims = index % 2 === 0 ? ofOne : ofTwo
      return claims.claim('key_1', 'a', { fingerprint: 'print', memoryId: null })
    })
    return begun.filter(({ state }) => state === 'claimed').length
  }
  assert.equal(await begin(), 1)
  await db.updateTable('idempotency').set({ created_at: '2020-01-01T00:00:00.000Z' }).execute()
  assert.equal(await begin(), 1)
})

test('a memory never names a project that was deleted meanwhile', async (t) => {
  const { one, two, db, caller } = await openTwo(t)
  const projects = createProjectsService({ db: two.db, blobs: NO_RESERVE, now })
  await times(6, async (index) => {
    const { id } = await projects.create(caller, `project ${index}`)
    const named = index % 2 === 0 ? { projectId: id } : { projectName: `Project ${index}` }
    const making = outcomes([one.memories.create(caller, { ...NEW_MEMORY, ...named })])
    const [{ refused }] = await Promise.all([making, projects.delete(caller, id)])
    assert.ok(refused.every((code) => code === 'project_not_found' && index % 2 === 0))
  })
  const orphans = db
    .selectFrom('memories')
    .select('id')
    .where('project_id', 'is not', null)
    .where('project_id', 'not in', (projects) => projects.selectFrom('projects').select('id'))
  assert.deepEqual(await orphans.execute(), [])
})

test('a deleted memory leaves no waiting job and no valid key', async (t) => {
  const { one, two, db, caller } = await openTwo(t)
  await times(4, async () => {
    const { id: memoryId } = await one.memories.create(caller, NEW_MEMORY)
    const documents = [textDocument(caller, memoryId)]
    const job = { organizationId: caller.organizationId, memoryId, jobType: 'x', payload: {}, now: now() }
    await two.db.transaction().execute((transaction) => insertJob(transaction, job))
    await Promise.all([
      one.memories.delete(caller, memoryId),
      outcomes(documents.map((document) => add(two, caller, document))),
    ])
  })
  const jobs = await db.selectFrom('jobs').select('status').execute()
  assert.deepEqual(new Set(jobs.map(({ status }) => status)), new Set(['failed']))
  const left = await db.selectFrom('memories').select('id').execute()
  assert.deepEqual(left, [])
})

test('concurrent workers share the jobs, and no job is claimed twice', async (t) => {
  const { one, two, db, caller } = await openTwo(t)
  const { organizationId } = caller
  await db.transaction().execute(async (transaction) => {
    for (let count = 0; count < 24; count += 1) {
      const memoryId = newId('mem')
      await insertJob(transaction, { organizationId, memoryId, jobType: 'x', payload: {}, now: now() })
    }
  })
  const claimed = await times(16, (index) => {
    const claim = { limit: 2, leaseMs: 30_000, token: newId('req'), now: now() }
    return claimJobs((index % 2 === 0 ? one : two).db, claim)
  })
  const ids = claimed.flat().map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(ids.length > 0)
})

test('a task belongs to one process until the process releases it or dies', async (t) => {
  const { one, two } = await openTwo(t)
  const at = now()
  const take = ({ db }: Process, owner: string, later = 0) =>
    acquireLease(db, { name: 'work', owner, now: new Date(at.getTime() + later), leaseMs: 1000 })
  const taken = await Promise.all([take(one, 'one'), take(two, 'two')])
  assert.equal(taken.filter(Boolean).length, 1)
  const both = [one, two] as const
  const names = ['one', 'two'] as const
  const holder = taken[0] ? 0 : 1
  const other = holder === 0 ? 1 : 0
  assert.equal(await take(both[holder], names[holder], 900), true)
  assert.equal(await take(both[other], names[other], 1500), false)
  assert.equal(await take(both[other], names[other], 2000), true)
  await releaseLease(both[holder].db, { name: 'work', owner: names[holder] })
  assert.equal(await take(both[holder], names[holder], 2500), false)
})
